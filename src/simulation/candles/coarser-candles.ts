/**
 * Candles of a longer interval, put together from whole ones of a shorter: exactly, since each of those lies inside one of these.
 */
import { candleOpenTime } from '../../domain/candle.ts'
import type { RecordedCandle } from './recorded-candle.ts'

export class CoarserCandles {
  readonly #intervalMs: number
  #running: RecordedCandle | undefined

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** End of the running candle, Unix milliseconds; undefined when none runs. */
  get endsAt(): number | undefined {
    return this.#running === undefined ? undefined : this.#running.time + this.#intervalMs
  }

  /** @param candle  inside the running one, or of a later one when that was taken */
  add(candle: RecordedCandle): void {
    const running = this.#running
    if (running === undefined) {
      this.#running = { ...candle, time: candleOpenTime(candle.time, this.#intervalMs) }
      return
    }
    this.#running = {
      time: running.time,
      open: running.open,
      high: Math.max(running.high, candle.high),
      low: Math.min(running.low, candle.low),
      close: candle.close,
      volume: running.volume + candle.volume,
    }
  }

  /** The running candle, which is over. */
  take(): RecordedCandle | undefined {
    const running = this.#running
    this.#running = undefined
    return running
  }
}
