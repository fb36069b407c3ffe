/**
 * The end of a command that goes on until Ctrl-C.
 */

/** Aborted by the first signal that asks the process to end; the second ends it as it would have without us. */
export function untilSignalled(): AbortSignal {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM'] as const
  const onSignal = (): void => {
    for (const signal of signals) process.off(signal, onSignal)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, onSignal)
  return controller.signal
}
