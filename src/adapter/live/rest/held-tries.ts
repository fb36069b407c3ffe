/**
 * Attempts of requests under a rate limit hold, for ending sessions: one at a time, with growing intervals until one is
 * accepted, and a last one shortly before the end.
 *
 * Reason: a service that asked for an hour may still accept a cancel, a 429 without a readable `Retry-After` gives no
 * duration, and the service may not count requests that failed on the way.
 */

const FIRST_WAIT_MS = 4_000
/** Time before the end of the last attempt, so that its answer and the remaining requests still fit. */
export const LAST_TRY_MS = 6_000

export class HeldTries {
  #nextAt = Number.NEGATIVE_INFINITY
  #waitMs = FIRST_WAIT_MS
  #isUnderWay = false
  #takenAt = Number.NEGATIVE_INFINITY
  #lastAt = Number.NEGATIVE_INFINITY

  /** @param endsAt  end of the session; monotonic, like all times here */
  until(endsAt: number): void {
    this.#lastAt = Math.max(this.#lastAt, endsAt - LAST_TRY_MS)
  }

  /** Milliseconds until the next attempt may be sent; Infinity while one is in flight. */
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

  /** The attempt was refused, or not sent. */
  done(): void {
    this.#isUnderWay = false
  }

  /**
   * The attempt was accepted: the next may be sent now.
   * @param refusedAt  when the service last refused one; attempts sent before then say nothing about the hold that
   * followed
   * @returns false if none was in flight, or none that proves the hold over
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
