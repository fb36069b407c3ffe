/** The context of a strategy: everything it can read and do. No member exposes future data. */
import type { Observable } from 'rxjs'
import type { CandleLength } from '../domain/candle-length.ts'
import type { Decimal, DecimalInput } from '../domain/decimal.ts'
import type { SeriesRow } from '../domain/series-row.ts'
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
import type { StateSchema, StrategyState } from './strategy-state.ts'
import type * as targets from './targets.ts'
import type * as waiting from './waiting.ts'
import type { OwnWaitingOrder } from './waiting-intent.ts'
import type { OwnBalance, OwnBalances, OwnFill, OwnOrder, OwnPortfolio, OwnPosition } from './own-order.ts'

type OrderWords = Readonly<
  Pick<typeof orders, 'buyMarket' | 'sellMarket' | 'buyLimit' | 'sellLimit' | 'cancel' | 'cancelAll'> &
    Pick<typeof targets, 'target' | 'rebalance' | 'replace'> &
    Pick<typeof waiting, 'stopBuy' | 'stopSell' | 'trailingStop' | 'takeProfit' | 'oco' | 'bracket'>
>

/** Candle stream of one market, or of several markets grouped by interval. */
export interface CandlesOf {
  (symbol: string, interval: CandleLength, options?: CandleOptions): Observable<MarketCandle>
  <const Symbols extends readonly string[]>(
    symbols: Symbols,
    interval: CandleLength,
    options?: CandleOptions,
  ): Observable<CandleRow<Symbols>>
}

/** Rows of a series that the run was given. */
export type SeriesOf = <const Columns extends readonly string[] = readonly string[]>(
  name: string,
  columns?: Columns,
) => Observable<SeriesRow<Columns[number]>>

/**
 * The argument of `run`: market streams, account streams, reads of the current state, and functions that create orders.
 */
export interface StrategyContext<Params> extends OrderWords, RoundingWords {
  /** Parameters of this run, parsed by the schema of the strategy, with defaults filled in. */
  readonly params: Params
  /** All markets, in the order of the tapes. */
  readonly markets: readonly MarketView[]
  /**
   * Market of a symbol, such as `'BTC_USD'`.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly market: (symbol: string) => MarketView

  /**
   * Emits each public trade when it arrives.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly trades: (symbol: string) => Observable<MarketTrade>
  /**
   * Emits the 24-hour ticker after each public trade.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly tickers: (symbol: string) => Observable<MarketTicker>
  /**
   * Emits when a recorded best price or its quantity changes. Your own orders are not included.
   *
   * @throws {InputError} if no quotes or book were recorded, and always on paper and live; check
   * `market(symbol).hasQuotes` first
   */
  readonly quotes: (symbol: string) => Observable<MarketQuote>
  /**
   * Emits the best levels of the recorded order book after each update, or at clock boundaries with `every`:
   * `depth('BTC_USD', { levels: 5, every: '1s' })`. It pauses while the book is unknown, for example after a gap.
   *
   * @throws {InputError} if no book was recorded, and always on paper and live; check `market(symbol).hasBook` first
   */
  readonly depth: (symbol: string, options?: DepthOptions) => Observable<MarketDepth>
  /**
   * Recorded order book. Every read returns its current state, delayed by the feed latency if one is set.
   *
   * @throws {InputError} if no book was recorded, and always on paper and live; check `market(symbol).hasBook` first
   */
  readonly book: (symbol: string) => MarketBook
  /**
   * Emits each candle once, when it closes. An interval without a trade has no candle, unless you pass `{ empty: 'fill'
   * }`. With several symbols it emits one row per interval in which any of them has a candle.
   *
   * @param interval  a whole number of `s`, `m`, `h`, `d`, `w` or `M`, up to a year, such as `'15m'`; on a tape of
   * candles, a multiple of its interval
   * @throws {InputError} for an unknown symbol, an invalid interval, or one shorter than the candles of the tape
   */
  readonly candles: CandlesOf
  /**
   * Emits at each boundary of the clock, such as every full hour, as Unix milliseconds. Weeks start on Mondays, in UTC.
   *
   * @param length  an interval, as for `candles`
   * @throws {InputError} for an invalid interval
   */
  readonly every: (length: CandleLength) => Observable<number>
  /**
   * Emits once per local day at a time of day, as Unix milliseconds. If daylight saving skips that time, it emits later
   * by the skipped time: 03:30 instead of 02:30. If the time occurs twice, it emits on the first occurrence only.
   *
   * @param clock  such as `'09:00'` or `'17:30:15'`
   * @param zone   an IANA time zone such as `'Europe/Berlin'`; default UTC
   * @throws {InputError} for an invalid time or an unknown zone
   */
  readonly daily: (clock: string, zone?: string) => Observable<number>
  /**
   * Emits each period of missing trades, before the first trade that follows it.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly gaps: (symbol: string) => Observable<MarketGap>

  /**
   * Emits the rows of your own data, given with `--series fear-greed=fng.csv`: the latest row when you subscribe, if
   * there is one, then each row at its timestamp plus the feed latency. On paper and live, the file is read again each
   * second, and a row that is added later than that arrives when it is seen. Cells are text, as written in the file.
   *
   * @param name     the name before the file
   * @param columns  columns that the strategy needs, such as `['value']`; default: any
   * @throws {InputError} if the run has no such series, or the series lacks a column
   */
  readonly series: SeriesOf

