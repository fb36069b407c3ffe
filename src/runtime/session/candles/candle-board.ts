/**
 * Candles of one interval, of one or several markets, aggregated from candles that the adapter emits: one row per
 * interval, once its last part is known.
 *
 * A row is emitted after all candles that close at that moment, and before the strategy's timers. It waits for candles
 * that belong to its interval and close later, such as days that end at another hour.
 * Invariant: a row contains no later data, and every interval is emitted once, in order of time.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { isOfCalendar } from '../../../domain/calendar.ts'
import { lengthText } from '../../../domain/candle-length.ts'
import { InputError } from '../../../domain/errors.ts'
import type { ZoneClock } from '../../../domain/zone-clock.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { MarketCandle } from '../../../strategy/market-data.ts'
import { dateGrid, sessionGrid, utcGrid, zoneGrid, type CandleGrid, type CandleParts } from './candle-grid.ts'

export interface CandleBoardOptions {
  readonly adapter: Pick<ExchangeAdapter, 'candles' | 'afterCandles' | 'earlierCandles'>
  readonly parts: readonly CandleParts[]
  readonly lengthMs: number
  /** The calendar of the intervals; undefined for UTC. */
  readonly clock: ZoneClock | undefined
  /**
   * True if the strategy named the zone: candles that do not fit it are refused. Otherwise the zone is that of the
   * tape.
   */
  readonly isStrict: boolean
  /** Intervals without a trade have a candle, too. */
  readonly isFilled: boolean
  /** Unix milliseconds. */
  readonly askedAt: number
  /** Subscribed when the session began, so that all data of the run is included. */
  readonly isFromStart: boolean
}

/** The candles of one interval. */
export interface BoardRow {
  readonly time: number
  /** One per market; at least one is defined. */
  readonly candles: readonly (MarketCandle | undefined)[]
}

interface OpenRow {
  readonly time: number
  readonly parts: readonly MarketCandle[][]
  /** Number of markets with candles to come. */
  waiting: number
}

export class CandleBoard {
  readonly rows$ = new HotStream<BoardRow>()
  readonly #options: CandleBoardOptions
  readonly #openRows = new Map<number, OpenRow>()
  /** The previous candle of each market. */
  readonly #before: (MarketCandle | undefined)[]
  /** Earlier intervals are over, or were not seen from their beginning. */
  #from: number
  readonly #grid: CandleGrid
  /** True for candles of one market with the same length as the intervals: a row then has the hours of its candle. */
  readonly #hasOwnPhase: boolean
  /** Their offset from the grid; otherwise 0. */
  #phaseMs = 0

  constructor(options: CandleBoardOptions) {
    const { adapter, parts, lengthMs, askedAt, isFromStart } = options
    this.#options = options
    this.#grid = gridOf(options)
    this.#hasOwnPhase = parts.length === 1 && parts[0]?.lengthMs === lengthMs && isOfCalendar(lengthMs)
    this.#before = parts.map(() => undefined)
    this.#from = isFromStart ? Number.NEGATIVE_INFINITY : askedAt
    parts.forEach(({ symbol, interval }, index) => {
      adapter.candles(symbol, interval).subscribe((candle) => {
        this.#add(index, candle)
      })
    })
  }

