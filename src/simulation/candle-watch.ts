/**
 * Emits each candle of one market and interval when it closes: once, at its boundary, after the trades of that
 * millisecond.
 */
import { ALL_CANDLE_INTERVALS, candleOpenTime, type Candle, type CandleInterval } from '../domain/candle.ts'
import { invariant } from '../domain/errors.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { EVENT_KIND, type EventQueue } from './event-queue.ts'

export class CandleWatch {
  readonly #queue: EventQueue
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #interval: CandleInterval
  readonly #intervalMs: number
  readonly #onClose: (candle: Candle) => void
  /** End of the newest candle whose close is in the queue. */
  #closesAt = Number.NEGATIVE_INFINITY

  constructor(
    queue: EventQueue,
    exchange: Exchange,
    symbol: string,
    interval: CandleInterval,
    onClose: (candle: Candle) => void,
  ) {
    this.#queue = queue
    this.#exchange = exchange
    this.#symbol = symbol
    this.#interval = interval
    this.#intervalMs = ALL_CANDLE_INTERVALS[interval]
    this.#onClose = onClose
  }

  /** Call once: picks up a candle that is already running. */
  start(): void {
    const [newest] = this.#exchange.candles(this.#symbol, { interval: this.#interval, limit: 1 })
    if (newest !== undefined && newest.time + this.#intervalMs > this.#queue.now()) this.traded(newest.time)
  }

  /** True while a candle has begun whose end has not come. */
  get isRunning(): boolean {
    return this.#closesAt > this.#queue.now()
  }

  /** Call after every trade of the market. */
  traded(time: number): void {
    if (time < this.#closesAt) return
    const openTime = candleOpenTime(time, this.#intervalMs)
    this.#closesAt = openTime + this.#intervalMs
    this.#queue.schedule(this.#closesAt, EVENT_KIND.candle, () => {
      this.#onClose(this.#candleAt(openTime))
    })
  }

  #candleAt(time: number): Candle {
    const query = { interval: this.#interval, from: time, to: time + 1, limit: 1 }
    const [candle] = this.#exchange.candles(this.#symbol, query)
    invariant(candle !== undefined, `the exchange no longer has the candle of ${time}`)
    return candle
  }
}
