/**
 * The content of a report page: the JSON that its script receives.
 *
 * Invariant: every number that a reader may quote is a string made here from `run.json` or another file of the run;
 * doubles are used only for drawing and sorting.
 */
import type { RunReport } from '../run/run-report.ts'

/** One run, or several to compare. */
export interface PageData {
  /** Document title: strategy and market, or the names of the runs. */
  readonly title: string
  /** At least one. The others are compared with the first. */
  readonly runs: readonly PageRun[]
  /** The others compared with the first; without rows for one run. */
  readonly pairs: PageTable
}

export interface PageRun {
  /** Unique on the page: the name of the run's directory, or the first digits of its id. */
  readonly name: string
  readonly verdict: PageVerdict
  /** Figures in the order of `docs/statistics.md`. */
  readonly figures: readonly FigureGroup[]
  /** Equity, drawdown and buy-and-hold on one time axis. */
  readonly account: AccountSeries
  /** One entry per market that was recorded or traded, in the order of the tapes. */
  readonly markets: readonly MarketSeries[]
  /** Null for a run that is too short. */
  readonly rolling: RollingSeries | null
  /** The worst drawdowns, deepest first. */
  readonly drawdowns: PageTable
  /** Strategies of a portfolio; without rows for a run of one. */
  readonly strategies: PageTable
  /** Profit of the round trips by market, side, tag, weekday and hour. */
  readonly tripGroups: TripGroups
  /** Monthly returns in UTC; empty if the run is within one month. */
  readonly months: readonly MonthReturn[]
  /** Yearly returns in UTC; empty with `months`. */
  readonly years: readonly YearReturn[]
  /**
   * Returns by weekday and hour in UTC, from the periods of the statistics. Empty if periods are longer than a day; by
   * weekday only if they are longer than an hour.
   */
  readonly hours: readonly HourReturn[]
  /** Returns of the periods as fractions, oldest first: for the distribution. */
  readonly returns: readonly number[]
  readonly trips: PageTable
  /** All requested orders: accepted ones in their last state, refused ones with the reason. */
  readonly orders: PageTable
  /** Final balances, and the position in each market. */
  readonly holdings: PageTable
  /** Mean mark-out after fills in basis points, by horizon, with the related costs. */
  readonly markouts: PageTable
  readonly fees: PageTable
  /** Notes of the strategy with their times. */
  readonly notes: PageTable
  /** Output lines of `papertape why` by order key, for as many orders as fit on the page. */
  readonly explanations: Readonly<Record<string, readonly string[]>>
  /**
   * Command that explains any other order, with ORDER as placeholder for its key. Null if all explanations are here.
   */
  readonly explainCommand: string | null
  /** Command that repeats the run; null for a session, which cannot be repeated. */
  readonly command: string | null
  /** Sentences: the assumptions of the liquidity model, and what it does not model. */
  readonly assumptions: readonly string[]
  /** The whole `run.json`, with files as they were given instead of absolute paths. */
  readonly report: RunReport
}

export type Tone = 'good' | 'bad' | 'plain'

export interface PageVerdict {
  /** One sentence: `Made 1.2 % in 30 days; buying and holding made 3.4 %.` */
  readonly headline: string
  readonly tone: Tone
  /** Key figures with their definitions: return, drawdown, Sharpe with its interval, round trips, buy-and-hold. */
  readonly figures: readonly PageFigure[]
  /** Reasons to doubt the result, most important first. */
  readonly doubts: readonly PageDoubt[]
  /** How the run was made, in full sentences. */
  readonly notes: readonly string[]
}

export interface PageDoubt {
  /** `fees are 0` */
  readonly text: string
  /** Why that matters, in one sentence. */
  readonly why: string
}

export interface FigureGroup {
  readonly title: string
  readonly figures: readonly PageFigure[]
}

export interface PageFigure {
  /** Path in `run.json`, such as `statistics.sharpe`. */
  readonly path: string
  readonly label: string
  /** Text for people; an en dash for null. */
  readonly text: string
  /** Full value from `run.json`, shown on hover; equal to `text` if nothing was shortened. */
  readonly exact: string
  readonly tone: Tone
  /** One sentence; empty if there is no definition. */
  readonly definition: string
}

/** A time series. `times` are ascending Unix milliseconds; a value is null where it is unknown. */
export interface Line {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
}

export interface AccountSeries {
  readonly quoteAsset: string
  /** Thinned, preserving all peaks and troughs. */
  readonly equity: Line
  /** Drawdown as a fraction of the running peak, 0 or less, at the times of `equity`. */
  readonly drawdown: Line
  /** Name of the benchmark: `buy and hold`, a market held alone, or another run. */
  readonly benchmark: string
  /** Equity at the start, put into the benchmark; empty if unknown. */
  readonly buyAndHold: Line
  /** Cash at the times of `equity`; null if it cannot be known from the fills. */
  readonly cash: Line | null
  /** Share of the equity that is not cash; null with `cash`. */
  readonly exposure: Line | null
  /** From the peak to the recovery of each of the worst drawdowns. */
  readonly falls: readonly { readonly from: number; readonly to: number }[]
}

