/** Waits for the end of a command that runs until Ctrl-C. */
import { removeUnfinished } from '../store/unfinished.ts'
import { io } from './cli-io.ts'

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface SignalListener {
  readonly first: (signal: NodeJS.Signals) => void
  /** The process ends when it returns. */
  readonly second?: () => void
}

/**
 * Calls `first` for the first signal that asks the process to end; the second ends it as it would have without us.
 *
 * @returns what stops listening
 */
export function onEndSignals({ first, second }: SignalListener): () => void {
  let isEnding = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!isEnding) {
      isEnding = true
      first(signal)
      return
    }
    // A closed terminal sends one, its shell another, and systemd one after its SIGTERM: none asks to quit immediately.
    if (signal === 'SIGHUP') return
    forget()
    second?.()
    io.life.raise(signal)
  }
  const forget = (): void => {
    for (const signal of END_SIGNALS) io.life.offSignal(signal, onSignal)
  }
  for (const signal of END_SIGNALS) io.life.onSignal(signal, onSignal)
  return forget
}

/** Lets each signal that asks the process to end remove unfinished files first. */
export function endWithoutUnfinished(): void {
  const forget = onEndSignals({
    first: (signal) => {
      removeUnfinished()
      forget()
      io.life.raise(signal)
    },
  })
}

/** Aborted by the first signal that asks the process to end; the second ends it as it would have without us. */
export function untilSignalled(): AbortSignal {
  const controller = new AbortController()
  onEndSignals({
    first: () => {
      controller.abort()
    },
  })
  return controller.signal
}
