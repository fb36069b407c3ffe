/**
 * Tries of requests that the rate limit holds back, for sessions that end: one at a time, at growing intervals until
 * one is let through, and once more shortly before the end.
 *
 * A service that asked for an hour may answer a cancel all the same, an answer without a readable `Retry-After` says
 * nothing about how long it holds, and the service may not count requests that failed on the way to it.
 */

const FIRST_WAIT_MS = 4_000
/** Before the end, so that an answer and the other requests still fit. */
export const LAST_TRY_MS = 6_000

export class HeldTries {
  #nextAt = Number.NEGATIVE_INFINITY
  #waitMs = FIRST_WAIT_MS
  #isUnderWay = false
  #takenAt = Number.NEGATIVE_INFINITY
  #lastAt = Number.NEGATIVE_INFINITY

  /** @param endsAt  of the session that ends; on the monotonic clock, as all times here */
  until(endsAt: number): void {
    this.#lastAt = Math.max(this.#lastAt, endsAt - LAST_TRY_MS)
  }

  /** Milliseconds until the next may leave; Infinity while one is under way. */
  dueInMs(now: number): number {
    return this.#isUnderWay ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(this.#nextAt, this.#lastAt) - now)
  }

  take(now: number): void {
    this.#isUnderWay = true
    this.#takenAt = now
    if (now >= this.#lastAt) this.#lastAt = Number.POSITIVE_INFINITY
    this.#nextAt = now + this.#waitMs
    this.#waitMs *= 2
  }

  /** It was not let through, or did not leave after all. */
  done(): void {
    this.#isUnderWay = false
  }

  /**
   * It was let through: the next may leave now.
   *
   * @param refusedAt  when the service last refused one; what left before that says nothing about the hold that came of
   * it
   * @returns false when none was under way, or none that says so
   */
  pass(now: number, refusedAt: number): boolean {
    if (!this.#isUnderWay) return false
    this.#isUnderWay = false
    if (this.#takenAt <= refusedAt) return false
    this.#nextAt = now
    this.#waitMs = FIRST_WAIT_MS
    return true
  }
}
