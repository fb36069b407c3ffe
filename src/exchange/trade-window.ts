/**
 * The trades of the last 24 hours of one market, for its ticker (decision 16).
 *
 * A trade is only written down when it happens (three stores); open, high, low and volumes are brought up to date when they are
 * read, each trade once. Known limit: 24 bytes a trade of the window.
 */
import { invariant } from '../domain/errors.ts'
import { TICKER_WINDOW_MS } from '../domain/ticker.ts'
import { ExactSum } from './exact-sum.ts'
import { ExtremeQueue } from './extreme-queue.ts'

export interface WindowFigures {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: bigint
  readonly quoteVolume: bigint
}

const FIRST_CAPACITY = 1024

export class TradeWindow {
  // A ring: trade number n lives at n % capacity, and capacity is a power of two.
  #time = new Float64Array(FIRST_CAPACITY)
  #price = new Float64Array(FIRST_CAPACITY)
  #qty = new Float64Array(FIRST_CAPACITY)
  #mask = FIRST_CAPACITY - 1
  #first = 0
  #end = 0
  /** Trades below this number are in the sums and queues. */
  #counted = 0
  readonly #volume = new ExactSum()
  readonly #quoteVolume = new ExactSum()
  readonly #highs = new ExtremeQueue('maximum')
  readonly #lows = new ExtremeQueue('minimum')

  /** @param time  not before that of the trade before */
  append(time: number, price: number, qty: number): void {
    this.#dropUntil(time - TICKER_WINDOW_MS)
    if (this.#end - this.#first > this.#mask) this.#grow()
    const slot = this.#end & this.#mask
    this.#time[slot] = time
    this.#price[slot] = price
    this.#qty[slot] = qty
    this.#end += 1
  }

  /** The figures of (now - 24 h, now]; undefined when nothing was traded. `now` never goes back. */
  figures(now: number): WindowFigures | undefined {
    this.#dropUntil(now - TICKER_WINDOW_MS)
    if (this.#first === this.#end) return undefined
    this.#countNew()
    this.#highs.dropBelow(this.#first)
    this.#lows.dropBelow(this.#first)
    const { extreme: high } = this.#highs
    const { extreme: low } = this.#lows
    const open = this.#price[this.#first & this.#mask]
    invariant(high !== undefined && low !== undefined && open !== undefined, 'a window with trades has extremes')
    return { open, high, low, volume: this.#volume.value, quoteVolume: this.#quoteVolume.value }
  }

  #dropUntil(time: number): void {
    while (this.#first < this.#end && (this.#time[this.#first & this.#mask] ?? 0) <= time) {
      if (this.#first < this.#counted) this.#addToSums(this.#first, -1)
      this.#first += 1
    }
    if (this.#counted < this.#first) this.#counted = this.#first
  }

  #countNew(): void {
    for (; this.#counted < this.#end; this.#counted += 1) {
      this.#addToSums(this.#counted, 1)
      const price = this.#price[this.#counted & this.#mask] ?? 0
      this.#highs.push(this.#counted, price)
      this.#lows.push(this.#counted, price)
    }
  }

  #addToSums(number: number, sign: 1 | -1): void {
    const slot = number & this.#mask
    const qty = (this.#qty[slot] ?? 0) * sign
    this.#volume.add(qty)
    this.#quoteVolume.addProduct(this.#price[slot] ?? 0, qty)
  }

  #grow(): void {
    const capacity = (this.#mask + 1) * 2
    const grown = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const wider = new Float64Array(capacity)
      for (let number = this.#first; number < this.#end; number += 1) {
        wider[number & (capacity - 1)] = column[number & this.#mask] ?? 0
      }
      return wider
    }
    this.#time = grown(this.#time)
    this.#price = grown(this.#price)
    this.#qty = grown(this.#qty)
    this.#mask = capacity - 1
  }
}
