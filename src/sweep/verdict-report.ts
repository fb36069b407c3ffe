/** The verdict on the best of a sweep in `sweep.json`: its figures, and sentences that explain them. */
import type { OverfittingStatistics } from './selection/overfitting.ts'
import type { SelectionStatistics } from './selection/selection-statistics.ts'

/** Deflated Sharpe ratio that the best needs. */
export const MIN_DEFLATED_SHARPE = 0.95

/** From this probability of overfitting on, picking the best is no better than picking at random. */
export const MAX_OVERFITTING = 0.5

/** Trials of the strategy on these tapes. */
export interface CountedTrials {
  /** `database` if one counts trials; `left out` if the sweep is not counted there; `sweep` without a database. */
  readonly source: 'database' | 'left out' | 'sweep'
  /** Annualized Sharpe ratio of each trial, or null. */
  readonly sharpes: readonly (number | null)[]
}

/** Neighbours of the best, by the first objective. */
export interface BestNeighbours {
  /** Count of points one step away in one parameter. */
  readonly count: number
  /** Share of its lead over the median that the best loses one step away; null if unknown. */
  readonly drop: number | null
  /** A plateau loses little of its lead one step away, a needle (isolated peak) most of it; null if unknown. */
  readonly shape: 'plateau' | 'slope' | 'needle' | null
  /** Parameters for which the best is at the edge of the range, if more than one value was tried. */
  readonly edges: readonly string[]
}

/** Plain JSON. */
export interface SweepVerdict extends SelectionStatistics, OverfittingStatistics {
  /** Sentences, the most important first. */
  readonly text: readonly string[]
  /**
   * The weakest of the tests. `likely real`: the deflated Sharpe ratio is at least 0.95, the probability of overfitting
   * below 0.5, and every requested test passed; `not shown`: one of them failed; `unknown`: one has no result.
   */
  readonly finding: 'likely real' | 'not shown' | 'unknown'
  /**
   * Annualized Sharpe ratio of the best; null if undefined.
   *
   * @unit ratio
   */
  readonly sharpe: number | null
  /**
   * Mean correlation of the returns of all pairs of points; null for fewer than two that varied.
   *
   * @unit ratio in [-1, 1]
   */
  readonly correlation: number | null
  /** The source of the count of trials. */
  readonly trialsFrom: CountedTrials['source']
  /** Null if no parameter has neighbouring values, or there is no best. */
  readonly neighbours: BestNeighbours | null
  /**
   * Probability, as a share, that the same sweep does as well on shuffled tapes; null without them.
   *
   * @unit share
   */
  readonly pValue: number | null
  /** Count of shuffled tapes. */
  readonly nullTapes: number
}
