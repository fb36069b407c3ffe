/** Cursor over the rows of blocks, moving by one row or many. */
import { isCandleBlock } from '../../../tape/tape.ts'
import { firstRowFrom } from '../../../tape/window.ts'
import type { StoredRows } from '../blocks/block-codec.ts'

/** Position of a row in its block. */
export interface RowAt {
  readonly rows: StoredRows
  readonly row: number
}

export class RowCursor {
  readonly #blocks: Iterator<StoredRows>
  #rows: StoredRows | undefined
  #row = 0

  /** @param blocks  in the order of time, none of them empty */
  constructor(blocks: Iterable<StoredRows>) {
    this.#blocks = blocks[Symbol.iterator]()
    this.#nextBlock()
  }

  /** Unix milliseconds of the row; Infinity after the last. */
  get time(): number {
    return this.#rows?.block.time[this.#row] ?? Number.POSITIVE_INFINITY
  }

  /** Id of the row, if it is an integer. */
  get id(): number | undefined {
    const block = this.#rows?.block
    return block !== undefined && !isCandleBlock(block) && block.ids instanceof Float64Array
      ? block.ids[this.#row]
      : undefined
  }

  /** Position of the row; undefined after the last. */
  get here(): RowAt | undefined {
    return this.#rows && { rows: this.#rows, row: this.#row }
  }

  /** Steps over rows of its block, as many as there are at most. */
  skip(count: number): void {
    this.#goTo(this.#row + count)
  }

  /** Steps over the row. */
  take(): RowAt | undefined {
    const rows = this.#rows
    if (rows === undefined) return undefined
    const taken = { rows, row: this.#row }
    this.#goTo(this.#row + 1)
    return taken
  }

  /** Steps over the rows of its block that are before a time, which `onRows` takes. */
  takeBefore(time: number, onRows: (rows: StoredRows, start: number, end: number) => void): void {
    const rows = this.#rows
    if (rows === undefined) return
    const end = firstRowFrom(rows.block, time, this.#row)
    if (end > this.#row) onRows(rows, this.#row, end)
    this.#goTo(end)
  }

  #goTo(row: number): void {
    this.#row = row
    if (this.#rows !== undefined && row >= this.#rows.block.length) this.#nextBlock()
  }

  #nextBlock(): void {
    const next = this.#blocks.next()
    this.#rows = next.done === true ? undefined : next.value
    this.#row = 0
  }
}
