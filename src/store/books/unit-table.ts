/** Rows of integers in named columns, which are written with more decimals when a row needs them. */
import { refineValues } from '../../import/csv/decimal-column.ts'

/** Contents of a column: prices, quantities, or values without decimals. */
export type UnitKind = 'price' | 'qty' | 'plain'

type Columns = readonly (readonly [name: string, kind: UnitKind])[]

/** Rows in memory of their own. */
type Rows<Table extends Columns> = Readonly<Record<Table[number][0], Float64Array>> & { readonly length: number }

const FIRST_ROWS = 1_024

export class UnitTable<const Table extends Columns> {
  readonly #columns: Table
  readonly #values: Float64Array[]
  #capacity = FIRST_ROWS
  #length = 0

  constructor(...columns: Table) {
    this.#columns = columns
    this.#values = columns.map(() => new Float64Array(FIRST_ROWS))
  }

  get length(): number {
    return this.#length
  }

  /** @param row  a value for each column, in their order */
  push(...row: { readonly [Column in keyof Table]: number }): void {
    const at = this.#length
    if (at === this.#capacity) this.#widen()
    const values = this.#values
    for (let column = 0; column < values.length; column += 1) {
      const of = values[column]
      if (of !== undefined) of[at] = row[column] ?? Number.NaN
    }
    this.#length = at + 1
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    const decimals = { price: priceDecimals, qty: qtyDecimals, plain: 0 }
    for (const [column, values] of this.#values.entries()) {
      const more = decimals[this.#columns[column]?.[1] ?? 'plain']
      if (more > 0) refineValues(values, this.#length, more)
    }
  }

  /** Takes the rows since the last call and empties the table. */
  take(): Rows<Table> {
    const length = this.#length
    const taken = Object.fromEntries(
      this.#columns.map(([name], column) => [name, this.#values[column]?.slice(0, length)]),
    )
    this.#length = 0
    return { length, ...(taken as Record<Table[number][0], Float64Array>) }
  }

  #widen(): void {
    this.#capacity *= 2
    for (const [column, values] of this.#values.entries()) {
      const wider = new Float64Array(this.#capacity)
      wider.set(values)
      this.#values[column] = wider
    }
  }
}
