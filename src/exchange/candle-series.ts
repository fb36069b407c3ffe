/**
 * The candles of one market in one interval, put together from the candles of a shorter one.
 *
 * Invariant: `#partial` holds the finished shorter candles of the interval that is running, and of no other.
 */
import { candleOpenTime, type Candle } from '../domain/candle.ts'
import { RecentList } from './recent-list.ts'

export class CandleSeries {
  readonly #intervalMs: number
  readonly #finished: RecentList<Candle>
  #partial: Candle | undefined

  constructor(intervalMs: number, limit: number) {
    this.#intervalMs = intervalMs
    this.#finished = new RecentList(limit)
  }

  /**
   * Adds a finished candle of the shorter series.
   *
   * @param nextTime  time of the trade by which it was finished
   * @returns this series' candle when that trade finished it as well
   */
  add(part: Candle, nextTime: number): Candle | undefined {
    const candle = this.running(part)
    if (nextTime < candle.time + this.#intervalMs) {
      this.#partial = candle
      return undefined
    }
    this.#partial = undefined
    this.#finished.push(candle)
    return candle
  }

  /** The running candle; `part` is the one that runs in the shorter series. */
  running(part: Candle): Candle {
    const earlier = this.#partial
    if (earlier === undefined) return { ...part, time: candleOpenTime(part.time, this.#intervalMs) }
    return {
      ...earlier,
      high: Math.max(earlier.high, part.high),
      low: Math.min(earlier.low, part.low),
      close: part.close,
      volume: earlier.volume + part.volume,
    }
  }

  /** Every candle that is kept, oldest first, the running one included. */
  all(part: Candle): readonly Candle[] {
    const candles = [...this.#finished.kept(), this.running(part)]
    const { limit } = this.#finished
    return candles.length > limit ? candles.slice(candles.length - limit) : candles
  }
}
