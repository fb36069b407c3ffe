/** The options of a backtest. */
import type { z } from 'zod'
import type { RateLimits } from '../domain/rate-window.ts'
import type { StatsPeriod } from '../runtime/settings/run-terms.ts'
import type { LiquidityFactory } from '../simulation/liquidity/liquidity-models.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { SaveOptions } from './save-options.ts'

/** A recorded market in a file of any format that `papertape import` reads, and how to read it. */
export interface TapeOptions {
  /** Path of the file. */
  readonly file: string
  /** BASE_QUOTE; default: the key of the tape in `tapes`, or else the symbol in the file. */
  readonly symbol?: string | undefined
  /**
   * Field of each column, such as `time=ts,price=px`, or all fields in order for a file without header; default: from
   * the header.
   */
  readonly columns?: string | undefined
  /** Meaning of the timestamp of a candle: its open (default) or its close. */
  readonly candleTime?: 'open' | 'close' | undefined
  /** Length of a candle: a name such as `1m`, or milliseconds; default: the most common step. */
  readonly candleInterval?: string | number | undefined
  /** Volume of every candle, for a file without volumes: a decimal above 0; default: `'1000000'`. */
  readonly volume?: string | undefined
  /**
   * Time zone of dates without one, and of daily candles built from this file, such as `'America/New_York'`; default:
   * UTC.
   */
  readonly zone?: string | undefined
  /**
   * When a candle closes: one `'interval'` after its open (default), or at the `'next'` open, for candles of unequal
   * length.
   */
  readonly candleClose?: 'interval' | 'next' | undefined
  /** Decimal digits of prices, 0 to 12; default: as many as the file needs. */
  readonly pricePrecision?: number | undefined
  /** Decimal digits of quantities, 0 to 12; default: as many as the file needs. */
  readonly qtyPrecision?: number | undefined
}

/** One tape of a market, or several. */
export type TapesOfMarket = string | TapeOptions | readonly (string | TapeOptions)[]

/** A recorded order book or recorded quotes in a file, CSV or JSON, and how to read it. */
export interface BookOptions {
  /** Path of the file; for LOBSTER, the path of the message file. */
  readonly file: string
  /** BASE_QUOTE; default: the key of the file in `books`. One of the two is required. */
  readonly symbol?: string | undefined
  /** Market to read from a file with several, by its name in the file; default: the symbol. */
  readonly market?: string | undefined
  /** Decimal digits of prices, 0 to 12; default: as many as the file needs. */
  readonly pricePrecision?: number | undefined
  /** Decimal digits of quantities, 0 to 12; default: as many as the file needs. */
  readonly qtyPrecision?: number | undefined
}

/** One recorded order book of a market, or several. */
export type BooksOfMarket = string | BookOptions | readonly (string | BookOptions)[]

/** Fees in basis points of the notional, decimal strings of 0 to 10000 with up to 4 decimals. */
export interface FeeOptions {
  /** Fee of a resting order, in basis points; default: '0'. */
  readonly makerBps?: string | undefined
  /** Fee of an order that takes liquidity, in basis points; default: '0'. */
  readonly takerBps?: string | undefined
}

/** Liquidity that the simulated market offers. */
export interface LiquidityOptions {
  /**
   * Name of a liquidity model, path of a file with one, or a function that creates one; default: `tape`, or `book`
   * with a recorded book.
   */
  readonly model?: string | LiquidityFactory | undefined
  /** Queue size ahead of your order, in average trade sizes: a number of 0 to 1000; default: 1. */
  readonly queueSize?: number | undefined
  /** Former name of `queueSize`. */
  readonly queueClips?: number | undefined
  /** Size of each simulated price level, in average trade sizes: a number of 0 to 1000; default: 1. */
  readonly levelSize?: number | undefined
  /** Former name of `levelSize`. */
  readonly depthClips?: number | undefined
  /**
   * Spread of the market, a decimal string in the quote asset; default: estimated from trades, one tick for candles.
   */
  readonly spread?: string | undefined
  /** Milliseconds after which a quote is stale and fills nothing; default: 600000. */
  readonly staleAfterMs?: number | undefined
}

/** Latencies in milliseconds, from 0 to one day. */
export interface LatencyOptions {
  /** Milliseconds until an order reaches the exchange; default: 50. */
  readonly orderMs?: number | undefined
  /** Milliseconds until the reply reaches the strategy; default: 0. */
  readonly responseMs?: number | undefined
  /** Milliseconds until market data reaches the strategy; default: 0. */
  readonly feedMs?: number | undefined
}

/**
 * Risk limits, which are checked before an order is sent. Each is off by default. A refused order is an outcome with
 * `by: 'risk'`.
 */
export interface RiskOptions {
  /**
   * Refuses an order worth more than this: a decimal string in the quote asset of its market, or `off`; default: off.
   */
  readonly maxOrder?: string | undefined
  /**
   * Refuses a buy if position plus open orders could exceed this value: a decimal string in the quote asset; default:
   * off.
   */
  readonly maxPosition?: string | undefined
  /**
   * Refuses a limit buy this many percent above the last trade, or a limit sell this many below: a decimal string;
   * default: off.
   */
  readonly collarPercent?: string | undefined
  /** Refuses orders beyond this many within 60 seconds: 1 to 1000000; default: off. */
  readonly ordersPerMinute?: number | 'off' | undefined
  /**
   * After a loss of this much in a UTC day, the session only reduces positions until the next: a decimal string in
   * the quote asset; default: off.
   */
  readonly dayLoss?: string | undefined
  /**
   * Once equity is this many percent below its peak, the session only reduces positions: a decimal string; default:
   * off.
   */
  readonly drawdownPercent?: string | undefined
  /**
   * Effect of `dayLoss` and `drawdownPercent`: reduce, or flatten to also sell the position of the session; default:
   * reduce.
   */
  readonly atLimit?: 'reduce' | 'flatten' | undefined
}

