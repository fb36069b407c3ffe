/**
 * Requests that a service may still count: those under way, and those of which it is not sure that their window is
 * over.
 *
 * A request arrived at some moment between its sending and its answer. So it counts from the one until a whole window
 * after the other, and however the service's windows lie, none of them holds more than what counts here when its last
 * request is sent.
 */

/** Clocks do not run alike, and a service may reckon in whole milliseconds. */
const MARGIN_MS = 100

export class SentLog {
  /** When each was answered, in the order of time. */
  readonly #answered: number[] = []
  #underWay = 0

  /** Requests that count. */
  used(now: number, windowMs: number): number {
    let over = 0
    for (const at of this.#answered) {
      if (at + windowMs + MARGIN_MS > now) break
      over += 1
    }
    if (over > 0) this.#answered.splice(0, over)
    return this.#underWay + this.#answered.length
  }

  /** Milliseconds until one counts no longer; Infinity when none will before it is answered. */
  nextInMs(now: number, windowMs: number): number {
    // Those that are over are no reason to ask again at once.
    this.used(now, windowMs)
    const [first] = this.#answered
    return first === undefined ? Number.POSITIVE_INFINITY : Math.max(0, first + windowMs + MARGIN_MS - now)
  }

  /** Milliseconds until none of those that are answered counts. */
  lastInMs(now: number, windowMs: number): number {
    const last = this.#answered.at(-1)
    return last === undefined ? 0 : Math.max(0, last + windowMs + MARGIN_MS - now)
  }

  send(): void {
    this.#underWay += 1
  }

  /** One that was not sent after all. */
  unsend(): void {
    this.#underWay = Math.max(0, this.#underWay - 1)
  }

  /** @param at  when it has arrived for sure */
  answer(at: number): void {
    this.unsend()
    this.count(at)
  }

  /** One that is not from here. */
  count(at: number): void {
    let index = this.#answered.length
    while (index > 0 && (this.#answered[index - 1] ?? 0) > at) index -= 1
    this.#answered.splice(index, 0, at)
  }
}
