/**
 * Trades that were recorded beside a book, gathered in columns, in units.
 */
import type { TapeBlock } from '../../tape/tape.ts'
import type { Level } from './depth-columns.ts'
import { UnitColumn } from './unit-column.ts'

export class TradeColumns {
  readonly #time = new UnitColumn()
  readonly #price = new UnitColumn()
  readonly #qty = new UnitColumn()
  readonly #side = new UnitColumn()
  readonly #id = new UnitColumn()
  #hasIds = true

  get length(): number {
    return this.#time.length
  }

  /** @param side  of the aggressor, as a `TapeBlock` has it */
  add(time: number, [price, qty]: Level, side: number, id: number | undefined): void {
    this.#time.push(time)
    this.#price.push(price)
    this.#qty.push(qty)
    this.#side.push(side)
    this.#id.push(id ?? 0)
    if (id === undefined) this.#hasIds = false
  }

  /** Writes what is there with more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#price.refine(priceDecimals)
    this.#qty.refine(qtyDecimals)
  }

  take(): TapeBlock {
    const { length } = this
    const ids = this.#id.take()
    const side = Uint8Array.from(this.#side.take())
    return {
      length,
      time: this.#time.take(),
      price: this.#price.take(),
      qty: this.#qty.take(),
      side,
      ids: this.#hasIds ? ids : undefined,
    }
  }
}
