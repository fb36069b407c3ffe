/**
 * The candles of one market in every interval (decision 3): intervals without a trade have none, the running one is the
 * last.
 *
 * Trades are read from the log when candles are requested, or before the log drops them. Only the running candle of the
 * shortest interval sees trades. When it closes it is added to the next longer one, and so on, so that the cost of a
 * trade does not depend on the number of intervals.
 */
import {
  ALL_CANDLE_INTERVALS,
  CANDLE_INTERVAL_NAMES,
  candleOpenTime,
  type Candle,
  type CandleInterval,
} from '../../domain/candle.ts'
import { invariant } from '../../domain/errors.ts'
import { CandleSeries } from './candle-series.ts'
import type { CandleQuery } from '../exchange.ts'
import type { CandlesSnapshot } from '../snapshot/exchange-snapshot.ts'
import type { Cut } from '../snapshot/later-list.ts'
import { RunningCandle } from './running-candle.ts'
import type { TradeChunk, TradeLog } from './trade-log.ts'

const SHORTEST: CandleInterval = '1s'

export class CandleHistory {
  readonly #symbol: string
  readonly #names: readonly CandleInterval[]
  readonly #shortestMs: number
  readonly #log: TradeLog
  /** Number of the first trade that no candle holds yet. */
  #counted = 0
  /** Shortest first. */
  readonly #series: readonly CandleSeries[]
  /** The running candle of the shortest interval. */
  readonly #shortest = new RunningCandle()
  #endsAt = Number.NEGATIVE_INFINITY

  /** @param shortest  of the intervals that can be read */
  constructor(symbol: string, limit: number, log: TradeLog, shortest: CandleInterval = SHORTEST) {
    this.#symbol = symbol
    this.#log = log
    this.#names = CANDLE_INTERVAL_NAMES.slice(CANDLE_INTERVAL_NAMES.indexOf(shortest))
    this.#shortestMs = ALL_CANDLE_INTERVALS[shortest]
    this.#series = this.#names.map((name) => new CandleSeries(ALL_CANDLE_INTERVALS[name], limit))
  }

  read({ interval, from = 0, to = Number.POSITIVE_INFINITY, limit }: CandleQuery): readonly Candle[] {
    this.catchUp()
    if (this.#shortest.isEmpty || limit === 0) return []
    const index = this.#names.indexOf(interval)
    const series = this.#series[index]
    invariant(series !== undefined, `no candles of interval ${interval}`)
    const part = this.#series.slice(0, index).reduce((candle, shorter) => shorter.running(candle), this.#shortest)
    return series
      .all(part)
      .filter((candle) => candle.time >= from && candle.time < to)
      .slice(-limit)
      .map((candle) => candle.toCandle(this.#symbol))
  }

  /** Reads new trades from the log. Call before the log drops any. */
  catchUp(): void {
    while (this.#counted < this.#log.end) {
      const chunk = this.#log.chunkOf(this.#counted)
      const rows = this.#log.rowsOf(chunk)
      this.#count(chunk, this.#counted - chunk.first, rows)
      this.#counted = chunk.first + rows
    }
  }

  snapshot(): Cut<CandlesSnapshot> {
    invariant(this.#names.length === CANDLE_INTERVAL_NAMES.length, 'a snapshot has every interval')
    this.catchUp()
    return { shortest: this.#shortest.snapshot(), series: this.#series.map((series) => series.snapshot()) }
  }

  /** Restores a new history; the candles already include the trades in the log. */
  restore({ shortest, series }: CandlesSnapshot): void {
    this.#counted = this.#log.end
    if (shortest !== null) {
      this.#shortest.restore(shortest)
      this.#endsAt = this.#shortest.time + this.#shortestMs
    }
    this.#series.forEach((each, index) => {
      const snapshot = series[index]
      invariant(snapshot !== undefined, 'a snapshot has every interval')
      each.restore(snapshot)
    })
  }

  #count({ time, price, qty }: TradeChunk, from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      const at = time[row] ?? 0
      const ticks = price[row] ?? 0
      if (at >= this.#endsAt) this.#start(at, ticks)
      this.#shortest.trade(ticks, qty[row] ?? 0)
    }
  }

  #start(time: number, price: number): void {
    if (!this.#shortest.isEmpty) this.#finish(time)
    const openTime = candleOpenTime(time, this.#shortestMs)
    this.#shortest.begin(openTime, price)
    this.#endsAt = openTime + this.#shortestMs
  }

  #finish(nextTime: number): void {
    let finished: RunningCandle | undefined = this.#shortest
    for (const series of this.#series) {
      finished = series.add(finished, nextTime)
      if (finished === undefined) return
    }
  }
}
