/** Actions that wait until every candle that closed by a given time was emitted, during a warm-up. */
import type { CandleLength } from '../../domain/candle-length.ts'

export interface AwaitedEnd {
  /** Key of the market and the interval. */
  readonly key: string
  readonly symbol: string
  readonly interval: CandleLength
  /** Unix milliseconds. */
  readonly time: number
  readonly action: () => void
}

export class AwaitedCandles {
  #ends: readonly AwaitedEnd[] = []

  add(end: AwaitedEnd): void {
    const before = this.#ends.filter(({ time }) => time <= end.time)
    this.#ends = [...before, end, ...this.#ends.slice(before.length)]
  }

  /** Runs the due actions, earliest first, including those added by them. */
  settle(isDue: (end: AwaitedEnd) => boolean): void {
    for (let due = this.#ends.find(isDue); due !== undefined; due = this.#ends.find(isDue)) {
      const called = due
      this.#ends = this.#ends.filter((end) => end !== called)
      called.action()
    }
  }

  /** Removes and returns the remaining ends, earliest first. */
  take(): readonly AwaitedEnd[] {
    const ends = this.#ends
    this.#ends = []
    return ends
  }
}
