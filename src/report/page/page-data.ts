/**
 * The content of a report page: what its script is given as JSON, and all that it may show.
 *
 * Invariant: every number that a reader may quote is a text that was made here from `run.json` or a file of the run;
 * doubles are there to be drawn and to sort by, never to be shown as a figure.
 */
import type { RunReport } from '../run/run-report.ts'

/** One run, or several side by side. */
export interface PageData {
  /** In the head of the document: strategy and market, or the names of the runs. */
  readonly title: string
  /** At least one. The first is what the others are compared with. */
  readonly runs: readonly PageRun[]
}

export interface PageRun {
  /** By which it is told from the others on the page: its directory's name, or the first digits of its id. */
  readonly name: string
  readonly verdict: PageVerdict
  /** In the order of `docs/statistics.md`. */
  readonly figures: readonly FigureGroup[]
  /** The run on one axis of time. */
  readonly account: AccountSeries
  /** One a market that was recorded or traded, in the order of the run's tapes. */
  readonly markets: readonly MarketSeries[]
  /** Return of each month in UTC; empty for a run within one. */
  readonly months: readonly MonthReturn[]
  /**
   * Return by weekday and hour in UTC, of the statistics' periods; empty where a period is longer than an hour: then by
   * weekday alone.
   */
  readonly hours: readonly HourReturn[]
  /** Of each period, oldest first, as a fraction: for the distribution. */
  readonly returns: readonly number[]
  readonly trips: PageTable
  /** Whatever was asked for: accepted orders in their last state, and refused requests with their reason. */
  readonly orders: PageTable
  /** Balances at the end, and position by market. */
  readonly holdings: PageTable
  /** Mean move of the mark after fills, in basis points, by horizon; and the cost figures that go with it. */
  readonly markouts: PageTable
  readonly fees: PageTable
  /** What the strategy noted, and when; no rows where it noted nothing. */
  readonly notes: PageTable
  /** Lines of `papertape why` by order key, of as many orders as the page has room for. */
  readonly stories: Readonly<Record<string, readonly string[]>>
  /** How to hear of the others: the command, with ORDER where the key goes. Null when all stories are here. */
  readonly storyCommand: string | null
  /** The command that repeats the run; null for a session, which nobody can run again. */
  readonly command: string | null
  /** In sentences: what the liquidity model took for granted, and what it does not model. */
  readonly assumptions: readonly string[]
  /** `run.json`, whole: configuration, hashes, tapes. */
  readonly report: RunReport
}

export type Tone = 'good' | 'bad' | 'plain'

export interface PageVerdict {
  /** One sentence: `Made 1.2 % in 30 days; buying and holding made 3.4 %.` */
  readonly headline: string
  readonly tone: Tone
  /**
   * The few figures that decide, each with the name of its definition: return, drawdown, Sharpe with its interval,
   * round trips, buy-and-hold.
   */
  readonly figures: readonly PageFigure[]
  /** Whatever makes it doubtful, the heaviest first; empty where nothing was found. */
  readonly doubts: readonly PageDoubt[]
  /** How it was made, in full sentences. */
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
  /** Its name in `run.json`, such as `statistics.sharpe`. */
  readonly path: string
  /** For people. */
  readonly label: string
  /** As it is shown; an en dash where it is null. */
  readonly text: string
  /** The same exactly, as `run.json` has it, for the hover; equal to `text` where nothing was shortened. */
  readonly exact: string
  readonly tone: Tone
  /** Its definition in a sentence; empty where there is none. */
  readonly definition: string
}

/** A line; `times` in Unix milliseconds, rising; one value a time, null where it is not known. */
export interface Line {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
}

export interface AccountSeries {
  readonly quoteAsset: string
  /** Thinned so that no peak and no trough is lost. */
  readonly equity: Line
  /** Fraction of the peak so far, 0 or less, at the times of `equity`. */
  readonly drawdown: Line
  /** Empty where it is not known. */
  readonly buyAndHold: Line
}

export interface MarketSeries {
  readonly symbol: string
  readonly pricePrecision: number
  /** Null where the run kept none. */
  readonly candles: CandleColumns | null
  /** All of them; the position of every moment follows from them. */
  readonly fills: FillColumns
  /** How long orders rested, and where; only some of very many, and then `isThinned` is true. */
  readonly rests: readonly RestBand[]
  readonly isThinned: boolean
  /** What the strategy plotted in this market, or in none. */
  readonly plots: readonly PlotLine[]
}

/** Columns of one length, oldest first; those without trades are left out. */
export interface CandleColumns {
  readonly intervalMs: number
  /** Length of a candle where it is not that of a bar, such as of a month. */
  readonly lengthMs?: number
  /** Unix milliseconds of the open. */
  readonly times: readonly number[]
  readonly open: readonly number[]
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
  readonly volume: readonly number[]
}

/** Fills of a market, oldest first, as columns: one entry of each is a fill. */
export interface FillColumns {
  /** Unix milliseconds. */
  readonly times: readonly number[]
  readonly sides: readonly ('BUY' | 'SELL')[]
  /** Decimals, exact. */
  readonly prices: readonly string[]
  readonly qtys: readonly string[]
  /** Keys by which the orders are found in the table and among the stories. */
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
  /** True for what belongs beside the prices; a pane of its own otherwise. */
  readonly isPrice: boolean
  readonly line: Line
}

export interface MonthReturn {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** Fraction, to colour by. */
  readonly value: number
  readonly text: string
}

export interface HourReturn {
  /** 0 for Monday to 6. */
  readonly weekday: number
  /** 0 to 23; null where only the weekday is known. */
  readonly hour: number | null
  /** Mean return of its periods. */
  readonly value: number
  readonly text: string
  /** How many periods it is the mean of. */
  readonly count: number
}

/** Rows of a table in which each cell is a text, or a text and the number to sort and draw by. */
export interface PageTable {
  readonly columns: readonly PageColumn[]
  readonly rows: readonly PageRow[]
}

export interface PageColumn {
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'time'
  /** Of what the column says; empty where the label does. */
  readonly definition: string
}

export interface PageRow {
  /** One a column: what is shown. Times are Unix milliseconds as text. */
  readonly cells: readonly string[]
  /** To sort by where the column is of numbers or times: null where there is none. */
  readonly order: readonly (number | null)[]
  /** Jumps to this moment of this market on a click. */
  readonly at?: { readonly symbol: string; readonly from: number; readonly to: number }
  /** Key of the story that opens on a click. */
  readonly story?: string
  readonly tone: Tone
}
