/**
 * A store in which a run is kept, as a program asks for it, and what became of it.
 */

/** A store in which the run is kept. */
export interface KeepOptions {
  /** Path of the store, such as `papertape.db`; it is made where there is none. */
  readonly file: string
  /** Unix milliseconds by which the run is listed, asked for when it has ended. */
  readonly now: () => number
  /** Called when another process writes into the store, before it is waited for up to 10 seconds. */
  readonly onBusy?: (() => void) | undefined
  /** False to leave the run out of the ledger of trials; default: true. */
  readonly isCounted?: boolean | undefined
}

/** Where a finished run was kept. */
export interface KeptAs {
  /** Lower-case hex digest of all files of the run; its first digits name it. */
  readonly id: string
  /** Path of the store. */
  readonly file: string
  /** Names of files that are too large for a store, and were left out. */
  readonly left: readonly string[]
  /** Count of different trials of its strategy on its tapes that are in the ledger, itself among them; null when it is left out of it, or was not kept. */
  readonly trials: number | null
  /** Why it is not in the store; null when it is. */
  readonly fault: string | null
  /** Directory that has the files of a run which is not in the store; null when it is, or could not be written either. */
  readonly directory: string | null
}
