/**
 * The content of the page of a sweep: what its script is given as JSON, and all that it may show.
 *
 * Invariant: columns have one entry a point, in the order of the grid, and numbers are those of `sweep.csv`, whole. The
 * verdict's figures are texts that were made here. Known limit: of the statistics only those are here that a sweep is
 * looked at by; `sweep.csv` has them all.
 */
import type { Line, PageFigure, PageVerdict } from '../page-data.ts'

export interface SweepPageData {
  /** In the head of the document: strategy and markets. */
  readonly title: string
  readonly verdict: PageVerdict
  /** In sentences: how much was swept, and what was left out. */
  readonly facts: readonly string[]
  /** Count of points. */
  readonly points: number
  readonly params: readonly SweptParam[]
  /** The objectives first, in their order. */
  readonly figures: readonly SweptFigure[]
  /** How many of the figures are objectives; at least 1. */
  readonly objectives: number
  /** Points that ended with an error, and its line. */
  readonly errors: readonly PointError[]
  /** Indices of points that have every objective, the best first; at most as many as have a curve. */
  readonly ranking: readonly number[]
  /** Points that none other beats in every objective; the best alone of one objective. */
  readonly front: readonly number[]
  /** Null where there is no best, or no axis with steps. */
  readonly neighbours: PageNeighbours | null
  readonly curves: readonly PageCurve[]
  readonly nullTapes: PageNullTapes | null
  readonly walkForward: PageWalkForward | null
  readonly crossValidation: PageCrossValidation | null
  readonly monteCarlo: PageMonteCarlo | null
  /** `sweep.json`, whole. */
  readonly report: unknown
}

export interface SweptParam {
  readonly name: string
  /** What was tried, as texts, in the order in which it was named; numbers rise. */
  readonly values: readonly string[]
  /** All of them are numbers: they have steps. */
  readonly isNumeric: boolean
  /** Index of the value of each point. */
  readonly column: readonly number[]
}

/** A number a point. */
export interface SweptFigure {
  /** Its name in `sweep.csv`. */
  readonly name: string
  /** For people. */
  readonly label: string
  /** In a sentence; empty where there is none. */
  readonly definition: string
  /** A share is shown as a percentage, milliseconds as a length of time. */
  readonly form: 'share' | 'ratio' | 'count' | 'milliseconds'
  readonly better: 'higher' | 'lower'
  readonly column: readonly (number | null)[]
}

export interface PointError {
  readonly point: number
  readonly text: string
}

/** Around the best by the first objective. */
export interface PageNeighbours {
  /** In a sentence: a plateau, a slope or a needle, and what that means; that there are too few to say. */
  readonly text: string
  /** Null where there are too few to say. */
  readonly shape: 'plateau' | 'slope' | 'needle' | null
  /** Names of the parameters at an end of which the best lies. */
  readonly edges: readonly string[]
  /** Indices of points, one step away on one axis. */
  readonly points: readonly number[]
}

/** The same sweep on tapes without anything to find, by the first objective. */
export interface PageNullTapes {
  /** In sentences: how many of their bests are as good, and what p-value that makes. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** Of the best on each tape that has one, rising. */
  readonly bests: readonly number[]
  /** Of the best on the recorded tape; null where there is none. */
  readonly recorded: number | null
}

/** Equity over time as a multiple of the initial one. */
export interface PageCurve {
  /** Index of the point. */
  readonly point: number
  readonly line: Line
}

export interface PageWalkForward {
  readonly figures: readonly PageFigure[]
  readonly windows: readonly PageWindow[]
  /** Of all test windows in one line, as a multiple of the equity at its start. */
  readonly equity: Line
}

/** Unix milliseconds, half open. */
export interface PageWindow {
  readonly trainFrom: number
  readonly trainTo: number
  readonly testFrom: number
  readonly testTo: number
  /** Values of the parameters in the order of the page; null where no point was chosen. */
  readonly params: readonly string[] | null
  /** The first objective of the chosen where it was chosen, and where it traded. */
  readonly inSample: number | null
  readonly outOfSample: number | null
}

/** Paths through the time that nobody has chosen on. */
export interface PageCrossValidation {
  /** In sentences: how many of the paths lose. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** The lowest Sharpe ratio first; a path without one, whose returns do not vary, before all. */
  readonly paths: readonly PagePath[]
  readonly medianSharpe: number | null
  /** Of the best on the whole tape, where it was chosen. */
  readonly chosenSharpe: number | null
  /** The points that were chosen most often, and by how many folds. */
  readonly choices: readonly PageChoice[]
}

export interface PagePath {
  readonly sharpe: number | null
  readonly return: number
}

export interface PageChoice {
  /** Values of the parameters in the order of the page. */
  readonly params: readonly string[]
  readonly folds: number
}

/** The best with its round trips and its periods drawn anew. */
export interface PageMonteCarlo {
  /** In sentences. */
  readonly text: string
  readonly figures: readonly PageFigure[]
  /** Those of one unit together; none where there was too little to draw from. */
  readonly groups: readonly PageSpreads[]
}

export interface PageSpreads {
  /** What was drawn, and the unit. */
  readonly title: string
  readonly form: SweptFigure['form']
  readonly spreads: readonly PageSpread[]
}

/** Of the rounds. */
export interface PageSpread {
  readonly label: string
  /** In a sentence. */
  readonly definition: string
  /** Below which 5, 25, 50, 75 and 95 of a hundred rounds are. */
  readonly quantiles: readonly number[]
  /** Of the run itself; null where it is not known. */
  readonly actual: number | null
}
