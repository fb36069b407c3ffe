/**
 * Runs of this thread whose files are being written: at the end of the process, however early, nothing of them is left.
 *
 * Known limit: a kill, or a signal that nobody handles, ends the process without a word to us.
 */
export interface PendingRun {
  discard(): void
}

const pending = new Set<PendingRun>()

export function addPendingRun(run: PendingRun): void {
  if (pending.size === 0) process.on('exit', discardPendingRuns)
  pending.add(run)
}

export function removePendingRun(run: PendingRun): void {
  pending.delete(run)
  if (pending.size === 0) process.off('exit', discardPendingRuns)
}

/** Where a run is about to be written. */
export interface WrittenPlace {
  /** Absolute path of its directory. */
  readonly target: string
  /** Absolute paths of directories that were made for it, the innermost last. */
  readonly made: readonly string[]
  /** Number of the thread that writes there. */
  readonly thread: number
}

let tell: (place: WrittenPlace) => void = () => undefined

/** For whoever may have to end the thread without a word to it: hears of a place before anything is put there. */
export function onWrittenPlace(listener: (place: WrittenPlace) => void): void {
  tell = listener
}

export function tellWrittenPlace(place: WrittenPlace): void {
  tell(place)
}

/** For whoever ends the process without its event `exit`. */
export function discardPendingRuns(): void {
  for (const run of [...pending]) run.discard()
}
