/**
 * Publishes the candles of a market that was recorded as candles: each once, whole, at its end.
 *
 * Its own interval and every multiple of it, as far as the candles of the tape begin on the grid of the intervals.
 */
import type { Candle } from '../../domain/candle.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import { CoarserCandles } from './coarser-candles.ts'
import type { RecordedCandle } from './recorded-candle.ts'

interface Watch {
  readonly onClose: (candle: Candle) => void
  /** Undefined for the interval of the tape itself. */
  readonly coarser: CoarserCandles | undefined
}

export class CandlePublisher {
  readonly #queue: EventQueue
  readonly #symbol: string
  readonly #intervalMs: number
  readonly #watches: Watch[] = []
  /** End of the candle that was published last. */
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(queue: EventQueue, symbol: string, intervalMs: number) {
    this.#queue = queue
    this.#symbol = symbol
    this.#intervalMs = intervalMs
  }

  /** @param intervalMs  that of the tape, or a multiple of it */
  watch(intervalMs: number, onClose: (candle: Candle) => void): void {
    const coarser = intervalMs === this.#intervalMs ? undefined : new CoarserCandles(intervalMs)
    this.#watches.push({ onClose, coarser })
  }

  /** Candles that are watched and run. @param isRunning  whether one of the tape runs */
  running(isRunning: boolean): number {
    const runs = ({ coarser }: Watch): boolean => isRunning || coarser?.endsAt !== undefined
    return this.#watches.filter(runs).length
  }

  /** A candle of the tape is over, now. */
  publish(candle: RecordedCandle): void {
    const now = candle.time + this.#intervalMs
    this.#endedAt = now
    for (const watch of this.#watches) {
      const { coarser, onClose } = watch
      if (coarser === undefined) onClose(this.#shown(candle))
      else this.#add(watch, coarser, candle)
    }
  }

  #add(watch: Watch, coarser: CoarserCandles, candle: RecordedCandle): void {
    const isNew = coarser.endsAt === undefined
    coarser.add(candle)
    const { endsAt } = coarser
    if (endsAt === undefined) return
    if (endsAt === this.#endedAt) this.#close(watch, coarser)
    else if (isNew) this.#closeAt(endsAt, watch, coarser)
  }

  /** At its end, unless the candle of the tape that ends there closes it. */
  #closeAt(time: number, watch: Watch, coarser: CoarserCandles): void {
    this.#queue.schedule(time, EVENT_KIND.candle, () => {
      // Behind the candle of the tape that may end at this moment, whose event was put into the queue later.
      this.#queue.schedule(time, EVENT_KIND.candle, () => {
        if (coarser.endsAt === time) this.#close(watch, coarser)
      })
    })
  }

  #close({ onClose }: Watch, coarser: CoarserCandles): void {
    const candle = coarser.take()
    if (candle !== undefined) onClose(this.#shown(candle))
  }

  #shown({ volume, ...prices }: RecordedCandle): Candle {
    return { symbol: this.#symbol, ...prices, volume: BigInt(volume) }
  }
}
