/**
 * The candles of one market in one interval, put together from the candles of a shorter one.
 *
 * Invariant: `#running` holds the finished shorter candles of the interval that is running, and of no other.
 */
import { candleOpenTime } from '../../domain/candle.ts'
import type { CandleSeriesSnapshot } from '../snapshot/exchange-snapshot.ts'
import { LaterList, type Cut } from '../snapshot/later-list.ts'
import { RunningCandle } from './running-candle.ts'

export class CandleSeries {
  readonly #intervalMs: number
  readonly #limit: number
  /** Finished ones, the newest `#limit` of them in a ring, `#oldest` first. */
  readonly #finished: RunningCandle[] = []
  #oldest = 0
  #running = new RunningCandle()
  /** True if a caller may still read evicted candles. */
  #isSeen = false

  /** @param limit  maximum of candles stored, the running one included; `Infinity` stores all */
  constructor(intervalMs: number, limit: number) {
    this.#intervalMs = intervalMs
    this.#limit = limit
  }

  /**
   * Adds a finished candle of the shorter series.
   *
   * @param nextTime  time of the trade by which it was finished
   * @returns this series' candle if that trade finished it as well; valid until the next call
   */
  add(part: RunningCandle, nextTime: number): RunningCandle | undefined {
    const running = this.#running
    include(running, part, this.#intervalMs)
    if (nextTime < running.time + this.#intervalMs) return undefined
    this.#running = this.#keep(running)
    this.#running.isEmpty = true
    return running
  }

  /** The running candle; `part` is the one that runs in the shorter series. */
  running(part: RunningCandle): RunningCandle {
    const candle = this.#running.copy()
    include(candle, part, this.#intervalMs)
    return candle
  }

  /** All stored candles, oldest first, the running one included. */
  all(part: RunningCandle): readonly RunningCandle[] {
    const candles = [...this.#kept(), this.running(part)]
    return candles.length > this.#limit ? candles.slice(candles.length - this.#limit) : candles
  }

  snapshot(): Cut<CandleSeriesSnapshot> {
    this.#isSeen = true
    const finished = LaterList.of(this.#kept(), (candle) => candle.figures())
    return { finished, running: this.#running.snapshot() }
  }

  /** Restores a new series. */
  restore({ finished, running }: CandleSeriesSnapshot): void {
    for (const snapshot of finished) {
      const candle = new RunningCandle()
      candle.restore(snapshot)
      this.#finished.push(candle)
    }
    if (running !== null) this.#running.restore(running)
  }

  /** Finished candles, oldest first. */
  #kept(): readonly RunningCandle[] {
    return [...this.#finished.slice(this.#oldest), ...this.#finished.slice(0, this.#oldest)]
  }

  /** Stores a finished, immutable candle and returns a free one to write to. */
  #keep(finished: RunningCandle): RunningCandle {
    const ring = this.#finished
    if (ring.length < this.#limit) {
      ring.push(finished)
      return new RunningCandle()
    }
    // With a limit of 0 the candle is reused: the caller has read it before it is written again.
    if (this.#limit === 0) return finished
    const forgotten = ring[this.#oldest]
    ring[this.#oldest] = finished
    this.#oldest = (this.#oldest + 1) % this.#limit
    // Evicted candles are reused: objects that have lived this long are expensive to collect.
    return forgotten === undefined || this.#isSeen ? new RunningCandle() : forgotten
  }
}

function include(candle: RunningCandle, part: RunningCandle, intervalMs: number): void {
  if (candle.isEmpty) candle.begin(candleOpenTime(part.time, intervalMs), part.open)
  candle.include(part)
}
