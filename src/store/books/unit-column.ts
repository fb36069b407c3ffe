/**
 * Columns of integers that grow row by row, and are written with more decimals when a row needs them.
 */
import { refineValues } from '../csv/decimal-column.ts'

const FIRST_ROWS = 1_024

export class UnitColumn {
  #values = new Float64Array(FIRST_ROWS)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Float64Array(2 * this.length)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.length] = value
    this.length += 1
  }

  /** Writes what is there with more decimals. */
  refine(decimals: number): void {
    if (decimals > 0) refineValues(this.#values, this.length, decimals)
  }

  /** The values, in memory of their own; the column begins anew. */
  take(): Float64Array {
    const taken = this.#values.slice(0, this.length)
    this.length = 0
    return taken
  }
}