/** Statistics over a window that moves through the run, each at the end of its window. */
export interface RollingSeries {
  /** Number of periods in a window. */
  readonly periods: number
  readonly sharpe: Line
  readonly volatility: Line
  readonly beta: Line
}

/** Profit of the round trips by one property each. */
export type TripGroups = readonly { readonly name: string; readonly table: PageTable }[]

export interface MarketSeries {
  readonly symbol: string
  readonly pricePrecision: number
  /** Null if the run stored none. */
  readonly candles: CandleColumns | null
  /** All candles if `candles` are folded, in blocks in a detail of the document; null if `candles` are all. */
  readonly detail: CandleDetail | null
  /** Index of the detail of the document with the recorded book; null if none was recorded. */
  readonly depth: number | null
  /** Position before the first fill: a credit in the asset of the market. */
  readonly initialQty: string
  /** All fills; the position at any time follows from them. */
  readonly fills: FillColumns
  /**
   * Time spans during which orders rested, with their prices. Thinned if there are too many; then `isThinned` is true.
   */
  readonly rests: readonly RestBand[]
  readonly isThinned: boolean
  /** Lines that the strategy plotted for this market, or for no market in particular. */
  readonly plots: readonly PlotLine[]
}

/** All candles of a market in blocks, oldest first, each decoded when it is first shown. */
export interface CandleDetail {
  readonly intervalMs: number
  readonly priceDecimals: number
  readonly qtyDecimals: number
  /** Index of the detail of the document; its lines are the blocks. */
  readonly index: number
  /** Open times of the first and the last candle of each block, and its number of candles. */
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly counts: readonly number[]
}

/** Columns of equal length, oldest first; candles without trades are omitted. */
export interface CandleColumns {
  /** The mean length of months, for months. */
  readonly intervalMs: number
  /** Unix milliseconds of the open. */
  readonly times: readonly number[]
  readonly open: readonly number[]
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
  readonly volume: readonly number[]
}

/** Fills of a market as columns of equal length, oldest first. */
export interface FillColumns {
  /** Unix milliseconds. */
  readonly times: readonly number[]
  readonly sides: readonly ('BUY' | 'SELL')[]
  /** Exact decimal strings. */
  readonly prices: readonly string[]
  readonly qtys: readonly string[]
  /** Keys of the orders in the order table and in `explanations`. */
  readonly orders: readonly string[]
}

export interface RestBand {
  readonly from: number
  readonly to: number
  readonly side: 'BUY' | 'SELL'
  readonly price: number
  readonly order: string
}

export interface PlotLine {
  readonly name: string
  /** True for lines drawn over the prices; others get a pane of their own. */
  readonly isPrice: boolean
  readonly line: Line
}

export interface YearReturn {
  readonly year: number
  /** Fraction, for the cell colour. */
  readonly value: number
  readonly text: string
  /** Return of the benchmark over the same periods; null if unknown. */
  readonly benchmark: { readonly value: number; readonly text: string } | null
}

export interface MonthReturn extends YearReturn {
  /** 1 to 12. */
  readonly month: number
}

export interface HourReturn {
  /** 0 for Monday to 6. */
  readonly weekday: number
  /** 0 to 23; null if only the weekday is known. */
  readonly hour: number | null
  /** Mean return of its periods. */
  readonly value: number
  readonly text: string
  /** Number of periods in the mean. */
  readonly count: number
}

/** Table of strings; numeric and time columns have numbers to sort by. */
export interface PageTable {
  readonly columns: readonly PageColumn[]
  readonly rows: readonly PageRow[]
}

export interface PageColumn {
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'time'
  /** One sentence; empty if the label says enough. */
  readonly definition: string
  /** Decimals to show, by the market or the first cell of a row; a cell that is cut has its exact text on hover. */
  readonly decimals?: Readonly<Record<string, number>>
  /** True for durations, of which the two largest units are shown. */
  readonly isDuration?: boolean
}

export interface PageRow {
  /** Text per column. Times are Unix milliseconds as text. */
  readonly cells: readonly string[]
  /** Sort keys of numeric and time columns; null for other columns and missing values. */
  readonly order: readonly (number | null)[]
  /** Market and time span that a click jumps to. */
  readonly at?: { readonly symbol: string; readonly from: number; readonly to: number }
  /** Key of the explanation that a click opens. */
  readonly explanation?: string
  readonly tone: Tone
}
