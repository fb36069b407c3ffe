/**
 * Everything that a strategy can reach. Nothing in it shows the future.
 */
import type { Observable } from 'rxjs'
import type { CandleLength } from '../domain/candle-length.ts'
import type { Decimal, DecimalInput } from '../domain/decimal.ts'
import type { CandleOptions, CandleRow } from './candle-row.ts'
import type { DepthOptions } from './depth-options.ts'
import type { Outcome } from './intent.ts'
import type { MarketBook } from './market-book.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from './market-data.ts'
import type { MarketDepth } from './market-depth.ts'
import type { MarketGap } from './market-gap.ts'
import type { MarketQuote } from './market-quote.ts'
import type { MarketView } from './market-view.ts'
import type * as orders from './orders.ts'
import type { RiskOfStop } from './risk-of-stop.ts'
import type { RoundingWords } from './rounding-words.ts'
import type * as targets from './targets.ts'
import type * as waiting from './waiting.ts'
import type { OwnWaitingOrder } from './waiting-intent.ts'
import type { OwnBalance, OwnBalances, OwnFill, OwnOrder, OwnPortfolio, OwnPosition } from './own-order.ts'

type OrderWords = Readonly<
  Pick<typeof orders, 'buyMarket' | 'sellMarket' | 'buyLimit' | 'sellLimit' | 'cancel' | 'cancelAll'> &
    Pick<typeof targets, 'target' | 'rebalance' | 'replace'> &
    Pick<typeof waiting, 'stopBuy' | 'stopSell' | 'trailingStop' | 'takeProfit' | 'oco' | 'bracket'>
>

/** Candles of one market, or of several by boundary. */
export interface CandlesOf {
  (symbol: string, interval: CandleLength, options?: CandleOptions): Observable<MarketCandle>
  <const Symbols extends readonly string[]>(
    symbols: Symbols,
    interval: CandleLength,
    options?: CandleOptions,
  ): Observable<CandleRow<Symbols>>
}

/** What `run` is given: streams of the market and of our account, reads of the present, and the words for orders. */
export interface StrategyContext<Params> extends OrderWords, RoundingWords {
  /** As the schema of the strategy read them, defaults filled in. */
  readonly params: Params
  /** Every market, in the order in which the tapes were named. */
  readonly markets: readonly MarketView[]
  /**
   * The market of a symbol, such as BTC_USD.
   *
   * @throws {InputError} for an unknown symbol, as do the streams below
   */
  readonly market: (symbol: string) => MarketView

  /** Hot: each public trade as it arrives. */
  readonly trades: (symbol: string) => Observable<MarketTrade>
  /** Hot: after each public trade. */
  readonly tickers: (symbol: string) => Observable<MarketTicker>
  /**
   * Hot: the recorded best prices, whenever one of them or what rests there was told to be another. Nothing of ours is in it.
   *
   * @throws {InputError} where neither quotes nor a book are recorded, as live and on paper; `market(symbol).hasQuotes` says so before
   */
  readonly quotes: (symbol: string) => Observable<MarketQuote>
  /**
   * Hot: the best levels of the recorded book, after each frame of it, or at boundaries of the clock: `depth('BTC_USD', { levels: 5,
   * every: '1s' })`. Nothing while the book is not known, as behind a gap.
   *
   * @throws {InputError} where no book is recorded, as live and on paper; `market(symbol).hasBook` says so before
   */
  readonly depth: (symbol: string, options?: DepthOptions) => Observable<MarketDepth>
  /**
   * The recorded book, to be read at any time: each read is of the present, as far as market data has come to us.
   *
   * @throws {InputError} as `depth`
   */
  readonly book: (symbol: string) => MarketBook
  /**
   * Hot: each candle once, when it is over; an interval without a trade has none, unless `empty: 'fill'` says otherwise. Of several markets
   * one row a boundary, if any of them has a candle.
   *
   * @param interval  any whole number of s, m, h, d or w up to a year; on a tape of candles its own and multiples of that
   * @throws {InputError} for what is no interval, or is shorter than the candles of the tape
   */
  readonly candles: CandlesOf
  /**
   * Hot: the boundaries of the clock, such as each full hour, as Unix milliseconds. The first one is later than now.
   *
   * @param length  as that of a candle; weeks begin on Mondays, in UTC
   */
  readonly every: (length: CandleLength) => Observable<number>
  /**
   * Hot: a time of day, once each local day, as Unix milliseconds. One that the clocks skip comes as much later; of one that comes twice the
   * first is told.
   *
   * @param clock  `'09:00'` or `'17:30:15'`
   * @param zone   such as `'Europe/Berlin'`; default: UTC
   * @throws {InputError} for what is no time of day, or no zone
   */
  readonly daily: (clock: string, zone?: string) => Observable<number>
  /** Hot: a stretch of which trades are missing, told before the first trade behind it. */
  readonly gaps: (symbol: string) => Observable<MarketGap>

  /** Hot: each change of an order of ours. */
  readonly orders$: Observable<OwnOrder>
  /** Hot: each match of an order of ours. */
  readonly fills$: Observable<OwnFill>
  /** Hot: all balances, after each change of one. */
  readonly balances$: Observable<OwnBalances>
  /** Hot: what became of each order that was placed and of each cancel. */
  readonly outcomes$: Observable<Outcome>

  /**
   * What we have of an asset, as far as we were told.
   *
   * @throws {InputError} for an asset of no market
   */
  readonly balance: (asset: string) => OwnBalance
  /**
   * Our orders that can still be filled, newest first; of one market when `symbol` is given.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly openOrders: (symbol?: string) => readonly OwnOrder[]
  /**
   * Our orders that wait in the session, oldest first; of one market when `symbol` is given.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly waitingOrders: (symbol?: string) => readonly OwnWaitingOrder[]
  /**
   * What we hold in a market, and what came of it: as of the last fill that was told, also inside of `fills$`.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly position: (symbol: string) => OwnPosition
  /**
   * The quantity, in whole lots of the base asset, with which a stop loses a part of the equity: `riskQty('BTC_USD', { stop: 61_000, share:
   * 0.01 })`. Of a buy at most what can be paid, of a sell at most what is free; 0 before the first price.
   */
  readonly riskQty: (symbol: string, risk: RiskOfStop) => Decimal
  /** What the balances are worth now. */
  readonly portfolio: () => OwnPortfolio

  /** The time in Unix milliseconds; virtual in a backtest. */
  readonly now: () => number
  /** A number in [0, 1), from the seed of the run. */
  readonly random: () => number
  /** A line for the person who runs the strategy. */
  readonly log: (message: string) => void
  /**
   * Keeps a value of a named line, now, in `plots.csv` of the run: `plot('fast', fast)`. Nothing is kept while it warms up.
   *
   * @param name   of 1 to 200 characters, any
   * @param value  kept exactly: a Decimal, a number, or a text that is one
   * @unit what the line shows
   * @throws {InputError} for a name that is empty or longer, and for a value that is no finite number, such as NaN
   */
  readonly plot: (name: string, value: DecimalInput) => void
  /**
   * Keeps a text, now, in `notes.csv` of the run. Nothing is kept while it warms up.
   *
   * @throws {InputError} for an empty one
   */
  readonly note: (text: string) => void
}