  /** Emits one of your orders whenever it changes. */
  readonly orders$: Observable<OwnOrder>
  /** Emits each fill of your orders. */
  readonly fills$: Observable<OwnFill>
  /** Emits all balances after any of them changes. */
  readonly balances$: Observable<OwnBalances>
  /**
   * Emits the outcome of each order and each cancel: acknowledged, refused, withdrawn, unknown, absent or ambiguous.
   */
  readonly outcomes$: Observable<Outcome>

  /**
   * Current balance of an asset. On live, it may be slightly older than `position`.
   *
   * @throws {InputError} for an asset that no market trades
   */
  readonly balance: (asset: string) => OwnBalance
  /**
   * Orders that can still fill, newest first; of one market if you pass `symbol`.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly openOrders: (symbol?: string) => readonly OwnOrder[]
  /**
   * Conditional orders that have not triggered, oldest first; of one market if you pass `symbol`.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly waitingOrders: (symbol?: string) => readonly OwnWaitingOrder[]
  /**
   * Position in a market with its cost and profit, including the last reported fill.
   *
   * @throws {InputError} for an unknown symbol
   */
  readonly position: (symbol: string) => OwnPosition
  /**
   * Quantity that loses the given share of your equity if the stop is hit, in whole lots of the base asset:
   * `riskQty('BTC_USD', { stop: 61_000, share: 0.01 })`. It is limited to what you can afford (buy) or have free
   * (sell), and 0 before the first price.
   *
   * @throws {Error} for an unknown symbol, a share outside 0 to 1, or a stop equal to the entry
   */
  readonly riskQty: (symbol: string, risk: RiskOfStop) => Decimal
  /** Current value of all balances. */
  readonly portfolio: () => OwnPortfolio

  /** Current time in Unix milliseconds; simulated in a backtest. */
  readonly now: () => number
  /**
   * State of the strategy, continued after a restart on live, and on paper with `--state`: `const memory =
   * state(z.object({ entries: z.int().default(0) }))`. In a backtest it starts from the defaults of the schema. Call it
   * once.
   *
   * @param schema  of zod, with a default for every field and without transforms
   * @throws {InputError} if the schema has no first value, or does not fit the saved one
   */
  readonly state: <Value>(schema: StateSchema<Value>) => StrategyState<Value>
  /** Random number in [0, 1), reproducible from the seed of the run. */
  readonly random: () => number
  /** Writes a line to the log of the run. */
  readonly log: (message: string) => void
  /**
   * Records a value of a named line at the current time in `plots.csv`: `plot('fast', fast)`. Ignored during warm-up.
   *
   * @param name   1 to 200 characters
   * @param value  a Decimal, a number, or a numeric string; stored exactly
   * @unit yours: a line can show anything
   * @throws {InputError} for an invalid name, or a value that is not a finite number, such as NaN
   */
  readonly plot: (name: string, value: DecimalInput) => void
  /**
   * Records a text at the current time in `notes.csv`. Ignored during warm-up.
   *
   * @throws {InputError} for an empty text
   */
  readonly note: (text: string) => void
}
