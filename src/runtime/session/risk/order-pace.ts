/** Sliding-window count of order creations in the last minute. */

import { MINUTE_MS } from '../../../domain/time.ts'

export class OrderPace {
  #times: number[] = []

  /** Within the 60 seconds up to `now`, Unix milliseconds. */
  count(now: number): number {
    // After a clock was set back, orders must be neither dropped nor counted for hours.
    if ((this.#times.at(-1) ?? now) > now) this.#times = this.#times.map((time) => Math.min(time, now))
    const first = this.#times.findIndex((time) => time > now - MINUTE_MS)
    if (first !== 0) this.#times = first < 0 ? [] : this.#times.slice(first)
    return this.#times.length
  }

  add(now: number): void {
    this.#times.push(now)
  }
}
