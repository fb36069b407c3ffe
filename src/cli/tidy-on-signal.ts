/**
 * Signals that ask a command to end which writes a run: its files are taken away, and the process ends as it would have without us.
 */
import { discardPendingRuns } from '../store/runs/pending-runs.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does something that may write a run. */
export async function tidyOnSignal<T>(action: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => {
    stopListening()
    try {
      discardPendingRuns()
    } finally {
      process.kill(process.pid, signal)
    }
  }
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await action()
  } finally {
    stopListening()
  }
}
