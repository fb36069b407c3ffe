/**
 * A point of a sweep: one run of its strategy, as plain JSON, so that another thread or machine can run it.
 *
 * Invariant: everything else, such as strategy, tapes and settings, is common to all points of a sweep.
 */

/** One run: values of the swept parameters, and other differences from the other runs. */
export interface SweepRun {
  /**
   * Values by parameter name, as on a command line: `--param fast=5` is `{ fast: '5' }`. The strategy's schema parses
   * them.
   */
  readonly params: Readonly<Record<string, string>>
  /** Default: the recorded tapes, from the beginning to the end of the settings. */
  readonly terms?: PointTerms | undefined
}

export interface PointTerms {
  /**
   * Replaces `from` and `to` of the settings: Unix milliseconds, `from` inclusive, `to` exclusive; null for the tape's
   * own.
   */
  readonly window?: PointWindow | undefined
  /** Shuffles the tapes' returns; default: tapes as recorded. */
  readonly shuffle?: PointShuffle | undefined
  /** Includes round trips and the equity curve in the outcome; default: false. */
  readonly isDetailed?: boolean | undefined
}

export interface PointWindow {
  readonly from: number | null
  readonly to: number | null
}

/** A tape built from blocks of its returns: drawn with replacement (block bootstrap), or permuted. */
export interface PointShuffle {
  /** A 32-bit integer; the same seed gives the same tape. */
  readonly seed: number
  /** Rows in a block; default: the cube root of the number of rows, rounded up. */
  readonly blockRows?: number | undefined
  /** Puts each block in another place instead of drawing with replacement; default: false. */
  readonly isPermuted?: boolean | undefined
}

/** A run with the key that identifies its outcome. */
export interface SweepPoint extends SweepRun {
  /** Lower-case hex SHA-256: see `pointKey`. */
  readonly key: string
}
