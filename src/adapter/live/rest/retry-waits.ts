/**
 * Waits between attempts: exponential backoff with full jitter, so that clients that failed together do not come back
 * together.
 */
import type { LiveTime } from '../live-time.ts'

export interface RetryOptions {
  readonly time: LiveTime
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  /** Attempts per request, including the first. */
  readonly attempts: number
}

const FIRST_MS = 250
const MAX_MS = 8_000

export class RetryWaits {
  readonly attempts: number
  readonly #options: RetryOptions
  /** Functions that end each wait immediately. */
  readonly #waiting = new Set<() => void>()

  constructor(options: RetryOptions) {
    this.#options = options
    this.attempts = options.attempts
  }

  /**
   * Resolves when it is time for the next attempt, or when all waits are ended.
   * @param attempt  the one that failed, from 1
   * @param leastMs  minimum wait that the service asked for
   */
  wait(attempt: number, leastMs = 0): Promise<void> {
    const most = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS)
    return this.pause(leastMs + this.#options.random() * most)
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel()
        this.#waiting.delete(end)
        resolve()
      }
      const timer = this.#options.time.after(ms, end)
      this.#waiting.add(end)
    })
  }

  endAll(): void {
    for (const end of this.#waiting) end()
  }
}
