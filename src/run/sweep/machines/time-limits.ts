/**
 * Waiting for work that may never end, because a Redis that is away answers nothing.
 *
 * Invariant: the work goes on; nobody hears of how it ends after the waiting is over.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AbortError } from '../../../domain/errors.ts'

/** How long the end waits for a Redis that may be away. */
export const END_MS = 3_000

/** Goes on without it where it takes longer, or fails. */
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
