/**
 * Candles of one length, of one market or several, made of candles that the adapter tells: once a boundary, when the last one is known.
 *
 * It is told behind all candles that close at that moment, and before the timers of the strategy.
 * Candles that open off the UTC grid, such as days from 05:00, keep their own grid; markets with different grids cannot be aligned.
 * Invariant: nothing that is later than the boundary is in it, and every interval is told once, in the order of time.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { lengthMsOf, openTimeOf, type CandleLength } from '../../../domain/candle-length.ts'
import { InputError } from '../../../domain/errors.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { MarketCandle } from '../../../strategy/market-data.ts'

/** The candles of one market that the others are made of. */
export interface CandleParts {
  readonly symbol: string
  readonly interval: CandleLength
  /** Milliseconds. */
  readonly lengthMs: number
  /** They open on the UTC grid. */
  readonly isAligned: boolean
}

export interface CandleBoardOptions {
  readonly adapter: Pick<ExchangeAdapter, 'candles' | 'afterCandles' | 'earlierCandles'>
  readonly parts: readonly CandleParts[]
  readonly lengthMs: number
  /** Intervals without a trade have a candle, too. */
  readonly isFilled: boolean
  /** Unix milliseconds. */
  readonly askedAt: number
  /** It was asked for when the session began: what it had heard of before, nobody knows better. */
  readonly isFromStart: boolean
}

/** What is told at a boundary. */
export interface BoardRow {
  readonly time: number
  /** One a market; at least one is there. */
  readonly candles: readonly (MarketCandle | undefined)[]
}

interface OpenRow {
  readonly time: number
  readonly parts: readonly MarketCandle[][]
  /** Markets of which more may come. */
  waiting: number
}

export class CandleBoard {
  readonly rows$ = new HotStream<BoardRow>()
  readonly #options: CandleBoardOptions
  readonly #openRows = new Map<number, OpenRow>()
  /** The candle before of each market. */
  readonly #before: (MarketCandle | undefined)[]
  /** Earlier intervals are over, or were not seen from their beginning. */
  #from: number
  /** Offset of the tape's grid from that of UTC; undefined on the UTC grid. */
  #offsetMs: number | undefined

  constructor(options: CandleBoardOptions) {
    const { adapter, parts, lengthMs, askedAt, isFromStart } = options
    this.#options = options
    // Weeks of a tape may begin on a Monday all the same.
    const off = lengthMs % WEEK_MS === 0 ? undefined : parts.find(({ isAligned }) => !isAligned)
    if (off !== undefined && parts.some(({ isAligned }) => isAligned)) throw apart(parts, off)
    this.#before = parts.map(() => undefined)
    this.#from = isFromStart ? Number.NEGATIVE_INFINITY : askedAt
    parts.forEach(({ symbol, interval }, index) => {
      adapter.candles(symbol, interval).subscribe((candle) => {
        this.#add(index, candle)
      })
    })
  }

  #add(index: number, candle: MarketCandle): void {
    const time = this.#openOf(index, candle)
    if (time < this.#from) return
    const row = this.#openRows.get(time) ?? this.#begin(time)
    row.parts[index]?.push(candle)
  }

  /** Open time of the interval that holds a candle. @throws {InputError} when markets with different grids are combined */
  #openOf(index: number, { time }: MarketCandle): number {
    const { lengthMs, parts } = this.#options
    const open =
      this.#offsetMs === undefined
        ? openTimeOf(time, lengthMs)
        : time - ((((time - this.#offsetMs) % lengthMs) + lengthMs) % lengthMs)
    const part = parts[index]
    if (open === time || part?.lengthMs !== lengthMs) return open
    const isFirst = this.#offsetMs === undefined && parts.every(({ isAligned }) => !isAligned)
    if (parts.length > 1 && !isFirst) throw apart(parts, part)
    this.#offsetMs = time % lengthMs
    this.#from = Math.min(this.#from, time)
    return time
  }

  #begin(time: number): OpenRow {
    const { adapter, parts, lengthMs } = this.#options
    const row: OpenRow = { time, parts: parts.map(() => []), waiting: parts.length }
    this.#openRows.set(time, row)
    for (const { symbol, interval } of parts) {
      adapter.afterCandles(symbol, interval, time + lengthMs, () => {
        row.waiting -= 1
        if (row.waiting === 0) this.#close(row)
      })
    }
    return row
  }

  #close(row: OpenRow): void {
    const { lengthMs, isFilled } = this.#options
    const end = row.time + lengthMs
    this.#openRows.delete(row.time)
    this.#from = end
    const candles = row.parts.map((parts, index) => this.#candleOf(index, row.time, parts))
    if (isFilled && !this.#openRows.has(end)) this.#begin(end)
    if (this.rows$.isWatched && candles.some((candle) => candle !== undefined)) {
      this.rows$.push({ time: row.time, candles })
    }
  }

  #candleOf(index: number, time: number, told: readonly MarketCandle[]): MarketCandle | undefined {
    const parts = time < this.#options.askedAt ? this.#withEarlier(index, time, told) : told
    const [first, ...others] = parts
    const before = this.#before[index]
    const isFlat = first === undefined && this.#options.isFilled && before !== undefined
    const candle = isFlat ? MarketCandle.flat(time, before) : first && MarketCandle.joined(time, first, others)
    this.#before[index] = candle ?? before
    return candle
  }

  /** Of an interval that had begun when it was asked for. None where the earlier ones are not known. */
  #withEarlier(index: number, time: number, told: readonly MarketCandle[]): readonly MarketCandle[] {
    const { symbol, interval } = this.#options.parts[index] ?? {}
    if (symbol === undefined || interval === undefined) return told
    const { since, candles } = this.#options.adapter.earlierCandles(symbol, interval)
    if (since > time) return []
    const firstTold = told[0]?.time ?? Number.POSITIVE_INFINITY
    const end = Math.min(firstTold, time + this.#options.lengthMs)
    return [...candles.filter((candle) => candle.time >= time && candle.time < end), ...told]
  }
}

const WEEK_MS = lengthMsOf('1w')

function apart(parts: readonly CandleParts[], part: CandleParts): InputError {
  const symbols = parts.map(({ symbol }) => `'${symbol}'`).join(', ')
  const others = parts.filter((each) => each !== part).map(({ symbol }) => symbol)
  return new InputError(
    `candles([${symbols}], '${part.interval}')`,
    `candles of ${part.symbol} open at different times than those of ${others.join(' and ')}; request each symbol separately`,
  )
}
