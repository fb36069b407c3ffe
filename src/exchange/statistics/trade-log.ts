/**
 * Log of the trades of one market: three numbers each, in order of arrival, for later reading.
 *
 * Invariant: trades are numbered from 0; those in [`first`, `end`) can be read.
 */
import { InvariantError } from '../../domain/errors.ts'

const CHUNK_TRADES = 4096

/** Columns of consecutive trades: trade number n is in row `n - first`. */
export class TradeChunk {
  /** Unix milliseconds. */
  readonly time = new Float64Array(CHUNK_TRADES)
  /** Ticks. */
  readonly price = new Float64Array(CHUNK_TRADES)
  /** Lots. */
  readonly qty = new Float64Array(CHUNK_TRADES)
  /** Changes when the columns are written again. */
  first: number

  constructor(first: number) {
    this.first = first
  }
}

export class TradeLog {
  /** Oldest first, never empty. */
  readonly #chunks: TradeChunk[] = []
  #newest = new TradeChunk(0)
  /** Rows of the newest chunk that are written. */
  #rows = 0
  /** Columns that were forgotten, to be written again. */
  #spare: TradeChunk | undefined

  constructor() {
    this.#chunks.push(this.#newest)
  }

  get first(): number {
    return this.#chunks[0]?.first ?? 0
  }

  get end(): number {
    return this.#newest.first + this.#rows
  }

  /**
   * Appends a trade.
   *
   * @returns true when a chunk is full: read its contents then, and drop chunks no longer needed
   */
  append(time: number, price: number, qty: number): boolean {
    if (this.#rows === CHUNK_TRADES) this.#begin()
    const row = this.#rows
    const newest = this.#newest
    newest.time[row] = time
    newest.price[row] = price
    newest.qty[row] = qty
    this.#rows = row + 1
    return row === CHUNK_TRADES - 1
  }

  /** The columns that hold a trade. */
  chunkOf(number: number): TradeChunk {
    const chunk = this.#chunks[Math.floor((number - this.first) / CHUNK_TRADES)]
    if (chunk === undefined) throw new InvariantError(`trade ${number} is not in the log`)
    return chunk
  }

  /** Number of trades of a chunk that are written. */
  rowsOf(chunk: TradeChunk): number {
    return chunk === this.#newest ? this.#rows : CHUNK_TRADES
  }

  /** Forgets the chunks whose trades are all below a number. */
  forgetBelow(number: number): void {
    while (this.#chunks.length > 1 && this.first + CHUNK_TRADES <= number) this.#spare = this.#chunks.shift()
  }

  #begin(): void {
    const first = this.end
    this.#newest = this.#spare ?? new TradeChunk(first)
    this.#newest.first = first
    this.#spare = undefined
    this.#rows = 0
    this.#chunks.push(this.#newest)
  }
}
