/**
 * Runs of this thread that are being written: their partial files are removed when the process exits.
 *
 * Known limit: a kill, or an unhandled signal, ends the process without cleanup.
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

/** Place where a run is being written. */
export interface WrittenPlace {
  /** Absolute path of its directory. */
  readonly target: string
  /** Absolute paths of directories created for it, the innermost last. */
  readonly made: readonly string[]
  /** Number of the writing thread. */
  readonly thread: number
}

let report: (place: WrittenPlace) => void = () => undefined

/** Registers a listener for places before they are written, for a caller that may terminate the thread. */
export function onWrittenPlace(listener: (place: WrittenPlace) => void): void {
  report = listener
}

export function reportWrittenPlace(place: WrittenPlace): void {
  report(place)
}

/** Cleanup for callers that end the process without its event `exit`. */
export function discardPendingRuns(): void {
  for (const run of [...pending]) run.discard()
}
