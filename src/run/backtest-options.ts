/**
 * A backtest as a program asks for it.
 */
import type { z } from 'zod'
import type { RateLimits } from '../domain/rate-window.ts'
import type { StatsPeriod } from '../runtime/settings/run-terms.ts'
import type { LiquidityFactory } from '../simulation/liquidity/liquidity-models.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { KeepOptions } from './keep-options.ts'

/** A recorded market in a file, CSV or CSV.gz, and what is said of it beside its header. */
export interface TapeOptions {
  /** Path of the file. */
  readonly file: string
  /** BASE_QUOTE; default: the key under which the tape stands, else the file's symbol column. */
  readonly symbol?: string | undefined
  /** Field of each column: `time=ts,price=px`, or a list of positions for a file without header; default: by the header. */
  readonly columns?: string | undefined
  /** The moment of a candle that its time is: its open, the default, or its close. */
  readonly candleTime?: 'open' | 'close' | undefined
  /** Length of a candle: a name such as `1m`, or milliseconds; default: the commonest step. */
  readonly candleInterval?: string | number | undefined
  /** Volume of each candle in a file without volumes, a decimal above 0; default: `'1000000'`. */
  readonly volume?: string | undefined
  /** Zone of dates that name none, and of days that are made of shorter candles, such as `'America/New_York'`; default: UTC. */
  readonly zone?: string | undefined
  /** When a candle closes: `'interval'` after its open (default), or at the open of the `'next'` one, for candles without a common length. */
  readonly candleClose?: 'interval' | 'next' | undefined
  /** Digits behind the point of a price, 0 to 12; default: the fewest that hold every row. */
  readonly pricePrecision?: number | undefined
  /** Digits behind the point of a quantity, 0 to 12; default: the fewest that hold every row. */
  readonly qtyPrecision?: number | undefined
}

/** A tape, or several of one market. */
export type TapesOfMarket = string | TapeOptions | readonly (string | TapeOptions)[]

/** A recording of a book or of quotes in a file, CSV or JSON, and what is said of it. */
export interface BookOptions {
  /** Path of the file; of LOBSTER that of the messages. */
  readonly file: string
  /** BASE_QUOTE; default: the key under which the file stands, one of which has to be there. */
  readonly symbol?: string | undefined
  /** Of a recording of several markets the one to read, as the recording calls it; default: that of the symbol. */
  readonly market?: string | undefined
  /** Digits behind the point of a price, 0 to 12; default: the fewest that hold every row. */
  readonly pricePrecision?: number | undefined
  /** Digits behind the point of a quantity, 0 to 12; default: the fewest that hold every row. */
  readonly qtyPrecision?: number | undefined
}

/** A recording of a book, or several of one market. */
export type BooksOfMarket = string | BookOptions | readonly (string | BookOptions)[]

/** Fees in basis points of the notional, decimal strings of 0 to 10000 with up to 4 decimals. */
export interface FeeOptions {
  /** Of a resting order, in basis points; default: '0'. */
  readonly makerBps?: string | undefined
  /** Of an order that takes, in basis points; default: '0'. */
  readonly takerBps?: string | undefined
}

/** Liquidity that the recorded market offers to orders. */
export interface LiquidityOptions {
  /** Name of a model, path of a file with one, or what makes one; default: `tape`. */
  readonly model?: string | LiquidityFactory | undefined
  /** Queue size ahead of your order, in average trade sizes: a number of 0 to 1000; default: 1. */
  readonly queueSize?: number | undefined
  /** Former name of `queueSize`. */
  readonly queueClips?: number | undefined
  /** Size of each simulated price level, in average trade sizes: a number of 0 to 1000; default: 1. */
  readonly levelSize?: number | undefined
  /** Former name of `levelSize`. */
  readonly depthClips?: number | undefined
  /** Spread of the market as a decimal string in the quote asset; default: learnt, of candles one tick. */
  readonly spread?: string | undefined
  /** Milliseconds after which a quote offers nothing; default: 600000. */
  readonly staleAfterMs?: number | undefined
}

/** Milliseconds, 0 to a day each. */
export interface LatencyOptions {
  /** Milliseconds until an order arrives; default: 50. */
  readonly orderMs?: number | undefined
  /** Milliseconds until its answer arrives; default: 0. */
  readonly responseMs?: number | undefined
  /** Milliseconds until market data arrives; default: 0. */
  readonly feedMs?: number | undefined
}

/** Limits of the risk stage between an intent and its order, each off unless it is set; a refusal is an outcome by `risk`. */
export interface RiskOptions {
  /** Largest notional of an order: a decimal string in the quote asset of its market, or `off`; default: off. */
  readonly maxOrder?: string | undefined
  /** Largest worth of what is held of a base asset and could be bought by open orders: a decimal string in the quote asset; default: off. */
  readonly maxPosition?: string | undefined
  /** How far a limit order may buy above, or sell below, the last trade: a decimal string; default: off. */
  readonly collarPercent?: string | undefined
  /** Most orders within 60 seconds: 1 to 1000000; default: off. */
  readonly ordersPerMinute?: number | 'off' | undefined
  /** Loss since the start of the UTC day from which on the session only reduces: a decimal string in the quote asset; default: off. */
  readonly dayLoss?: string | undefined
  /** Fall from the highest equity from which on the session only reduces: a decimal string; default: off. */
  readonly drawdownPercent?: string | undefined
  /** What dayLoss and drawdownPercent do: reduce, or also sell the position of the session; default: reduce. */
  readonly atLimit?: 'reduce' | 'flatten' | undefined
}

