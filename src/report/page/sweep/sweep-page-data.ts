/**
 * The content of a sweep page: the JSON that its script receives.
 *
 * Invariant: columns have one entry per point, in grid order, and numbers are those of `sweep.csv`, unrounded. The
 * figures of the verdict are strings made here. Known limit: only the statistics used to judge a sweep are here;
 * `sweep.csv` has all of them.
 */
import type { Line, PageFigure, PageVerdict } from '../page-data.ts'

export interface SweepPageData {
  /** Document title: strategy and markets. */
  readonly title: string
  readonly verdict: PageVerdict
  /** Sentences: how much was swept, and what was omitted. */
  readonly facts: readonly string[]
  /** Number of points. */
  readonly points: number
  readonly params: readonly SweptParam[]
  /** Objectives first, in their order. */
  readonly figures: readonly SweptFigure[]
  /** Number of objectives among the figures; at least 1. */
  readonly objectives: number
  /** Points that failed, each with its error message. */
  readonly errors: readonly PointError[]
  /** Indices of points that have every objective, best first; limited to the points with a curve. */
  readonly ranking: readonly number[]
  /** Pareto front: points that no other point beats in every objective. With one objective, only the best. */
  readonly front: readonly number[]
  /** Null if there is no best, or no numeric axis. */
  readonly neighbours: PageNeighbours | null
  readonly curves: readonly PageCurve[]
  readonly nullTapes: PageNullTapes | null
  readonly walkForward: PageWalkForward | null
  readonly crossValidation: PageCrossValidation | null
  readonly monteCarlo: PageMonteCarlo | null
  /** The whole `sweep.json`. */
  readonly report: unknown
}

export interface SweptParam {
  readonly name: string
  /** Values as texts: numbers ascending, others in the order given. */
  readonly values: readonly string[]
  /** True if all values are numbers, so that neighbours are defined. */
  readonly isNumeric: boolean
  /** Index of each point's value. */
  readonly column: readonly number[]
}

/** One number per point. */
export interface SweptFigure {
  /** Column name in `sweep.csv`. */
  readonly name: string
  readonly label: string
  /** One sentence; empty if there is no definition. */
  readonly definition: string
  /** A share is shown as a percentage, milliseconds as a duration. */
  readonly form: 'share' | 'ratio' | 'count' | 'milliseconds'
  readonly better: 'higher' | 'lower'
  readonly column: readonly (number | null)[]
}

export interface PointError {
  readonly point: number
  readonly text: string
}

/** Neighbourhood of the best point by the first objective. */
export interface PageNeighbours {
  /** Sentences: plateau, slope or isolated peak, and what it means; or that there are too few neighbours. */
  readonly text: string
  /** Null if there are too few neighbours. */
  readonly shape: 'plateau' | 'slope' | 'needle' | null
  /** Parameters for which the best is at an end of the range. */
  readonly edges: readonly string[]
  /** Indices of the points one step away on one axis. */
  readonly points: readonly number[]
}

/** Null hypothesis test: the same sweep on shuffled tapes, by the first objective. */
export interface PageNullTapes {
  /** Sentences: how many null tapes have an equally good best, and the resulting p-value. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** Best value on each null tape that has one, ascending. */
  readonly bests: readonly number[]
  /** Best value on the recorded tape; null if there is none. */
  readonly recorded: number | null
}

/** Equity over time relative to the initial equity. */
export interface PageCurve {
  /** Index of the point. */
  readonly point: number
  readonly line: Line
}

export interface PageWalkForward {
  readonly figures: readonly PageFigure[]
  readonly windows: readonly PageWindow[]
  /** Concatenated equity of all test windows, relative to its start. */
  readonly equity: Line
}

/** Unix milliseconds, half open. */
export interface PageWindow {
  readonly trainFrom: number
  readonly trainTo: number
  readonly testFrom: number
  readonly testTo: number
  /** Parameter values in the order of the page; null if no point was chosen. */
  readonly params: readonly string[] | null
  /** First objective of the chosen point in training, and in the test window. */
  readonly inSample: number | null
  readonly outOfSample: number | null
}

/** Combinatorial cross-validation: paths through the held-out parts of the tape. */
export interface PageCrossValidation {
  /** Sentences: how many of the paths lose money. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** Ascending Sharpe ratio; paths with constant returns, which have no ratio, first. */
  readonly paths: readonly PagePath[]
  readonly medianSharpe: number | null
  /** In-sample Sharpe ratio of the best on the whole tape. */
  readonly chosenSharpe: number | null
  /** Points chosen most often, with their number of folds. */
  readonly choices: readonly PageChoice[]
}

export interface PagePath {
  readonly sharpe: number | null
  readonly return: number
}

export interface PageChoice {
  /** Parameter values in the order of the page. */
  readonly params: readonly string[]
  readonly folds: number
}

/** Bootstrap of the best: round trips and periods, resampled. */
export interface PageMonteCarlo {
  /** Sentences that sum up the rounds. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** Spreads grouped by unit; empty if there was too little to resample. */
  readonly groups: readonly PageSpreads[]
}

export interface PageSpreads {
  /** Resampled items and unit. */
  readonly title: string
  readonly form: SweptFigure['form']
  readonly spreads: readonly PageSpread[]
}

/** Distribution of one figure over the rounds. */
export interface PageSpread {
  readonly label: string
  /** One sentence. */
  readonly definition: string
  /** Quantiles 5, 25, 50, 75 and 95 %. */
  readonly quantiles: readonly number[]
  /** Value of the run itself; null if unknown. */
  readonly actual: number | null
}
