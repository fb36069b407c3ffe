/**
 * Quotes gathered in columns, in units.
 */
import type { QuoteBlock } from '../../tape/quote-block.ts'
import type { Level } from './depth-columns.ts'
import { UnitColumn } from './unit-column.ts'

export class QuoteColumns {
  readonly #time = new UnitColumn()
  readonly #bid = new UnitColumn()
  readonly #bidQty = new UnitColumn()
  readonly #ask = new UnitColumn()
  readonly #askQty = new UnitColumn()

  get length(): number {
    return this.#time.length
  }

  add(time: number, [bid, bidQty]: Level, [ask, askQty]: Level): void {
    this.#time.push(time)
    this.#bid.push(bid)
    this.#bidQty.push(bidQty)
    this.#ask.push(ask)
    this.#askQty.push(askQty)
  }

  /** Writes what is there with more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    for (const price of [this.#bid, this.#ask]) price.refine(priceDecimals)
    for (const qty of [this.#bidQty, this.#askQty]) qty.refine(qtyDecimals)
  }

  take(): QuoteBlock {
    const { length } = this
    const sides = {
      bid: this.#bid.take(),
      bidQty: this.#bidQty.take(),
      ask: this.#ask.take(),
      askQty: this.#askQty.take(),
    }
    return { length, time: this.#time.take(), ...sides }
  }
}