/** Progress of a run. */
export interface BacktestProgress {
  /** Count of recorded trades that were played. */
  readonly rows: number
  /** Virtual Unix milliseconds that were reached. */
  readonly time: number
  /** Virtual Unix milliseconds at which the run begins. */
  readonly from: number
  /** Virtual Unix milliseconds at which it ends. */
  readonly to: number
}

/** @typeParam Schema  of the parameters of the strategy */
export interface BacktestOptions<Schema extends z.ZodObject = z.ZodObject> {
  /** As `defineStrategy` gives it, the name of a ready one, or the path of a file with one. */
  readonly strategy: Strategy<Schema> | string
  /** Values for the strategy's schema; a `symbol` that is not given is that of the first tape. */
  readonly params?: Readonly<Partial<z.input<Schema>>> | undefined
  /** The same as texts, such as a command line has them; these win. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Recorded markets by symbol, or a list of files that say theirs; several are merged by time, ties in this order. Only with `books` there may be none. */
  readonly tapes?: Readonly<Record<string, TapesOfMarket>> | readonly (string | TapeOptions)[] | undefined
  /** Recorded books and quotes by symbol, or a list that says theirs, to stand beside the trades of these markets; default: none. */
  readonly books?: Readonly<Record<string, BooksOfMarket>> | readonly BookOptions[] | undefined
  /** Balances with which the account begins: decimal strings by asset; default: 10000 of the first tape's quote asset. */
  readonly credits?: Readonly<Record<string, string>> | undefined
  /** Fees of the markets in basis points; default: none. */
  readonly fees?: FeeOptions | undefined
  /** Name of a model, path of a file with one, what makes one, or more about it; default: `tape`. */
  readonly liquidity?: string | LiquidityFactory | LiquidityOptions | undefined
  /** Outlier filter of recorded prints: `auto` applies to prints without a side, `off` to none; default: `auto`. */
  readonly printFilter?: 'auto' | 'off' | undefined
  /** Former name of `printFilter`; its `all` is `off`. */
  readonly believe?: 'auto' | 'all' | undefined
  /** Milliseconds that orders, answers and market data travel; default: 50 ms for an order. */
  readonly latency?: LatencyOptions | undefined
  /** Fate of an order over the rate limit: it is refused, the default, or it waits. */
  readonly onLimit?: 'refuse' | 'wait' | undefined
  /** Computed quantities and limit prices with too many digits: rounded to the lot and tick, the default, or the order is refused. */
  readonly rounding?: 'round' | 'refuse' | undefined
  /** Requests a window, by kind; false for no limits; default: those of the service. */
  readonly limits?: boolean | RateLimits | undefined
  /** Limits of the risk; default: none. */
  readonly risk?: RiskOptions | undefined
  /** ISO 8601 or Unix milliseconds from which on the tapes are played; default: their beginning. */
  readonly from?: string | number | undefined
  /** ISO 8601 or Unix milliseconds up to which the tapes are played, exclusive; default: their end. */
  readonly to?: string | number | undefined
  /** What is shown of before `from` without sending anything, such as `'30d'` or `'12h'`; default: what the strategy's `warmup` asks for. */
  readonly warmup?: string | undefined
  /** Period of the returns of the statistics: a name from `1m` to `1d`; default: `1d`. */
  readonly statsPeriod?: StatsPeriod | undefined
  /** Number of periods with trades in a year, such as 252 days of shares: 0.001 to 1000000; default: measured. */
  readonly periodsPerYear?: number | undefined
  /** Risk-free rate of a year as a fraction: -1 to 10; default: 0. */
  readonly riskFreeRate?: number | undefined
  /** Seed of everything random: a 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** True to run again under the models that bound its fills, such as `through` and `touch`, when a resting order filled; default: true. */
  readonly bounds?: boolean | undefined
  /** Directory for run.json, orders.csv, fills.csv, trades.csv, equity.csv, journal.jsonl, and plots.csv and notes.csv if there are any; default: no files. */
  readonly out?: string | undefined
  /** Store in which the run is kept, beside or without `out`; default: none. */
  readonly db?: KeepOptions | undefined
  /** True to replace a backtest that stands there; default: false. Anything else is never replaced. */
  readonly force?: boolean | undefined
  /** True to keep `orders`, `fills`, `trips`, `plots` and `notes` of the result; default: true. False for runs of millions of them, with `out`. */
  readonly keepRows?: boolean | undefined
  /** Ends it early, within a block of a tape. */
  readonly signal?: AbortSignal | undefined
  /** Called often while a tape is read for the first time, before the run: the count of bytes that were read, and of all in that file. */
  readonly onReading?: ((file: string, bytesRead: number, bytesTotal: number) => void) | undefined
  /** Called often, in the middle of the run. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined
  /** Hears what the strategy says with `log`: virtual Unix milliseconds, and the line. */
  readonly onLog?: ((time: number, message: string) => void) | undefined
}
