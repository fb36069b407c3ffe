/**
 * Runs a strategy on marbles, and compares what it wants as texts such as `BUY 5 at 99`.
 *
 * The market is BTC_USD with two decimals. A letter of the trades is a price; what the strategy hears and reads of its
 * account is said by the test, too, so that answers may come late, twice, or in an odd order.
 */
import { map, tap, type Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { expect } from 'vitest'
import type { z } from 'zod'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { CandlesOf } from '../../../src/strategy/context.ts'
import type { Intent, Outcome } from '../../../src/strategy/intent.ts'
import { MarketCandle, MarketTrade } from '../../../src/strategy/market-data.ts'
import { MarketQuote } from '../../../src/strategy/market-quote.ts'
import type { OwnBalances, OwnOrder } from '../../../src/strategy/own-order.ts'
import type { Strategy } from '../../../src/strategy/strategy.ts'
import { market } from '../../exchange/rig/configs.ts'
import { eachIntent } from '../../strategy/rig/each-intent.ts'
import { strategyContext } from '../../strategy/rig/strategy-context.ts'

export const SYMBOL = 'BTC_USD'

/** A stream: its marbles, and what its letters mean. */
export type Marbles<T> = readonly [marbles: string, values: Readonly<Record<string, T>>]

/** An amount of each asset; 0 of one that is not there. */
export type Funds = Readonly<Record<string, string>>

export interface MarbleRun {
  readonly params?: Readonly<Record<string, unknown>>
  readonly config?: Partial<MarketConfig>
  readonly available: Funds
  readonly locked?: Funds
  /** Marbles of trades, and of candles that are one trade each; the letters are prices. */
  readonly trades: Marbles<string>
  /**
   * Marbles of quotes, in a market that reports them; the letters are a bid and an ask, such as `99 101`, `-` for no
   * one.
   */
  readonly quotes?: Marbles<string>
  readonly outcomes?: Marbles<Outcome>
  readonly orders?: Marbles<OwnOrder>
  /** What the strategy reads, from that moment on; none before. */
  readonly openOrders?: Marbles<readonly OwnOrder[]>
  /** What it reads before the first moment; default: none. */
  readonly openAtStart?: readonly OwnOrder[]
  /** What is available from that moment on. */
  readonly balances?: Marbles<Funds>
  readonly onIntent?: (intent: Intent) => void
  /** What is expected; the third is the error of `#`. */
  readonly intents: readonly [...Marbles<string>, error?: Error]
}

export function expectIntents<Schema extends z.ZodObject>(strategy: Strategy<Schema>, run: MarbleRun): void {
  const config = market(SYMBOL, { pricePrecision: 2, qtyPrecision: 2, ...run.config })
  const params = strategy.params.parse({ symbol: SYMBOL, ...run.params })
  let { available } = run
  let open: readonly OwnOrder[] = run.openAtStart ?? []
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run(({ hot, expectObservable }) => {
    const stream = <T>([marbles, values]: Marbles<T> = ['', {}]): Observable<T> => hot(marbles, { ...values })
    stream(run.openOrders).subscribe((orders) => (open = orders))
    const balances = stream(run.balances)
    balances.subscribe((later) => (available = later))
    const prices = stream(run.trades)
    const trades = prices.pipe(map((price) => tradeAt(price, config)))
    const candles = prices.pipe(map((price) => candleAt(price, config)))
    const quotes = stream(run.quotes).pipe(map((prices) => quoteAt(prices, config)))
    const context = strategyContext({
      ...{ params, markets: [config] },
      reported: run.quotes && { hasLevels: false, hasQuotes: true },
      ...{
        trades: () => trades,
        quotes: () => quotes,
        candles: (() => candles) as unknown as CandlesOf,
        outcomes$: stream(run.outcomes),
        orders$: stream(run.orders),
      },
      balances$: balances.pipe(map((): OwnBalances => new Map())),
      openOrders: (symbol) => open.filter((each) => symbol === undefined || each.symbol === symbol),
    })
    const balance = (asset: string) => ({
      available: toDecimal(available[asset] ?? '0'),
      locked: toDecimal(run.locked?.[asset] ?? '0'),
    })
    const intents = eachIntent(strategy.run({ ...context, balance })).pipe(tap((intent) => run.onIntent?.(intent)))
    expectObservable(intents.pipe(map(textOf))).toBe(...run.intents)
  })
}

const tradeAt = (price: string, config: MarketConfig): MarketTrade =>
  new MarketTrade(
    {
      ...{ id: 1, symbol: SYMBOL, price: Math.round(Number(price) * 10 ** config.pricePrecision), qty: 1 },
      ...{ buyOrderId: 1, sellOrderId: 2, buyerId: 'crowd', sellerId: 'crowd', isBuyerMaker: true, createdAt: 0 },
    },
    config,
  )

function quoteAt(prices: string, config: MarketConfig): MarketQuote {
  const [bid = 0, ask = 0] = prices
    .split(' ')
    .map((price) => (price === '-' ? 0 : Math.round(Number(price) * 10 ** config.pricePrecision)))
  return new MarketQuote({ time: 0, bid, bidQty: Math.sign(bid), ask, askQty: Math.sign(ask) }, config)
}

const candleAt = (price: string, config: MarketConfig): MarketCandle => {
  const close = Math.round(Number(price) * 10 ** config.pricePrecision)
  const prices = { open: close, high: close, low: close, close }
  return new MarketCandle({ time: 0, symbol: SYMBOL, ...prices, volume: 1n }, config)
}

function textOf(intent: Intent): string {
  if (intent.type === 'limit') return `${intent.side} ${String(intent.qty)} at ${String(intent.price)}`
  return intent.type === 'cancel' ? `cancel ${intent.orderId}` : intent.type
}

/** An order of ours that rests, unless given otherwise. */
export const order = (id: string, side: 'BUY' | 'SELL', price: string, parts: Partial<OwnOrder> = {}): OwnOrder => ({
  ...{ id, symbol: SYMBOL, side, type: 'LIMIT', status: 'OPEN', price: toDecimal(price) },
  ...{ qty: toDecimal(5), filledQty: toDecimal(0), createdAt: 0, ...parts },
})
