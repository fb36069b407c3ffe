/**
 * Publishes the candles of a market that was recorded as candles: each once, whole, at its end.
 *
 * Its own interval and every multiple of it, as far as the candles of the tape begin on the grid of the intervals; a longer one is the
 * exchange's own, exactly what the whole candles inside of it came to, whoever watched when it began.
 */
import { ALL_CANDLE_INTERVALS, candleOpenTime, type Candle, type CandleInterval } from '../../domain/candle.ts'
import { invariant } from '../../domain/errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import type { RecordedCandle } from './recorded-candle.ts'

interface Watch {
  readonly interval: CandleInterval
  readonly onClose: (candle: Candle) => void
  /** Opening time of the running candle; undefined when none runs, and for the interval of the tape itself. */
  opened: number | undefined
}

export class CandlePublisher {
  readonly #queue: EventQueue
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #intervalMs: number
  readonly #watches: Watch[] = []

  constructor(queue: EventQueue, exchange: Exchange, symbol: string, intervalMs: number) {
    this.#queue = queue
    this.#exchange = exchange
    this.#symbol = symbol
    this.#intervalMs = intervalMs
  }

  /** @param interval  that of the tape, or a multiple of it */
  watch(interval: CandleInterval, onClose: (candle: Candle) => void): void {
    const watch: Watch = { interval, onClose, opened: undefined }
    this.#watches.push(watch)
    if (this.#isOfTape(interval)) return
    const [newest] = this.#exchange.candles(this.#symbol, { interval, limit: 1 })
    if (newest !== undefined && newest.time + lengthOf(interval) > this.#queue.now()) this.#begin(watch, newest.time)
  }

  /** Candles that are watched and run. @param isRunning  whether one of the tape runs */
  running(isRunning: boolean): number {
    return this.#watches.filter(({ opened }) => isRunning || opened !== undefined).length
  }

  /** A candle of the tape is over, now, and the exchange has it. */
  publish(candle: RecordedCandle): void {
    for (const watch of this.#watches) {
      if (this.#isOfTape(watch.interval)) watch.onClose(new WholeCandle(this.#symbol, candle))
      else this.#add(watch, candle.time)
    }
  }

  #add(watch: Watch, time: number): void {
    const opened = candleOpenTime(time, lengthOf(watch.interval))
    if (opened + lengthOf(watch.interval) === this.#queue.now()) this.#close(watch, opened)
    else if (watch.opened === undefined) this.#begin(watch, opened)
  }

  /** It is over at its end, unless the candle of the tape that ends there closes it. */
  #begin(watch: Watch, opened: number): void {
    const endsAt = opened + lengthOf(watch.interval)
    watch.opened = opened
    this.#queue.schedule(endsAt, EVENT_KIND.candle, () => {
      // Behind the candle of the tape that may end at this moment, whose event was put into the queue later.
      this.#queue.schedule(endsAt, EVENT_KIND.candle, () => {
        if (watch.opened === opened) this.#close(watch, opened)
      })
    })
  }

  #close(watch: Watch, opened: number): void {
    watch.opened = undefined
    const { interval, onClose } = watch
    const query = { interval, from: opened, to: opened + 1, limit: 1 }
    const [candle] = this.#exchange.candles(this.#symbol, query)
    invariant(candle !== undefined, `the exchange no longer has the candle of ${opened}`)
    onClose(candle)
  }

  #isOfTape(interval: CandleInterval): boolean {
    return lengthOf(interval) === this.#intervalMs
  }
}

/** Its volume is a bigint for whoever asks. */
class WholeCandle implements Candle {
  readonly time: number
  readonly symbol: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly #lots: number

  constructor(symbol: string, { time, open, high, low, close, volume }: RecordedCandle) {
    this.time = time
    this.symbol = symbol
    this.open = open
    this.high = high
    this.low = low
    this.close = close
    this.#lots = volume
  }

  get volume(): bigint {
    return BigInt(this.#lots)
  }
}

const lengthOf = (interval: CandleInterval): number => ALL_CANDLE_INTERVALS[interval]
