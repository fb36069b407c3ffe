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

/** For whoever ends the process without its event `exit`. */
export function discardPendingRuns(): void {
  for (const run of [...pending]) run.discard()
}
