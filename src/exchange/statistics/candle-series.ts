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
  /** Somebody may still look at candles that are not kept any more. */
  #isSeen = false

  /** @param limit  candles that are kept, the running one included; `Infinity` keeps all */
  constructor(intervalMs: number, limit: number) {
    this.#intervalMs = intervalMs
    this.#limit = limit
  }

  /**
   * Adds a finished candle of the shorter series.
   *
   * @param nextTime  time of the trade by which it was finished
   * @returns this series' candle when that trade finished it as well; good until the next call
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

  /** Every candle that is kept, oldest first, the running one included. */
  all(part: RunningCandle): readonly RunningCandle[] {
    const candles = [...this.#kept(), this.running(part)]
    return candles.length > this.#limit ? candles.slice(candles.length - this.#limit) : candles
  }

  snapshot(): Cut<CandleSeriesSnapshot> {
    this.#isSeen = true
    const finished = LaterList.of(this.#kept(), (candle) => candle.figures())
    return { finished, running: this.#running.snapshot() }
  }

  /** Into a series that is new. */
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

  /** Keeps a finished candle, which changes no more, and gives one that is free to be written. */
  #keep(finished: RunningCandle): RunningCandle {
    const ring = this.#finished
    if (ring.length < this.#limit) {
      ring.push(finished)
      return new RunningCandle()
    }
    // Without room for one: what was returned is read before it is written again.
    if (this.#limit === 0) return finished
    const forgotten = ring[this.#oldest]
    ring[this.#oldest] = finished
    this.#oldest = (this.#oldest + 1) % this.#limit
    // One that lives as long as a ring is dear to the garbage collector.
    return forgotten === undefined || this.#isSeen ? new RunningCandle() : forgotten
  }
}

function include(candle: RunningCandle, part: RunningCandle, intervalMs: number): void {
  if (candle.isEmpty) candle.begin(candleOpenTime(part.time, intervalMs), part.open)
  candle.include(part)
}
