/**
 * Actions that wait until all candles were told that are over at a time, while the past is shown.
 */
import type { CandleLength } from '../../domain/candle-length.ts'

export interface AwaitedEnd {
  /** Of the market and the interval. */
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

  /** Calls those that are due, earliest first, also those that come of it. */
  settle(isDue: (end: AwaitedEnd) => boolean): void {
    for (let due = this.#ends.find(isDue); due !== undefined; due = this.#ends.find(isDue)) {
      const called = due
      this.#ends = this.#ends.filter((end) => end !== called)
      called.action()
    }
  }

  /** All that is left, earliest first. */
  take(): readonly AwaitedEnd[] {
    const ends = this.#ends
    this.#ends = []
    return ends
  }
}
