/**
 * The trades of the last 24 hours of one market, for its ticker (decision 16).
 *
 * Open, high, low and volumes are updated when read, each trade once.
 * Known limit: 24 bytes per trade of the window, 40 while prices trend; the log must store trades that are not yet
 * `outdated`.
 */
import { invariant } from '../../domain/errors.ts'
import { TICKER_WINDOW_MS } from '../../domain/ticker.ts'
import { ExactSum } from '../exact-sum.ts'
import type { TradeColumns } from '../snapshot/exchange-snapshot.ts'
import { type Cut, LaterList } from '../snapshot/later-list.ts'
import type { TradeChunk, TradeLog } from './trade-log.ts'

const COMPACT_AT = 1024

/**
 * The extreme of a sliding window of numbered values: a monotonic queue, constant amortised time.
 *
 * Invariant: numbers rise and values fall (for a maximum; rise for a minimum) from front to back.
 */
class ExtremeQueue {
  readonly #sign: 1 | -1
  #numbers: number[] = []
  #values: number[] = []
  #front = 0

  constructor(extreme: 'maximum' | 'minimum') {
    this.#sign = extreme === 'maximum' ? 1 : -1
  }

  /** @param number  larger than every number pushed before */
  push(number: number, value: number): void {
    while (this.#values.length > this.#front && this.#isDominated(this.#values.at(-1) ?? value, value)) {
      this.#numbers.pop()
      this.#values.pop()
    }
    this.#numbers.push(number)
    this.#values.push(value)
  }

  /** Forgets the values with numbers below `number`. */
  dropBelow(number: number): void {
    while (this.#front < this.#numbers.length && (this.#numbers[this.#front] ?? number) < number) this.#front += 1
    if (this.#front > COMPACT_AT && this.#front * 2 > this.#numbers.length) {
      this.#numbers = this.#numbers.slice(this.#front)
      this.#values = this.#values.slice(this.#front)
      this.#front = 0
    }
  }

  /** Extreme of the window; undefined when it is empty. */
  get extreme(): number | undefined {
    return this.#values[this.#front]
  }

  #isDominated(older: number, newer: number): boolean {
    return older * this.#sign <= newer * this.#sign
  }
}

export interface WindowFigures {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: bigint
  readonly quoteVolume: bigint
}

export class TradeWindow {
  readonly #log: TradeLog
  /** Number of the first trade that is inside. */
  #first = 0
  /** Trades from the first to below this number are in the sums and queues. */
  #counted = 0
  readonly #volume = new ExactSum()
  readonly #quoteVolume = new ExactSum()
  readonly #highs = new ExtremeQueue('maximum')
  readonly #lows = new ExtremeQueue('minimum')

  constructor(log: TradeLog) {
    this.#log = log
  }

  /** The figures of (now - 24 h, now]; undefined when nothing was traded. `now` never goes back. */
  figures(now: number): WindowFigures | undefined {
    this.dropUntil(now - TICKER_WINDOW_MS)
    if (this.#first === this.#log.end) return undefined
    this.#countNew()
    this.#highs.dropBelow(this.#first)
    this.#lows.dropBelow(this.#first)
    const { extreme: high } = this.#highs
    const { extreme: low } = this.#lows
    const chunk = this.#log.chunkOf(this.#first)
    const open = chunk.price[this.#first - chunk.first]
    invariant(high !== undefined && low !== undefined && open !== undefined, 'a window with trades has extremes')
    return { open, high, low, volume: this.#volume.value, quoteVolume: this.#quoteVolume.value }
  }

  /**
   * Leaves out the trades up to a moment.
   *
   * @returns the number of the first trade that is still needed
   */
  dropUntil(time: number): number {
    while (this.#first < this.#log.end) {
      const chunk = this.#log.chunkOf(this.#first)
      const end = chunk.first + this.#log.rowsOf(chunk)
      const first = firstAfter(chunk.time, this.#first - chunk.first, end - chunk.first, time) + chunk.first
      this.#addToSums(chunk, this.#first, Math.min(first, this.#counted), -1)
      this.#first = first
      if (first < end) break
    }
    if (this.#counted < this.#first) this.#counted = this.#first
    return this.#first
  }

  /** The trades that are inside, column by column, oldest first. */
  snapshot(): Cut<TradeColumns> {
    const column = (of: 'time' | 'price' | 'qty'): LaterList<number> => LaterList.ofNumbers(this.#copy(of))
    return { time: column('time'), price: column('price'), qty: column('qty') }
  }

  /** Copied, because the log reuses the memory of dropped chunks. */
  #copy(column: 'time' | 'price' | 'qty'): Float64Array {
    const copy = new Float64Array(this.#log.end - this.#first)
    for (let number = this.#first; number < this.#log.end;) {
      const chunk = this.#log.chunkOf(number)
      const rows = this.#log.rowsOf(chunk)
      copy.set(chunk[column].subarray(number - chunk.first, rows), number - this.#first)
      number = chunk.first + rows
    }
    return copy
  }

  #countNew(): void {
    while (this.#counted < this.#log.end) {
      const chunk = this.#log.chunkOf(this.#counted)
      const end = chunk.first + this.#log.rowsOf(chunk)
      this.#addToSums(chunk, this.#counted, end, 1)
      for (let number = this.#counted; number < end; number += 1) {
        const price = chunk.price[number - chunk.first] ?? 0
        this.#highs.push(number, price)
        this.#lows.push(number, price)
      }
      this.#counted = end
    }
  }

  #addToSums({ first, price, qty }: TradeChunk, from: number, to: number, sign: 1 | -1): void {
    for (let row = from - first; row < to - first; row += 1) {
      const lots = (qty[row] ?? 0) * sign
      this.#volume.add(lots)
      this.#quoteVolume.addProduct(price[row] ?? 0, lots)
    }
  }
}

/** The first row from `from` to below `to` whose time is after a moment; `to` when none is. */
function firstAfter(times: Float64Array, from: number, to: number, time: number): number {
  if (to > from && (times[to - 1] ?? 0) <= time) return to
  let row = from
  while (row < to && (times[row] ?? 0) <= time) row += 1
  return row
}
