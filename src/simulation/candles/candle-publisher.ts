/**
 * Publishes the candles of a market recorded as candles: each once, complete, at its end.
 *
 * Covers the tape's own interval and every multiple of it, if the tape's candles are aligned to the interval grid. A
 * longer candle is the exchange's own, aggregated from exactly the complete candles inside it, even if the watch began
 * later.
 */
import {
  ALL_CANDLE_INTERVALS,
  candleOpenTime,
  listedInterval,
  type Candle,
  type CandleInterval,
} from '../../domain/candle.ts'
import { lengthMsOf, type CandleLength } from '../../domain/candle-length.ts'
import { invariant } from '../../domain/errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import type { RecordedCandle } from './recorded-candle.ts'

interface Watch {
  readonly interval: CandleInterval
  readonly onClose: (candle: Candle) => void
  /** Opening time of the running candle; undefined when none runs. */
  opened: number | undefined
}

export class CandlePublisher {
  readonly #queue: EventQueue
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #intervalMs: number
  /** Watches of the tape's own interval. */
  readonly #ownWatches: ((candle: Candle) => void)[] = []
  readonly #watches: Watch[] = []

  constructor(queue: EventQueue, exchange: Exchange, symbol: string, intervalMs: number) {
    this.#queue = queue
    this.#exchange = exchange
    this.#symbol = symbol
    this.#intervalMs = intervalMs
  }

  /** @param length  that of the tape, or a listed multiple of it */
  watch(length: CandleLength, onClose: (candle: Candle) => void): void {
    if (lengthMsOf(length) === this.#intervalMs) {
      this.#ownWatches.push(onClose)
      return
    }
    const interval = listedInterval(length)
    const watch: Watch = { interval, onClose, opened: undefined }
    this.#watches.push(watch)
    const [newest] = this.#exchange.candles(this.#symbol, { interval, limit: 1 })
    if (newest !== undefined && newest.time + lengthOf(interval) > this.#queue.now()) this.#begin(watch, newest.time)
  }

  /** Candles that are watched and run. @param isRunning  whether one of the tape runs */
  running(isRunning: boolean): number {
    const longer = this.#watches.filter(({ opened }) => isRunning || opened !== undefined)
    return longer.length + (isRunning ? this.#ownWatches.length : 0)
  }

  /** A candle of the tape is over, now, and the exchange has it. */
  publish(candle: RecordedCandle): void {
    for (const onClose of this.#ownWatches) onClose(new WholeCandle(this.#symbol, candle))
    for (const watch of this.#watches) this.#add(watch, candle.time)
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
    this.#queue.enter(endsAt, EVENT_KIND.candle, () => {
      // Queued after the tape's candle that may end at this moment, whose event is entered later.
      this.#queue.enter(endsAt, EVENT_KIND.candle, () => {
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
}

/** Converts the volume to a bigint lazily. */
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
