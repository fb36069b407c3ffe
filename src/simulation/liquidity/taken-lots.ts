/**
 * Lots that orders of ours took from one side of the crowd, as far as they are still missing there.
 *
 * It comes back with time, half of it after 25 seconds, or with as much recorded volume, whichever is slower; a
 * part of a lot counts as back. Where it was taken is remembered beside it, as a mean.
 *
 * Invariant: takings at one instant are missing as one of their sum.
 */
const HALF_BACK_MS = 25_000

export class TakenLots {
  /** Lots that were missing right after our last taking, and when that was. */
  #lots = 0
  #time = 0
  /** How far from the best price they were taken: the sum of ticks times lots. */
  #distance = 0
  /** Lots that were recorded since. */
  #recorded = 0

  /** True when something may be missing: what was recorded matters to it. */
  get isSome(): boolean {
    return this.#lots > 0
  }

  /** Whole lots, at least 0, that are missing at `time`, Unix milliseconds. */
  missing(time: number): number {
    if (time <= this.#time) return this.#lots
    const byTime = (this.#lots * HALF_BACK_MS) / (HALF_BACK_MS + (time - this.#time))
    return Math.floor(Math.max(byTime, this.#lots - this.#recorded))
  }

  /** How far from the best price a missing lot was taken in the mean, in ticks. */
  get meanDistance(): number {
    return this.#lots === 0 ? 0 : this.#distance / this.#lots
  }

  /** @param distance  from the best price, the sum of ticks times lots; for whoever asks for `meanDistance` */
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

  /** Forgets what is back by now, Unix milliseconds: it would be so at any later time as well. */
  settle(time: number): void {
    if (this.missing(time) === 0) this.clear()
  }

  clear(): void {
    this.#lots = 0
  }
}