  #add(index: number, candle: MarketCandle): void {
    const part = this.#options.parts[index]
    if (part === undefined) return
    const time = this.#grid.rowOf(candle.time, part)
    if (time < this.#from) return
    if (this.#hasOwnPhase) this.#phaseMs = candle.time - time
    const row = this.#openRows.get(time) ?? this.#begin(time)
    row.parts[index]?.push(candle)
    if (this.#options.isFilled) this.#dropOverlapped(time)
  }

  /** A session that begins at another offset closes an empty interval that would overlap it. */
  #dropOverlapped(time: number): void {
    for (const { time: other, parts } of this.#openRows.values()) {
      if (other < time && this.#grid.endOf(other) > time && parts.every(({ length }) => length === 0)) {
        this.#openRows.delete(other)
      }
    }
  }

  #begin(time: number): OpenRow {
    const { adapter, parts } = this.#options
    const row: OpenRow = { time, parts: parts.map(() => []), waiting: parts.length }
    this.#openRows.set(time, row)
    const end = this.#grid.endOf(time) + this.#phaseMs
    for (const part of parts) {
      const onDone = (): void => {
        row.waiting -= 1
        if (row.waiting === 0 && this.#openRows.get(time) === row) this.#close(row)
      }
      adapter.afterCandles(part.symbol, part.interval, end, onDone, (openTime) => this.#grid.isIn(time, openTime, part))
    }
    return row
  }

  #close(row: OpenRow): void {
    const { isFilled } = this.#options
    const end = this.#grid.endOf(row.time)
    this.#openRows.delete(row.time)
    this.#from = end
    const candles = row.parts.map((parts, index) => this.#candleOf(index, row.time, parts))
    if (isFilled && !this.#openRows.has(end)) this.#begin(end)
    if (this.rows$.isWatched && candles.some((candle) => candle !== undefined)) {
      this.rows$.push({ time: row.time, candles })
    }
  }

  #candleOf(index: number, time: number, emitted: readonly MarketCandle[]): MarketCandle | undefined {
    const { parts: all, lengthMs, isFilled, askedAt } = this.#options
    const parts = time < askedAt ? this.#withEarlier(index, time, emitted) : emitted
    const [first, ...others] = parts
    const before = this.#before[index]
    const isFlat = first === undefined && isFilled && before !== undefined
    const isWhole = first !== undefined && others.length === 0 && all[index]?.lengthMs === lengthMs
    const candle = isWhole
      ? first
      : isFlat
        ? MarketCandle.flat(time + this.#phaseMs, before)
        : first && MarketCandle.joined(time, first, others)
    this.#before[index] = candle ?? before
    return candle
  }

  /** Includes the parts of an interval that had begun before the subscription; none if they are not known. */
  #withEarlier(index: number, time: number, emitted: readonly MarketCandle[]): readonly MarketCandle[] {
    const { symbol, interval } = this.#options.parts[index] ?? {}
    if (symbol === undefined || interval === undefined) return emitted
    const { since, candles } = this.#options.adapter.earlierCandles(symbol, interval)
    if (since > time) return []
    const firstTime = emitted[0]?.time ?? Number.POSITIVE_INFINITY
    const end = Math.min(firstTime, this.#grid.endOf(time))
    return [...candles.filter((candle) => candle.time >= time && candle.time < end), ...emitted]
  }
}

/** @throws {InputError} for candles without a common grid */
function gridOf({ parts, lengthMs, clock, isStrict }: CandleBoardOptions): CandleGrid {
  const without = parts.find(({ hasNoLength }) => hasNoLength === true)
  if (without !== undefined) {
    const message = `the candles of ${without.symbol} differ in length, so they cannot be filled, aligned or joined`
    throw new InputError(placeOf(parts, lengthMs), message)
  }
  if (clock !== undefined) return zoneGrid(lengthMs, clock, isStrict)
  if (parts.every(({ isAligned }) => isAligned)) return utcGrid(lengthMs)
  if (isOfCalendar(lengthMs)) return dateGrid(lengthMs)
  if (parts.every(({ isAligned }) => !isAligned)) return sessionGrid(lengthMs)
  const [off, ...others] = parts.toSorted((one, other) => Number(one.isAligned) - Number(other.isAligned))
  const names = others.map(({ symbol }) => symbol).join(' and ')
  const apart = `candles of ${off?.symbol ?? ''} open at other times than those of ${names}`
  throw new InputError(placeOf(parts, lengthMs), `${apart}; request each symbol separately`)
}

const placeOf = (parts: readonly CandleParts[], lengthMs: number): string =>
  `candles([${parts.map(({ symbol }) => `'${symbol}'`).join(', ')}], '${lengthText(lengthMs)}')`
