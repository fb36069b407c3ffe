/**
 * A strategy context for tests: what a test does not give stays silent, and what it gives is seen as the strategy would
 * see it.
 */
import { NEVER } from 'rxjs'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import { MarketView, type ReportedOfBook } from '../../../src/strategy/market-view.ts'
import { roundingWords } from '../../../src/strategy/rounding-words.ts'
import { rebalance, replace, target } from '../../../src/strategy/targets.ts'
import { bracket, oco, stopBuy, stopSell, takeProfit, trailingStop } from '../../../src/strategy/waiting.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'

export interface ContextParts<Params> extends Partial<Omit<StrategyContext<Params>, 'markets' | 'market' | 'balance'>> {
  readonly params: Params
  readonly markets: readonly MarketConfig[]
  /** Available of each asset, read at each call; 0 for an asset that is not there. */
  readonly available?: Readonly<Record<string, string>>
  /** What is reported of the book of every market; default: nothing. */
  readonly reported?: ReportedOfBook | undefined
}

export function strategyContext<Params>({
  markets: configs,
  available = {},
  reported,
  ...parts
}: ContextParts<Params>): StrategyContext<Params> {
  const markets = configs.map((config) => new MarketView(config, config, reported))
  const market = (symbol: string): MarketView => {
    const found = markets.find((each) => each.symbol === symbol)
    if (found === undefined) throw new Error(`the test has no market '${symbol}'`)
    return found
  }
  const zero = toDecimal(0)
  return {
    markets,
    market,
    ...roundingWords(market),
    riskQty: () => zero,
    waitingOrders: () => [],
    ...{ stopBuy, stopSell, trailingStop, takeProfit, oco, bracket },
    position: (symbol) => ({ symbol, qty: zero, averagePrice: undefined, realizedPnl: zero, unrealizedPnl: zero }),
    trades: () => NEVER,
    quotes: () => NEVER,
    depth: () => NEVER,
    series: () => NEVER,
    book: () => {
      throw new Error('the test has no book')
    },
    tickers: () => NEVER,
    candles: () => NEVER,
    every: () => NEVER,
    daily: () => NEVER,
    gaps: () => NEVER,
    orders$: NEVER,
    fills$: NEVER,
    balances$: NEVER,
    outcomes$: NEVER,
    state: () => {
      throw new Error('the test has no state')
    },
    balance: (asset) => ({ available: toDecimal(available[asset] ?? '0'), locked: toDecimal(0) }),
    openOrders: () => [],
    portfolio: () => ({ quoteAsset: markets[0]?.quoteAsset ?? '', equity: toDecimal(0), partial: false }),
    now: () => 0,
    random: () => 0.5,
    log: () => undefined,
    plot: () => undefined,
    note: () => undefined,
    ...{ buyLimit, buyMarket, sellLimit, sellMarket, cancel, cancelAll, target, rebalance, replace },
    ...parts,
  }
}
