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
  type Candle,
  CANDLE_INTERVAL_NAMES,
  type CandleInterval,
  candleOpenTime,
} from '../../domain/candle.ts'
import { invariant } from '../../domain/errors.ts'
import type { CandleQuery } from '../exchange.ts'
import type { CandleSeriesSnapshot, CandlesSnapshot } from '../snapshot/exchange-snapshot.ts'
import { type Cut, LaterList } from '../snapshot/later-list.ts'
import { RunningCandle } from './running-candle.ts'
import type { TradeChunk, TradeLog } from './trade-log.ts'

/**
 * The candles of one market in one interval, put together from the candles of a shorter one.
 *
 * Invariant: `#running` holds the finished shorter candles of the interval that is running, and of no other.
 */
class CandleSeries {
  readonly #intervalMs: number
  readonly #limit: number
  /** Finished ones, the newest `#limit` of them in a ring, `#oldest` first. */
  #finished: RunningCandle[] = []
  #oldest = 0
  #running = new RunningCandle()
  /** True if a caller, or another exchange of the same snapshot, may still read evicted candles. */
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
    this.#running = this.#store(running)
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
    const candles = [...this.#inOrder(), this.running(part)]
    return candles.length > this.#limit ? candles.slice(candles.length - this.#limit) : candles
  }

  snapshot(): Cut<CandleSeriesSnapshot> {
    this.#isSeen = true
    const finished = LaterList.of(this.#inOrder(), (candle) => candle.figures())
    return { finished, running: this.#running.snapshot() }
  }

  /** Restores a new series. */
  restore({ finished, running }: CandleSeriesSnapshot): void {
    this.#finished = [...restoredOf(finished)]
    this.#isSeen = true
    if (running !== null) this.#running.restore(running)
  }

  /** Finished candles, oldest first. */
  #inOrder(): readonly RunningCandle[] {
    return [...this.#finished.slice(this.#oldest), ...this.#finished.slice(0, this.#oldest)]
  }

  /** Stores a finished, immutable candle and returns a free one to write to. */
  #store(finished: RunningCandle): RunningCandle {
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

/** Finished candles of a snapshot, which all exchanges made of it share. */
const RESTORED = new WeakMap<CandleSeriesSnapshot['finished'], readonly RunningCandle[]>()

function restoredOf(finished: CandleSeriesSnapshot['finished']): readonly RunningCandle[] {
  const known = RESTORED.get(finished)
  if (known !== undefined) return known
  const candles = Array.from(finished, (snapshot) => {
    const candle = new RunningCandle()
    candle.restore(snapshot)
    return candle
  })
  RESTORED.set(finished, candles)
  return candles
}

function include(candle: RunningCandle, part: RunningCandle, intervalMs: number): void {
  if (candle.isEmpty) candle.begin(candleOpenTime(part.time, intervalMs), part.open)
  candle.include(part)
}

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
