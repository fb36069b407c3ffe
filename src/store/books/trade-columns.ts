/**
 * Trades that were recorded beside a book, gathered in columns, in units.
 */
import type { TapeBlock } from '../../tape/tape.ts'
import type { Level } from './depth-columns.ts'
import { UnitTable } from './unit-table.ts'

export class TradeColumns {
  readonly #rows = new UnitTable(
    ['time', 'plain'],
    ['price', 'price'],
    ['qty', 'qty'],
    ['side', 'plain'],
    ['id', 'plain'],
  )
  #hasIds = true

  get length(): number {
    return this.#rows.length
  }

  /** @param side  of the aggressor, as a `TapeBlock` has it */
  add(time: number, [price, qty]: Level, side: number, id: number | undefined): void {
    this.#rows.push(time, price, qty, side, id ?? 0)
    if (id === undefined) this.#hasIds = false
  }

  /** Writes what is there with more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
  }

  take(): TapeBlock {
    const { id, side, ...rows } = this.#rows.take()
    return { ...rows, side: Uint8Array.from(side), ids: this.#hasIds ? id : undefined }
  }
}
