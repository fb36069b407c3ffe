/** Sliding-window count of order creations in the last minute. */
import { MINUTE_MS } from '../../../domain/time.ts'

export class OrderPace {
  #times: number[] = []

  /** @param sent  earlier creations, Unix milliseconds, oldest first */
  constructor(sent: readonly number[] = []) {
    this.#times.push(...sent)
  }

  /**
   * Checks an order at `now`, Unix milliseconds.
   * @returns text of the refusal; undefined if the 60 seconds up to then have room
   */
  fault(now: number, limit: number | null): string | undefined {
    if (limit === null) return undefined
    const count = this.#count(now)
    return count < limit ? undefined : `ordersPerMinute: ${count} orders within 60 seconds, the limit is ${limit}`
  }

  add(now: number): void {
    this.#times.push(now)
  }

  #count(now: number): number {
    // After a clock was set back, orders must be neither dropped nor counted for hours.
    if ((this.#times.at(-1) ?? now) > now) this.#times = this.#times.map((time) => Math.min(time, now))
    const first = this.#times.findIndex((time) => time > now - MINUTE_MS)
    if (first !== 0) this.#times = first < 0 ? [] : this.#times.slice(first)
    return this.#times.length
  }
}
