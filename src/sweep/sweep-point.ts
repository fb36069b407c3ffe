/**
 * A point of a sweep: one run of its strategy, as plain JSON, so that it can be asked of another thread or another
 * machine.
 *
 * Invariant: what is not here, strategy, tapes and settings, is the same for all points of a sweep.
 */

/** One run: values of the parameters that the sweep varies, and what else sets it apart. */
export interface SweepRun {
  /** By name, as a command line has them: `--param fast=5` is `{ fast: '5' }`. The strategy's schema reads them. */
  readonly params: Readonly<Record<string, string>>
  /** Default: the tapes as they are, from the beginning to the end of the settings. */
  readonly terms?: PointTerms | undefined
}

export interface PointTerms {
  /**
   * In the place of `from` and `to` of the settings: Unix milliseconds, `from` inclusive, `to` exclusive; null for the
   * tape's own.
   */
  readonly window?: PointWindow | undefined
  /** The tapes with their returns in another order; default: as they were recorded. */
  readonly shuffle?: PointShuffle | undefined
  /** Round trips and the curve of the equity belong to the outcome; default: false. */
  readonly isDetailed?: boolean | undefined
}

export interface PointWindow {
  readonly from: number | null
  readonly to: number | null
}

/** A tape put together anew from blocks of its returns, drawn with replacement. */
export interface PointShuffle {
  /** A 32-bit integer; the same gives the same tape. */
  readonly seed: number
  /** Rows in a block; default: the cube root of the count of rows, rounded up. */
  readonly blockRows?: number | undefined
}

/** A run under the key by which its outcome is known. */
export interface SweepPoint extends SweepRun {
  /** Lower-case hex SHA-256: see `pointKey`. */
  readonly key: string
}
