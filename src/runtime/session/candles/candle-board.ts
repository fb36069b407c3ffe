/**
 * Candles of one length, of one market or several, made of candles that the adapter tells: once a boundary, when the last one is known.
 *
 * It is told behind all candles that close at that moment, and before the timers of the strategy.
 * Invariant: nothing that is later than the boundary is in it, and every interval is told once, in the order of time.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { openTimeOf, type CandleLength } from '../../../domain/candle-length.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { MarketCandle } from '../../../strategy/market-data.ts'

/** The candles of one market that the others are made of. */
export interface CandleParts {
  readonly symbol: string
  readonly interval: CandleLength
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

  constructor(options: CandleBoardOptions) {
    const { adapter, parts, askedAt, isFromStart } = options
    this.#options = options
    this.#before = parts.map(() => undefined)
    this.#from = isFromStart ? Number.NEGATIVE_INFINITY : askedAt
    parts.forEach(({ symbol, interval }, index) => {
      adapter.candles(symbol, interval).subscribe((candle) => {
        this.#add(index, candle)
      })
    })
  }

  #add(index: number, candle: MarketCandle): void {
    const time = openTimeOf(candle.time, this.#options.lengthMs)
    if (time < this.#from) return
    const row = this.#openRows.get(time) ?? this.#begin(time)
    row.parts[index]?.push(candle)
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
