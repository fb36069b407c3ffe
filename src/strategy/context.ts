/**
 * Everything that a strategy can reach. Nothing in it shows the future.
 */
import type { Observable } from 'rxjs'
import type { CandleInterval } from '../domain/candle.ts'
import type { Outcome } from './intent.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from './market-data.ts'
import type { MarketView } from './market-view.ts'
import type * as orders from './orders.ts'
import type { OwnBalance, OwnBalances, OwnFill, OwnOrder, OwnPortfolio } from './own-order.ts'

type OrderWords = Readonly<
  Pick<typeof orders, 'buyMarket' | 'sellMarket' | 'buyLimit' | 'sellLimit' | 'cancel' | 'cancelAll'>
>

export interface StrategyContext<Params> extends OrderWords {
  readonly params: Params
  /** Every market, in the order in which the tapes were named. */
  readonly markets: readonly MarketView[]
  /** @throws {InputError} for an unknown symbol, as do the streams below */
  readonly market: (symbol: string) => MarketView

  /** Hot: each public trade as it arrives. */
  readonly trades: (symbol: string) => Observable<MarketTrade>
  /** Hot: after each public trade. */
  readonly tickers: (symbol: string) => Observable<MarketTicker>
  /** Hot: each candle once, when it is over; an interval without a trade has none. */
  readonly candles: (symbol: string, interval: CandleInterval) => Observable<MarketCandle>

  /** Hot: each change of an order of ours. */
  readonly orders$: Observable<OwnOrder>
  readonly fills$: Observable<OwnFill>
  /** Hot: after each change. */
  readonly balances$: Observable<OwnBalances>
  /** Hot: what became of each intent. */
  readonly outcomes$: Observable<Outcome>

  /** @throws {InputError} for an asset of no market */
  readonly balance: (asset: string) => OwnBalance
  /** Newest first; of one market when `symbol` is given. */
  readonly openOrders: (symbol?: string) => readonly OwnOrder[]
  readonly portfolio: () => OwnPortfolio

  /** Unix milliseconds; virtual in a backtest. */
  readonly now: () => number
  /** Seeded: a number in [0, 1). */
  readonly random: () => number
  /** A line for the person who runs the strategy. */
  readonly log: (message: string) => void
}
