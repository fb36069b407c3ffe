/**
 * The candles of one market in every interval (decision 3): intervals without a trade have none, the running one is the last.
 *
 * Only the running candle of the shortest interval sees trades. When it is over it is added to the next longer one, and so on, so
 * that a trade costs the same however many intervals there are.
 */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES, candleOpenTime, type Candle } from '../domain/candle.ts'
import { invariant } from '../domain/errors.ts'
import { ExactSum } from './exact-sum.ts'
import { CandleSeries } from './candle-series.ts'
import type { CandleQuery } from './exchange.ts'

const SHORTEST_MS = Math.min(...Object.values(ALL_CANDLE_INTERVALS))

export class CandleHistory {
  readonly #symbol: string
  /** Shortest first. */
  readonly #series: readonly CandleSeries[]
  /** The running candle of the shortest interval; nothing while `#endsAt` is -Infinity. */
  #time = 0
  #endsAt = Number.NEGATIVE_INFINITY
  #open = 0
  #high = 0
  #low = 0
  #close = 0
  readonly #volume = new ExactSum()

  constructor(symbol: string, limit: number) {
    this.#symbol = symbol
    this.#series = CANDLE_INTERVAL_NAMES.map((name) => new CandleSeries(ALL_CANDLE_INTERVALS[name], limit))
  }

  append(time: number, price: number, qty: number): void {
    if (time >= this.#endsAt) this.#start(time, price)
    if (price > this.#high) this.#high = price
    if (price < this.#low) this.#low = price
    this.#close = price
    this.#volume.add(qty)
  }

  read({ interval, from = 0, to = Number.POSITIVE_INFINITY, limit }: CandleQuery): readonly Candle[] {
    if (this.#endsAt === Number.NEGATIVE_INFINITY || limit === 0) return []
    const index = CANDLE_INTERVAL_NAMES.indexOf(interval)
    const series = this.#series[index]
    invariant(series !== undefined, `no candles of interval ${interval}`)
    const part = this.#series.slice(0, index).reduce((candle, shorter) => shorter.running(candle), this.#running())
    return series
      .all(part)
      .filter((candle) => candle.time >= from && candle.time < to)
      .slice(-limit)
  }

  #start(time: number, price: number): void {
    if (this.#endsAt !== Number.NEGATIVE_INFINITY) this.#finish(time)
    this.#time = candleOpenTime(time, SHORTEST_MS)
    this.#endsAt = this.#time + SHORTEST_MS
    this.#open = this.#high = this.#low = price
    this.#volume.reset()
  }

  #finish(nextTime: number): void {
    let finished: Candle | undefined = this.#running()
    for (const series of this.#series) {
      finished = series.add(finished, nextTime)
      if (finished === undefined) return
    }
  }

  #running(): Candle {
    return {
      time: this.#time,
      symbol: this.#symbol,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: this.#volume.value,
    }
  }
}
