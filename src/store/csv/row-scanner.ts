/**
 * Reads plain rows of trades straight from bytes: no quotes, no control characters, integers and decimals of common size.
 *
 * Invariant: a row that it takes, `TradeRows.addRow` would take with the same values; any other row, wrong or merely unusual, it
 * leaves as if it had not been looked at, for `addRow` to judge. So it never reports an error.
 */
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'
import type { Field } from './field.ts'
import { PlainNumbers, UNUSUAL } from './plain-numbers.ts'
import type { IntegerTimes } from './time-column.ts'
import type { TradeRows } from './trade-rows.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const ONE = 0x31
/** Set in a lower-case letter, not set in an upper-case one. */
const CASE_BIT = 0x20

const BUY = Buffer.from('buy')
const SELL = Buffer.from('sell')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

export class RowScanner {
  readonly #rows: TradeRows
  readonly #fields: readonly (Field | undefined)[]
  readonly #times: IntegerTimes
  readonly #symbol: Uint8Array
  readonly #numbers = new PlainNumbers()
  /** Where the cell that was read last ends. */
  #end = 0
  // The row that is being read.
  #id = 0
  #time = 0
  #isTimeCut = false
  #price = 0
  #priceDecimals = 0
  #qty = 0
  #qtyDecimals = 0
  #side: number = SIDE_UNKNOWN

  /**
   * @param rows    has taken a row, so that the forms of its columns are known; its ids are safe integers, if it has any
   * @param fields  the field of each column
   * @param times   the form of its times
   * @param symbol  what its symbol column holds, when there is one
   */
  constructor(rows: TradeRows, fields: readonly (Field | undefined)[], times: IntegerTimes, symbol: string) {
    this.#rows = rows
    this.#fields = fields
    this.#times = times
    this.#symbol = Buffer.from(symbol)
  }

  /**
   * Takes rows until the block is full or a row is not plain.
   *
   * @param bytes  whole lines in UTF-8: the last byte is a line feed
   * @param start  where the first row begins
   * @returns      where the first row begins that was not taken
   */
  scan(bytes: Uint8Array, start: number): number {
    let at = start
    while (at < bytes.length && !this.#rows.isFull) {
      const next = this.#row(bytes, at)
      if (next === UNUSUAL) return at
      at = next
    }
    return at
  }

  /** Takes one row. Returns where the next one begins. */
  #row(bytes: Uint8Array, start: number): number {
    const fields = this.#fields
    let at = start
    for (let column = 0; column < fields.length; column += 1) {
      if (column > 0) {
        if (bytes[at] !== COMMA) return UNUSUAL
        at += 1
      }
      if (!this.#cell(bytes, at, fields[column])) return UNUSUAL
      at = this.#end
    }
    if (bytes[at] === CARRIAGE_RETURN) at += 1
    return bytes[at] === LINE_FEED && this.#take() ? at + 1 : UNUSUAL
  }

  /** Reads a cell; false when it is not plain, or wrong for its field. */
  #cell(bytes: Uint8Array, start: number, field: Field | undefined): boolean {
    const numbers = this.#numbers
    switch (field) {
      case 'id':
        this.#id = numbers.integer(bytes, start, 0)
        this.#end = numbers.end
        return this.#id !== UNUSUAL
      case 'time':
        this.#time = numbers.integer(bytes, start, this.#times.cutDigits)
        this.#isTimeCut = numbers.hasCut
        this.#end = numbers.end
        return this.#time >= this.#times.min && this.#time < this.#times.max
      case 'price':
        this.#price = numbers.decimal(bytes, start)
        this.#priceDecimals = numbers.decimals
        this.#end = numbers.end
        return this.#price > 0
      case 'qty':
        this.#qty = numbers.decimal(bytes, start)
        this.#qtyDecimals = numbers.decimals
        this.#end = numbers.end
        return this.#qty > 0
      case 'side':
        return this.#readSide(bytes, start)
      case 'is_buyer_maker':
        return this.#readBuyerMaker(bytes, start)
      case 'symbol':
        return this.#is(this.#symbol, bytes, start, 0)
      case undefined:
        return this.#skip(bytes, start)
      case 'open':
      case 'high':
      case 'low':
      case 'close':
      case 'volume':
        return false
    }
  }

  #readSide(bytes: Uint8Array, start: number): boolean {
    const first = (bytes[start] ?? 0) | CASE_BIT
    this.#side = first === BUY[0] ? SIDE_BUY : SIDE_SELL
    if (this.#is(BUY, bytes, start, CASE_BIT) || this.#is(SELL, bytes, start, CASE_BIT)) return true
    this.#end = start + 1
    return first === BUY[0] || first === SELL[0]
  }

  #readBuyerMaker(bytes: Uint8Array, start: number): boolean {
    const first = bytes[start] ?? 0
    const isOne = first === ONE
    this.#side = isOne || (first | CASE_BIT) === TRUE[0] ? SIDE_SELL : SIDE_BUY
    if (this.#is(TRUE, bytes, start, CASE_BIT) || this.#is(FALSE, bytes, start, CASE_BIT)) return true
    this.#end = start + 1
    return isOne || first === ZERO
  }

  /** True when `word` stands there; `caseBit` is set in each byte before it is compared. */
  #is(word: Uint8Array, bytes: Uint8Array, start: number, caseBit: number): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (((bytes[start + index] ?? 0) | caseBit) !== word[index]) return false
    }
    this.#end = start + word.length
    return true
  }

  #skip(bytes: Uint8Array, start: number): boolean {
    let at = start
    let byte = bytes[at] ?? 0
    while (byte >= SPACE && byte !== COMMA && byte !== QUOTE) {
      at += 1
      byte = bytes[at] ?? 0
    }
    this.#end = at
    return true
  }

  /** Takes the row that was read, when it may follow the one before. */
  #take(): boolean {
    const rows = this.#rows
    const time = this.#time * this.#times.factor
    if (time < rows.lastTime) return false
    const price = rows.price.units(this.#price, this.#priceDecimals)
    const qty = rows.qty.units(this.#qty, this.#qtyDecimals)
    if (price < 0 || qty < 0) return false
    if (rows.ids !== undefined) {
      // The id comes last: once taken, the row cannot be looked at again.
      if (!rows.ids.takeNumber(this.#id)) return false
      rows.storeNumericId(this.#id)
    }
    if (this.#isTimeCut) rows.time.noteInexact()
    rows.store(time, price, qty, this.#side)
    return true
  }
}
