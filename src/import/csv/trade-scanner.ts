/** Reads plain rows of trades from their bytes. */
import { DIGIT_0, DIGIT_1, SPACE } from '../../domain/ascii.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'
import { NO_CONDITIONS } from './condition-column.ts'
import type { Field } from './field.ts'
import { UNUSUAL } from './plain-numbers.ts'
import { RowScanner, type OwnField } from './row-scanner.ts'
import type { TimeForm } from './time-column.ts'
import { DOUBTFUL, PLAIN, REPORTING_FACILITIES } from './trade-conditions.ts'
import type { TradeRows } from './trade-rows.ts'

/** Set in a lower-case letter, not set in an upper-case one. */
const CASE_BIT = 0x20

const BUY = Buffer.from('buy')
const SELL = Buffer.from('sell')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const FACILITIES = REPORTING_FACILITIES.map((name) => Buffer.from(name))

export class TradeScanner extends RowScanner {
  readonly #rows: TradeRows
  // The row that is being read.
  #id = 0
  #price = 0
  #priceDecimals = 0
  #qty = 0
  #qtyDecimals = 0
  #side: number = SIDE_UNKNOWN
  #byConditions: number = PLAIN
  #byExchange: number = PLAIN

  /** @param rows  its ids are safe integers, if it has any */
  constructor(
    rows: TradeRows,
    fields: readonly (Field | undefined)[],
    form: TimeForm,
    symbol: string,
    delimiter: number,
  ) {
    super(rows, fields, form, symbol, delimiter)
    this.#rows = rows
  }

  protected override readCell(field: OwnField, bytes: Uint8Array, start: number): boolean {
    const { numbers } = this
    switch (field) {
      case 'id':
        this.#id = numbers.integer(bytes, start, 0)
        this.end = numbers.end
        return this.#id !== UNUSUAL
      case 'price':
        this.#price = numbers.decimal(bytes, start)
        this.#priceDecimals = numbers.decimals
        this.end = numbers.end
        return this.#price > 0
      case 'qty':
        this.#qty = numbers.decimal(bytes, start)
        this.#qtyDecimals = numbers.decimals
        this.end = numbers.end
        return this.#qty > 0
      case 'side':
        return this.#readSide(bytes, start)
      case 'is_buyer_maker':
        return this.#readBuyerMaker(bytes, start)
      case 'conditions':
        return this.#readConditions(bytes, start)
      case 'exchange':
        return this.#readExchange(bytes, start)
      case 'open':
      case 'high':
      case 'low':
      case 'close':
      case 'volume':
        return false
    }
  }

  protected override take(): boolean {
    const rows = this.#rows
    if (this.time < rows.lastTime) return false
    const price = this.units(rows.price, this.#price, this.#priceDecimals)
    const qty = this.units(rows.qty, this.#qty, this.#qtyDecimals)
    if (price < 0 || qty < 0) return false
    if (rows.ids !== undefined) {
      // The id comes last, because the row cannot be read again once it is stored.
      if (!rows.ids.takeNumber(this.#id)) return false
      rows.storeNumericId(this.#id)
    }
    rows.store(this.time, price, qty, this.#side, this.#byConditions | this.#byExchange)
    return true
  }

  #readConditions(bytes: Uint8Array, start: number): boolean {
    this.skip(bytes, start)
    this.#byConditions = this.#rows.conditions?.read(bytes, start, this.end) ?? NO_CONDITIONS
    return this.#byConditions >= 0
  }

  #readExchange(bytes: Uint8Array, start: number): boolean {
    this.skip(bytes, start)
    const { end } = this
    this.#byExchange = PLAIN
    for (const name of FACILITIES) {
      if (name.length === end - start && this.is(name, bytes, start, CASE_BIT)) this.#byExchange = DOUBTFUL
    }
    return bytes[start] !== SPACE && bytes[end - 1] !== SPACE
  }

  #readSide(bytes: Uint8Array, start: number): boolean {
    const first = (bytes[start] ?? 0) | CASE_BIT
    this.#side = first === BUY[0] ? SIDE_BUY : SIDE_SELL
    if (this.is(BUY, bytes, start, CASE_BIT) || this.is(SELL, bytes, start, CASE_BIT)) return true
    this.end = start + 1
    return first === BUY[0] || first === SELL[0]
  }

  #readBuyerMaker(bytes: Uint8Array, start: number): boolean {
    const first = bytes[start] ?? 0
    const isOne = first === DIGIT_1
    this.#side = isOne || (first | CASE_BIT) === TRUE[0] ? SIDE_SELL : SIDE_BUY
    if (this.is(TRUE, bytes, start, CASE_BIT) || this.is(FALSE, bytes, start, CASE_BIT)) return true
    this.end = start + 1
    return isOne || first === DIGIT_0
  }
}
