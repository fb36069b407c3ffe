/**
 * Lots that your orders took from one side of the crowd and that are still missing there.
 *
 * They come back with time, half of them after 25 seconds, or with as much recorded volume, whichever is slower; a
 * fraction of a lot counts as back. The mean distance at which they were taken is stored too.
 *
 * Invariant: lots taken at one instant are missing as one taking of their sum.
 */
const HALF_BACK_MS = 25_000

export class TakenLots {
  /** Lots that were missing right after our last taking, and when that was. */
  #lots = 0
  #time = 0
  /** Total distance from the best price at which they were taken: the sum of ticks times lots. */
  #distance = 0
  /** Lots that were recorded since. */
  #recorded = 0

  /** True if lots may be missing, so that recorded volume matters. */
  get isSome(): boolean {
    return this.#lots > 0
  }

  /** Whole lots, at least 0, that are missing at `time`, Unix milliseconds. */
  missing(time: number): number {
    if (time <= this.#time) return this.#lots
    const byTime = (this.#lots * HALF_BACK_MS) / (HALF_BACK_MS + (time - this.#time))
    return Math.floor(Math.max(byTime, this.#lots - this.#recorded))
  }

  /** Mean distance of a missing lot from the best price, in ticks. */
  get meanDistance(): number {
    return this.#lots === 0 ? 0 : this.#distance / this.#lots
  }

  /** @param distance  from the best price, the sum of ticks times lots; needed only for `meanDistance` */
  take(lots: number, time: number, distance = 0): void {
    const missing = this.missing(time)
    this.#distance = distance + (this.#lots === 0 ? 0 : this.#distance * (missing / this.#lots))
    this.#lots = missing + lots
    this.#time = time
    this.#recorded = 0
  }

  record(lots: number): void {
    this.#recorded += lots
  }

  /**
   * Drops the state once everything is back, which then holds at any later time too.
   *
   * @param time  Unix milliseconds
   */
  settle(time: number): void {
    if (this.missing(time) === 0) this.clear()
  }

  clear(): void {
    this.#lots = 0
  }
}
