/**
 * Tries of requests that the service asked to hold back, for sessions that end: one at a time, at growing intervals.
 *
 * A service that asked for an hour may answer a cancel all the same, and an answer without a readable `Retry-After` says nothing about
 * how long it holds.
 */

const FIRST_WAIT_MS = 2_000

export class HeldTries {
  #nextAt = Number.NEGATIVE_INFINITY
  #waitMs = FIRST_WAIT_MS
  #isUnderWay = false

  /** Milliseconds until the next may leave; Infinity while one is under way. */
  dueInMs(now: number): number {
    return this.#isUnderWay ? Number.POSITIVE_INFINITY : Math.max(0, this.#nextAt - now)
  }

  take(now: number): void {
    this.#isUnderWay = true
    this.#nextAt = now + this.#waitMs
    this.#waitMs *= 2
  }

  /** It was answered, or did not leave after all. */
  done(): void {
    this.#isUnderWay = false
  }
}
