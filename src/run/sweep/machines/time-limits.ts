/**
 * Time limits for work that may never end, because an unreachable Redis does not answer.
 *
 * Invariant: the work itself continues; its later outcome is ignored.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AbortError } from '../../../domain/errors.ts'

/** How long the end waits for a Redis that may be away. */
export const END_MS = 3_000

/** Continues after the time limit, or after a failure. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const late = pause(ms, undefined, { signal: timer.signal })
  await Promise.race([work, late].map((each) => each.catch(() => undefined)))
  timer.abort()
}

/** @throws {AbortError} as soon as `signal` says so */
export async function withAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => {
      reject(new AbortError('the sweep was ended'))
    }
    signal?.addEventListener('abort', stop, { signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}
