/**
 * The verdict on the best of a sweep, as `sweep.json` has it: its figures, and the sentences that say them.
 */
import type { OverfittingStatistics } from '../../analysis/selection/overfitting.ts'
import type { SelectionStatistics } from '../../analysis/selection/selection-statistics.ts'

/** Trials of the strategy on these tapes. */
export interface CountedTrials {
  /** `ledger` of a store; `left out` where the sweep was not to be counted; `sweep` where there is no store. */
  readonly source: 'ledger' | 'left out' | 'sweep'
  /** Annualized Sharpe ratio of each; null for one without. */
  readonly sharpes: readonly (number | null)[]
}

/** Around the best, by the first objective. */
export interface BestNeighbours {
  /** Count of points one step away on one axis. */
  readonly count: number
  /** Share of its lead over the middle of all points that the best loses one step away; null where too little is known. */
  readonly drop: number | null
  /** A plateau loses little of it one step away, a needle nearly all; null where too little is known. */
  readonly shape: 'plateau' | 'slope' | 'needle' | null
  /** Parameters at whose end the best lies, though more than one value was tried. */
  readonly edges: readonly string[]
}

/** Plain JSON. */
export interface SweepVerdict extends SelectionStatistics, OverfittingStatistics {
  /** In sentences, the most important first. */
  readonly text: readonly string[]
  /**
   * `likely real`: its deflated Sharpe ratio is 0.95 or more, and less than half of the halves overfit; `not shown`: one of the two is not so;
   * `unknown`: one of the two is null.
   */
  readonly finding: 'likely real' | 'not shown' | 'unknown'
  /**
   * Annualized Sharpe ratio of the best; null where it is undefined.
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
  /** Null where the sweep has no axis to step on, or no best. */
  readonly neighbours: BestNeighbours | null
  /**
   * Probability, as a share, that the same sweep finds as much on tapes without anything to find; null where none were tried.
   *
   * @unit share
   */
  readonly pValue: number | null
  /** Count of tapes that were shuffled for it. */
  readonly nullTapes: number
}