/** Progress of a run. */
export interface BacktestProgress {
  /** Count of recorded trades played so far. */
  readonly rows: number
  /** Virtual Unix milliseconds reached so far. */
  readonly time: number
  /** Start of the run, virtual Unix milliseconds. */
  readonly from: number
  /** End of the run, virtual Unix milliseconds. */
  readonly to: number
}

/** @typeParam Schema  of the parameters of the strategy */
export interface BacktestOptions<Schema extends z.ZodObject = z.ZodObject> {
  /** Strategy from `defineStrategy`, name of a ready strategy, or path of a file. */
  readonly strategy: Strategy<Schema> | string
  /** Parameters of the strategy. A missing `symbol` is the market of the first tape. */
  readonly params?: Readonly<Partial<z.input<Schema>>> | undefined
  /** Parameters as strings, as on a command line. They override `params`. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /**
   * Recorded markets by symbol, or a list of files that name their symbol. Several are merged by time; ties keep this
   * order. May be empty only with `books`.
   */
  readonly tapes?: Readonly<Record<string, TapesOfMarket>> | readonly (string | TapeOptions)[] | undefined
  /** Recorded order books and quotes by symbol, or a list of files that name their symbol; default: none. */
  readonly books?: Readonly<Record<string, BooksOfMarket>> | readonly BookOptions[] | undefined
  /** Files with the strategy's own data by the name that it asks for, `{ 'fear-greed': 'fng.csv' }`; default: none. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Starting balances, decimal strings by asset; default: 10000 of the quote asset of the first tape. */
  readonly credits?: Readonly<Record<string, string>> | undefined
  /** Fees of the markets, in basis points; default: none. */
  readonly fees?: FeeOptions | undefined
  /**
   * Name of a liquidity model, path of a file with one, a function that creates one, or an object with more settings;
   * default: `tape`, or `book` with a recorded book.
   */
  readonly liquidity?: string | LiquidityFactory | LiquidityOptions | undefined
  /** Outlier filter of recorded prints: `auto` applies to prints without a side, `off` to none; default: `auto`. */
  readonly printFilter?: 'auto' | 'off' | undefined
  /** Former name of `printFilter`; its `all` is `off`. */
  readonly believe?: 'auto' | 'all' | undefined
  /** Latency of orders, replies and market data, in milliseconds; default: 50 ms for an order. */
  readonly latency?: LatencyOptions | undefined
  /** Treatment of an order over the rate limit: refuse (default) or wait. */
  readonly onLimit?: 'refuse' | 'wait' | undefined
  /**
   * Computed quantities and limit prices with too many digits: round them to the lot and tick (default), or refuse
   * the order.
   */
  readonly rounding?: 'round' | 'refuse' | undefined
  /** Rate limits: requests per window, by kind; false turns them off; default: those of the service. */
  readonly limits?: boolean | RateLimits | undefined
  /** Risk limits; default: none. */
  readonly risk?: RiskOptions | undefined
  /** Start of the run, inclusive: ISO 8601 or Unix milliseconds; default: the start of the tapes. */
  readonly from?: string | number | undefined
  /** End of the run, exclusive: ISO 8601 or Unix milliseconds; default: the end of the tapes. */
  readonly to?: string | number | undefined
  /**
   * History to feed before `from` without sending orders, such as `'30d'` or `'12h'`; default: as declared by the
   * strategy.
   */
  readonly warmup?: string | undefined
  /** Sampling period of the returns in the statistics: a name from `1m` to `1d`; default: `1d`. */
  readonly statsPeriod?: StatsPeriod | undefined
  /** Number of periods per year used to annualize, such as 252 trading days: 0.001 to 1000000; default: measured. */
  readonly periodsPerYear?: number | undefined
  /** Annual risk-free rate as a fraction: -1 to 10; default: 0. */
  readonly riskFreeRate?: number | undefined
  /** Random seed: a 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** If a resting order filled, also run under the best-case and worst-case fill models; default: true. */
  readonly bounds?: boolean | undefined
  /** Count of shuffled tapes on which the run is repeated for a p-value: 1 to 10000; default: none. */
  readonly null?: number | undefined
  /** Also runs in worlds that differ in one setting, such as a fee or a latency; default: false. */
  readonly robustness?: boolean | undefined
  /** Called after each of these runs: the count of those done, and of all. */
  readonly onRepeat?: ((done: number, all: number) => void) | undefined
  /**
   * Directory to write run.json, orders.csv, fills.csv, trades.csv, equity.csv and journal.jsonl to, and plots.csv
   * and notes.csv if there are any; default: no files.
   */
  readonly out?: string | undefined
  /** Database to save the run in; default: none. */
  readonly db?: SaveOptions | undefined
  /** Overwrites the backtest in that directory. Anything else there is never overwritten; default: false. */
  readonly force?: boolean | undefined
  /**
   * Returns `orders`, `fills`, `trips`, `plots` and `notes` with the result; default: true. Set it to false, with
   * `out`, for runs with millions of them.
   */
  readonly keepRows?: boolean | undefined
  /** Aborts the run, even within a block of a tape. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called often while a tape is read for the first time, before the run: the count of bytes read so far, and of all in
   * the file.
   */
  readonly onReading?: ((file: string, bytesRead: number, bytesTotal: number) => void) | undefined
  /** Called often during the run. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined
  /** Called with each message that the strategy logs, and its virtual Unix milliseconds. */
  readonly onLog?: ((time: number, message: string) => void) | undefined
}
