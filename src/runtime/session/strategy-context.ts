/**
 * The context of a strategy: the adapter's streams and reads with checked arguments, and streams that its session
 * feeds.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { Outcome } from '../../strategy/intent.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../strategy/orders.ts'
import { roundingWords } from '../../strategy/rounding-words.ts'
import { rebalance, replace, target } from '../../strategy/targets.ts'
import type { OwnBalances, OwnFill, OwnOrder, OwnPortfolio } from '../../strategy/own-order.ts'
import { riskQty } from './targets/risk-qty.ts'
import type { Sizing } from './targets/sizing.ts'
import { bracket, oco, stopBuy, stopSell, takeProfit, trailingStop } from '../../strategy/waiting.ts'
import type { OwnWaitingOrder } from '../../strategy/waiting-intent.ts'
import type { PositionBook } from './position-book.ts'
import { bookCalls } from './book-calls.ts'
import { candlesWord } from './candles/candle-words.ts'
import { seriesCall, type KnownRows } from './series-call.ts'
import { clockCalls } from './clock-calls.ts'
import { valuedHoldings } from './valued-holdings.ts'

/** Fed by the session. */
export interface ContextStreams {
  readonly orders$: HotStream<OwnOrder>
  readonly fills$: HotStream<OwnFill>
  readonly balances$: HotStream<OwnBalances>
  readonly outcomes$: HotStream<Outcome>
}

export interface ContextOptions {
  readonly adapter: ExchangeAdapter
  readonly params: Readonly<Record<string, unknown>>
  readonly quoteAsset: string
  readonly random: () => number
  readonly log: (time: number, message: string) => void
}

export interface ContextParts {
  readonly streams: ContextStreams
  readonly positions: PositionBook
  readonly sizing: Sizing
  readonly knownRows: KnownRows
  readonly waitingOrders: (symbol: string | undefined) => readonly OwnWaitingOrder[]
  /** Calls whose effect is in the files of the run, or in its journal. */
  readonly own: Pick<StrategyContext<unknown>, 'plot' | 'note' | 'state'>
}

export const createStreams = (): ContextStreams => ({
  orders$: new HotStream(),
  fills$: new HotStream(),
  balances$: new HotStream(),
  outcomes$: new HotStream(),
})

export function createContext(
  options: ContextOptions,
  parts: ContextParts,
): StrategyContext<Readonly<Record<string, unknown>>> {
  const { adapter, params, random } = options
  const { streams, positions, sizing } = parts
  const market = (symbol: string): MarketView => marketOf(adapter, symbol)
  return {
    params,
    markets: adapter.markets,
    market,
    trades: (symbol) => adapter.trades(market(symbol).symbol),
    tickers: (symbol) => adapter.tickers(market(symbol).symbol),
    candles: candlesWord(adapter, market),
    ...bookCalls(adapter, market),
    ...{ ...clockCalls(adapter), series: seriesCall(adapter, parts.knownRows) },
    gaps: (symbol) => adapter.gaps(market(symbol).symbol),
    ...streams,
    balance: (asset) => {
      const balance = adapter.balances().get(asset)
      if (balance === undefined) throw new InputError('balance', `no market has the asset '${asset}'`)
      return balance
    },
    openOrders: (symbol) => {
      const asked = symbol === undefined ? undefined : market(symbol).symbol
      return adapter.openOrders().filter((order) => asked === undefined || order.symbol === asked)
    },
    position: (symbol) => positions.position(market(symbol).symbol),
    portfolio: () => portfolioOf(adapter, options.quoteAsset),
    ...roundingWords(market),
    waitingOrders: (symbol) => parts.waitingOrders(symbol === undefined ? undefined : market(symbol).symbol),
    riskQty: (symbol, risk) => riskQty(market(symbol), risk, sizing),
    now: () => adapter.now(),
    random,
    log: (message) => {
      options.log(adapter.now(), message)
    },
    ...parts.own,
    buyLimit,
    buyMarket,
    sellLimit,
    sellMarket,
    cancel,
    cancelAll,
    target,
    rebalance,
    replace,
    ...{ stopBuy, stopSell, trailingStop, takeProfit, oco, bracket },
  }
}

function marketOf(adapter: ExchangeAdapter, symbol: string): MarketView {
  const market = adapter.markets.find((each) => each.symbol === symbol)
  if (market !== undefined) return market
  const known = adapter.markets.map((each) => each.symbol)
  throw new InputError(
    'symbol',
    `no market '${symbol}'; there is ${known.join(', ')}${known.length > 1 ? nearestNameHint(symbol, known) : ''}`,
  )
}

export function portfolioOf(adapter: ExchangeAdapter, quoteAsset: string): OwnPortfolio {
  const { equity, unpriced, unvalued } = valuedHoldings(adapter, quoteAsset)
  return { quoteAsset, equity, partial: unpriced.length + unvalued.length > 0 }
}
