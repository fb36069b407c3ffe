/**
 * Waiting for a condition, with patience: a slow machine is no failure.
 */
import { setTimeout } from 'node:timers/promises'

const PATIENCE_MS = 120_000
const LOOK_AGAIN_MS = 25
const REPEAT_MS = 500

export const pause = (ms: number): Promise<void> => setTimeout(ms)

/**
 * Resolves with the first value that is neither undefined nor false.
 *
 * @param what  for the error: what was waited for, and how things stand
 * @throws {Error} after two minutes
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  what: () => string,
  patienceMs = PATIENCE_MS,
): Promise<Exclude<Value, undefined | false>> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const value = await look()
    if (value !== undefined && value !== false) return value as Exclude<Value, undefined | false>
    if (performance.now() > deadline) throw new Error(`not within ${patienceMs / 1000} s: ${what()}`)
    await setTimeout(LOOK_AGAIN_MS)
  }
}

/** Repeats an action each half second until the promise is settled, and resolves as it does. */
export async function repeating<Value>(action: () => Promise<unknown>, until: Promise<Value>): Promise<Value> {
  const settled = new AbortController()
  const done = until.finally(() => settled.abort())
  while (!settled.signal.aborted) {
    await action()
    await Promise.race([done, setTimeout(REPEAT_MS)])
  }
  return done
}
