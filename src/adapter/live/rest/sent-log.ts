/**
 * Sliding-window log of requests that a service may still count: those in flight, and those whose window may not be
 * over.
 *
 * A request arrives at some moment between its sending and its answer, so it counts from the former until a whole
 * window after the latter. Whatever the phase of the service's windows, none holds more than the count here when its
 * last request is sent.
 */

/** Margin for clock drift, and for services that count in whole milliseconds. */
const MARGIN_MS = 100

export class SentLog {
  /** Times of the answers, ascending. */
  readonly #answered: number[] = []
  #underWay = 0

  /** Number of requests that count. */
  used(now: number, windowMs: number): number {
    let over = 0
    for (const at of this.#answered) {
      if (at + windowMs + MARGIN_MS > now) break
      over += 1
    }
    if (over > 0) this.#answered.splice(0, over)
    return this.#underWay + this.#answered.length
  }

  /** Milliseconds until the next request expires; Infinity if none will before it is answered. */
  nextInMs(now: number, windowMs: number): number {
    // Expired ones are no reason to check again immediately.
    this.used(now, windowMs)
    const [first] = this.#answered
    return first === undefined ? Number.POSITIVE_INFINITY : Math.max(0, first + windowMs + MARGIN_MS - now)
  }

  /** Milliseconds until all answered requests have expired. */
  lastInMs(now: number, windowMs: number): number {
    const last = this.#answered.at(-1)
    return last === undefined ? 0 : Math.max(0, last + windowMs + MARGIN_MS - now)
  }

  send(): void {
    this.#underWay += 1
  }

  /** Removes a request that was not sent. */
  unsend(): void {
    this.#underWay = Math.max(0, this.#underWay - 1)
  }

  /** @param at  by when it has certainly arrived */
  answer(at: number): void {
    this.unsend()
    this.count(at)
  }

  /** Counts a request of another sender. */
  count(at: number): void {
    let index = this.#answered.length
    while (index > 0 && (this.#answered[index - 1] ?? 0) > at) index -= 1
    this.#answered.splice(index, 0, at)
  }
}
