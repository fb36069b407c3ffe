/** Reads plain rows of candles from their bytes. */
import type { CandleRows } from './candle-rows.ts'
import type { Field } from './field.ts'
import { RowScanner, type OwnField } from './row-scanner.ts'
import type { TimeForm } from './time-column.ts'

const OPEN = 0
const HIGH = 1
const LOW = 2
const CLOSE = 3
const VOLUME = 4

export class CandleScanner extends RowScanner {
  readonly #rows: CandleRows
  // Values of the current row: digits without the point, and the number of decimal digits.
  readonly #mantissas = new Float64Array(VOLUME + 1)
  readonly #decimals = new Uint8Array(VOLUME + 1)

  constructor(
    rows: CandleRows,
    fields: readonly (Field | undefined)[],
    form: TimeForm,
    symbol: string,
    delimiter: number,
  ) {
    super(rows, fields, form, symbol, delimiter)
    this.#rows = rows
  }

  protected override readCell(field: OwnField, bytes: Uint8Array, start: number): boolean {
    switch (field) {
      case 'open':
        return this.#read(OPEN, bytes, start) > 0
      case 'high':
        return this.#read(HIGH, bytes, start) > 0
      case 'low':
        return this.#read(LOW, bytes, start) > 0
      case 'close':
        return this.#read(CLOSE, bytes, start) > 0
      case 'volume':
        return this.#read(VOLUME, bytes, start) >= 0
      case 'id':
      case 'price':
      case 'qty':
      case 'side':
      case 'is_buyer_maker':
      case 'conditions':
      case 'exchange':
        return false
    }
  }

  protected override take(): boolean {
    const rows = this.#rows
    const { time } = this
    if (time - rows.lastTime < rows.leastStep) return false
    const open = this.#price(OPEN)
    const high = this.#price(HIGH)
    const low = this.#price(LOW)
    const close = this.#price(CLOSE)
    const volume = this.units(rows.qty, this.#mantissas[VOLUME] ?? 0, this.#decimals[VOLUME] ?? 0)
    // A price that is not to be had is below 0.
    if (low < 0 || volume < 0 || open < low || open > high || close < low || close > high) return false
    rows.store(time, open, high, low, close, volume)
    return true
  }

  #read(figure: number, bytes: Uint8Array, start: number): number {
    const { numbers } = this
    const mantissa = numbers.decimal(bytes, start)
    this.#mantissas[figure] = mantissa
    this.#decimals[figure] = numbers.decimals
    this.end = numbers.end
    return mantissa
  }

  #price(figure: number): number {
    return this.units(this.#rows.price, this.#mantissas[figure] ?? 0, this.#decimals[figure] ?? 0)
  }
}
