/**
 * Candles of one market's recorded data, to draw a run without its tape.
 *
 * Invariant: never more than a limit; where one more would be needed, all are folded into those of the next longer
 * interval. Opens, highs, lows and closes are ticks, volumes lots, none of them rounded. Known limit: a volume beyond
 * 2^53 lots is not known.
 */
import { invariant } from '../../domain/errors.ts'
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '../../domain/time.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'

/** Limit of all markets of a run together; a candle takes 48 bytes. */
export const MAX_CANDLES = 1_000_000
/** Limit of candles.csv: many times more than a screen can show. */
export const MAX_SHORT_CANDLES = 20_000

/** Each a multiple of the one before. */
const INTERVALS: readonly number[] = [
  ...[SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS],
  ...[MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS],
]

const COLUMNS = 6

/** One candle; times without trades have none. */
export interface MarketCandle {
  /** Unix milliseconds of its start. */
  readonly time: number
  /** Ticks. */
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Lots; undefined if too large to be exact. */
  readonly volume: number | undefined
}

export class MarketCandles {
  readonly #limit: number
  #intervalMs: number
  /** Start, open, high, low, close and volume per candle, consecutively; the last candle is still running. */
  #values: Float64Array = new Float64Array(COLUMNS * 64)
  #count = 0
  #isFolded = false
  /** Start of the next candle. */
  #endsAt = Number.NEGATIVE_INFINITY

  /**
   * @param intervalMs  the shortest to begin with: that of a tape of candles; default: a second
   * @param limit       candles to keep, 2 or more
   */
  constructor(intervalMs: number = SECOND_MS, limit = MAX_CANDLES) {
    invariant(Number.isSafeInteger(intervalMs) && intervalMs > 0, `no candle is ${intervalMs} ms long`)
    this.#intervalMs = intervalMs
    this.#limit = limit
  }

  get intervalMs(): number {
    return this.#intervalMs
  }

  /** A trade at `price` ticks of `qty` lots; times never decrease. */
  onTrade(time: number, price: number, qty: number): void {
    if (time >= this.#endsAt) this.#begin(time, price)
    this.#extend(price, price, price, qty)
  }

  /** A complete recorded candle; `time` is its start, at any time of day. */
  onCandle(candle: RecordedCandle): void {
    if (this.#isFolded || this.#count >= this.#limit) {
      this.#add(candle)
      return
    }
    this.#append(candle.time, candle.open, candle.time + 1)
    this.#extend(candle.high, candle.low, candle.close, candle.volume)
  }

  /** These, or the same market in as many longer candles as there may be. */
  atMost(limit: number): MarketCandles {
    if (this.#count <= limit) return this
    const fewer = new MarketCandles(this.#intervalMs, limit)
    for (let at = 0; at < this.#count * COLUMNS; at += COLUMNS) fewer.onCandle(candleAt(this.#values, at))
    return fewer
  }

  /**
   * Columns: times, opens, highs, lows, closes and volumes, oldest first.
   *
   * @param rows  candles of a block, at most
   */
  *blocks(rows: number): Generator<readonly Float64Array[]> {
    for (let from = 0; from < this.#count; from += rows) {
      const length = Math.min(rows, this.#count - from)
      yield Array.from({ length: COLUMNS }, (_, column) => {
        const values = new Float64Array(length)
        for (let row = 0; row < length; row += 1) values[row] = this.#values[(from + row) * COLUMNS + column] ?? 0
        return values
      })
    }
  }

  /** The last ones, at most so many, oldest first. */
  latest(count: number): readonly MarketCandle[] {
    return [...this.#from(Math.max(0, this.#count - count))]
  }

  /** Oldest first. */
  candles(): Generator<MarketCandle> {
    return this.#from(0)
  }

  *#from(first: number): Generator<MarketCandle> {
    for (let index = first; index < this.#count; index += 1) {
      const [time = 0, open = 0, high = 0, low = 0, close = 0, lots = 0] = this.#values.subarray(
        index * COLUMNS,
        (index + 1) * COLUMNS,
      )
      yield { time, open, high, low, close, volume: Number.isSafeInteger(lots) ? lots : undefined }
    }
  }

  get #at(): number {
    return (this.#count - 1) * COLUMNS
  }

  /** Adds to the running candle, or to a new one. */
  #add({ time, open, high, low, close, volume }: RecordedCandle): void {
    if (time >= this.#endsAt) this.#begin(time, open)
    this.#extend(high, low, close, volume)
  }

  /** Starts a candle, unless the longer one that runs after a merge includes this time. */
  #begin(time: number, open: number): void {
    while (this.#count >= this.#limit) this.#fold()
    if (time < this.#endsAt) return
    const start = Math.floor(time / this.#intervalMs) * this.#intervalMs
    this.#append(start, open, start + this.#intervalMs)
  }

  #append(start: number, open: number, endsAt: number): void {
    this.#grow()
    this.#count += 1
    const [values, at] = [this.#values, this.#at]
    values[at] = start
    values[at + 1] = open
    values[at + 2] = open
    values[at + 3] = open
    values[at + 4] = open
    values[at + 5] = 0
    this.#endsAt = endsAt
  }

  #extend(high: number, low: number, close: number, lots: number): void {
    const at = this.#at
    const values = this.#values
    if (high > (values[at + 2] ?? 0)) values[at + 2] = high
    if (low < (values[at + 3] ?? 0)) values[at + 3] = low
    values[at + 4] = close
    values[at + 5] = (values[at + 5] ?? 0) + lots
  }

  #grow(): void {
    if ((this.#count + 1) * COLUMNS <= this.#values.length) return
    const values = new Float64Array(this.#values.length * 2)
    values.set(this.#values)
    this.#values = values
  }

  /** Merges all candles to the next longer interval. */
  #fold(): void {
    const before = this.#intervalMs
    this.#intervalMs = INTERVALS.find((each) => each > before && each % before === 0) ?? longerThan(before)
    this.#isFolded = true
    // In place: what is written lies before what is read.
    const [values, count] = [this.#values, this.#count]
    this.#count = 0
    this.#endsAt = Number.NEGATIVE_INFINITY
    for (let at = 0; at < count * COLUMNS; at += COLUMNS) {
      this.#add(candleAt(values, at))
    }
  }
}

const candleAt = (values: Float64Array, at: number): RecordedCandle => ({
  time: values[at] ?? 0,
  open: values[at + 1] ?? 0,
  high: values[at + 2] ?? 0,
  low: values[at + 3] ?? 0,
  close: values[at + 4] ?? 0,
  volume: values[at + 5] ?? 0,
})

/** Days, then doubled repeatedly. */
const longerThan = (intervalMs: number): number =>
  intervalMs < DAY_MS && DAY_MS % intervalMs === 0 ? DAY_MS : intervalMs * 2
