/** Options for saving a run in a database, and the result. */

/** Database to save a run in. */
export interface SaveOptions {
  /** Path of the database, such as `papertape.db`; created if missing. */
  readonly file: string
  /** Returns the Unix milliseconds under which the run is listed; called when the run has ended. */
  readonly now: () => number
  /** Called if another process is writing to the database, before waiting up to 10 seconds. */
  readonly onBusy?: (() => void) | undefined
  /** Set it to false not to count the run as a trial; default: true. */
  readonly isCounted?: boolean | undefined
}

/** Location of a saved run. */
export interface SavedRun {
  /** Lower-case hex digest of all files of the run; its first digits identify it. */
  readonly id: string
  /** Path of the database. */
  readonly file: string
  /** Names of files that were not saved because they are too large for a database. */
  readonly left: readonly string[]
  /**
   * Count of different trials of this strategy on these tapes in the database, this one included; null if the run is
   * not counted or was not saved.
   */
  readonly trials: number | null
  /** Why the run is not in the database; null if it is. */
  readonly fault: string | null
  /**
   * Directory with the files of a run that could not be saved in the database; null if it was saved, or if the files
   * could not be written either.
   */
  readonly directory: string | null
}

/** Former name of `SaveOptions`. */
export type KeepOptions = SaveOptions

/** Former name of `SavedRun`. */
export type KeptAs = SavedRun
