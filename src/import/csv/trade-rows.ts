/**
 * Trades of a file in columns.
 *
 * Invariant: times never decrease, and ids follow the law of their form.
 */
import { powerOfTen } from '../../domain/fixed-point.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN, type TapeBlock } from '../../tape/tape.ts'
import { ConditionColumn, IN_TWO_WAYS, type ConditionForm } from './condition-column.ts'
import { DecimalColumn, refineValues } from './decimal-column.ts'
import { IdColumn } from './id-column.ts'
import type { RowCells } from './row-cells.ts'
import { BLOCK_ROWS, type RowSink, type RowTotals, type SinkMark } from './row-sink.ts'
import type { TapeSource } from '../tape-source.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { SORT_HINT } from './sort-hint.ts'
import { TimeColumn } from './time-column.ts'
import { DOUBTFUL, PLAIN, REPORTING_FACILITIES } from './trade-conditions.ts'

export class TradeRows implements RowSink {
  readonly time: TimeColumn
  readonly price: DecimalColumn
  readonly qty: DecimalColumn
  /** Undefined for a file without ids. */
  readonly ids: IdColumn | undefined
  /** Undefined for a file without conditions. */
  readonly conditions: ConditionColumn | undefined
  readonly #cells: RowCells
  readonly #isAnyOrder: boolean
  /** True if conditions, or the exchange of a print, can mark it as doubtful. */
  readonly #hasDoubts: boolean
  #block: Block
  #length = 0
  #rowsBefore = 0
  #from = 0
  /** Precisions of the block. */
  #pricePrecision = 0
  #qtyPrecision = 0
  #lastTime = 0
  #duplicates = 0
  #unknownSides = 0
  /** Rows of earlier blocks in the millisecond of the last row, by id. */
  readonly #edge = new Map<string, Figures & TapePrecisions>()

  constructor(cells: RowCells, declaresMilliseconds: boolean, source: TapeSource) {
    this.#cells = cells
    this.#isAnyOrder = source.sort === true
    this.time = new TimeColumn(declaresMilliseconds, source.timeUnit, source.zone)
    this.price = new DecimalColumn(source.pricePrecision)
    this.qty = new DecimalColumn(source.qtyPrecision)
    this.#pricePrecision = this.price.precision
    this.#qtyPrecision = this.qty.precision
    this.ids = cells.has('id') ? new IdColumn(this.#isAnyOrder) : undefined
    this.conditions = cells.has('conditions') ? new ConditionColumn() : undefined
    this.#hasDoubts = this.conditions !== undefined || cells.has('exchange')
    this.#block = newBlock(this.#hasDoubts)
  }

  get rows(): number {
    return this.#rowsBefore + this.#length
  }

  get isFull(): boolean {
    return this.#length === BLOCK_ROWS
  }

  /** Unix milliseconds before which no row may be; 0 where any may. */
  get lastTime(): number {
    return this.#isAnyOrder ? 0 : this.#lastTime
  }

  get duplicates(): number {
    return this.#duplicates
  }

  mark(): SinkMark {
    return { time: this.time.mark(), price: this.price.mark(), qty: this.qty.mark() }
  }

  restore({ time, price, qty }: SinkMark): void {
    this.time.restore(time)
    // The rows before are not written back with fewer decimals.
    if (this.#pricePrecision <= price.precision) this.price.restore(price)
    if (this.#qtyPrecision <= qty.precision) this.qty.restore(qty)
  }

  addRow(): void {
    const cells = this.#cells
    const time = cells.time(this.time)
    if (time < this.lastTime)
      throw cells.error('time', `a time not before that of the row before, in line ${cells.line - 1}`, SORT_HINT)
    const price = cells.units('price', 'price', this.price, 1)
    const qty = cells.units('qty', 'quantity', this.qty, 1)
    const side = sideOf(cells)
    if (side === SIDE_UNKNOWN) this.#unknownSides += 1
    const byConditions = this.conditions === undefined ? PLAIN : outcomeOf(cells, this.conditions)
    const byExchange = cells.has('exchange') && isReportingFacility(cells.text('exchange')) ? DOUBTFUL : PLAIN
    this.#refineBlock()
    if (this.ids !== undefined && !this.#addId(this.ids, time, price, qty, side)) {
      this.#duplicates += 1
      this.price.skipRow()
      this.qty.skipRow()
      return
    }
    this.store(time, price, qty, side, byConditions | byExchange, cells.line)
  }

  /**
   * Keeps a row that is known to be right, after its id.
   *
   * @param isDoubtful  PLAIN or DOUBTFUL
   * @param line        known to who may need more decimals than the rows before
   */
  store(time: number, price: number, qty: number, side: number, isDoubtful: number, line?: number): void {
    const block = this.#block
    const row = this.#length
    block.time[row] = time
    block.price[row] = price
    block.qty[row] = qty
    block.side[row] = side
    if (block.isDoubtful !== undefined) block.isDoubtful[row] = isDoubtful
    this.price.endRow(line)
    this.qty.endRow(line)
    if (this.rows === 0) this.#from = time
    this.#lastTime = time
    this.#length = row + 1
  }

  /** Keeps the id of the row that is stored next. */
  storeNumericId(id: number): void {
    this.#block.numericIds[this.#length] = id
  }

  takeBlock(): TapeBlock {
    const block = this.currentBlock()
    this.#rememberEdge()
    this.#block = newBlock(this.#hasDoubts)
    this.#rowsBefore += this.#length
    this.#length = 0
    return block
  }

  currentBlock(): TapeBlock {
    const { time, price, qty, side, isDoubtful, numericIds, textIds } = this.#block
    const length = this.#length
    const ids = this.ids && (this.ids.form === 'number' ? numericIds : textIds)
    return { length, time, price, qty, side, ...(isDoubtful === undefined ? {} : { isDoubtful }), ids }
  }

  dropBlock(): void {
    this.#rememberEdge()
    this.#rowsBefore += this.#length
    this.#length = 0
    this.#block.textIds.length = 0
  }

  totals(): RowTotals {
    return {
      rows: this.rows,
      emptyCandles: 0,
      from: this.#from,
      to: this.#lastTime,
      pricePrecision: this.price.precision,
      qtyPrecision: this.qty.precision,
      rowsAtPricePrecision: this.price.rowsAtPrecision,
      rowsAtQtyPrecision: this.qty.rowsAtPrecision,
      hasSides: this.#unknownSides === 0,
      hasConditions: this.conditions?.areReported === true,
    }
  }

  /** The rows before may have been written with fewer decimals. */
  #refineBlock(): void {
    const { price, qty } = this
    if (price.precision === this.#pricePrecision && qty.precision === this.#qtyPrecision) return
    refineValues(this.#block.price, this.#length, price.precision - this.#pricePrecision)
    refineValues(this.#block.qty, this.#length, qty.precision - this.#qtyPrecision)
    this.#pricePrecision = price.precision
    this.#qtyPrecision = qty.precision
  }

  /** False for a row that is there already, to the last figure. */
  #addId(ids: IdColumn, time: number, price: number, qty: number, side: number): boolean {
    const text = this.#cells.text('id')
    const fault = ids.take(text, time)
    if (fault === 'repeated' || fault === 'not-increasing') {
      const before = this.#figuresOf(text, time)
      if (before?.price === price && before.qty === qty && before.side === side) return false
      if (before !== undefined)
        throw this.#cells.error('id', 'another id, for the row before that has this one is not the same')
    }
    if (fault !== undefined) throw this.#cells.error('id', EXPECTED_ID[fault])
    if (ids.form === 'number') this.storeNumericId(Number(text))
    else this.#block.textIds[this.#length] = text
    return true
  }

  /** Values of the row with that id and time; undefined if there is none. */
  #figuresOf(id: string, time: number): Figures | undefined {
    const { numericIds, textIds, time: times, price, qty, side } = this.#block
    const isNumber = this.ids?.form === 'number'
    for (let row = this.#length - 1; row >= 0 && times[row] === time; row -= 1) {
      if (isNumber ? numericIds[row] !== Number(id) : textIds[row] !== id) continue
      return { price: price[row] ?? 0, qty: qty[row] ?? 0, side: side[row] ?? 0 }
    }
    const before = this.#edge.get(id)
    if (before === undefined || time !== this.#lastTime) return undefined
    const price10 = this.price.precision - before.pricePrecision
    const qty10 = this.qty.precision - before.qtyPrecision
    return { price: refined(before.price, price10), qty: refined(before.qty, qty10), side: before.side }
  }

  /** Remembers the rows of the last millisecond of a block that goes. */
  #rememberEdge(): void {
    if (this.ids === undefined) return
    const { numericIds, textIds, time, price, qty, side } = this.#block
    const isNumber = this.ids.form === 'number'
    const precisions = { pricePrecision: this.#pricePrecision, qtyPrecision: this.#qtyPrecision }
    if (time[0] !== this.#lastTime) this.#edge.clear()
    for (let row = this.#length - 1; row >= 0 && time[row] === this.#lastTime; row -= 1) {
      const id = isNumber ? String(numericIds[row]) : (textIds[row] ?? '')
      this.#edge.set(id, { price: price[row] ?? 0, qty: qty[row] ?? 0, side: side[row] ?? 0, ...precisions })
    }
  }
}

/** Values that must be equal in two rows with one id. */
interface Figures {
  readonly price: number
  readonly qty: number
  readonly side: number
}

const refined = (units: number, digits: number): number => units * Number(powerOfTen(digits))

const EXPECTED_ID = {
  empty: 'an id',
  repeated: 'an id that is not yet used in this millisecond',
  'not-an-integer': 'an integer id, as in the first row',
  'not-increasing': 'an id above that of the row before',
} as const

interface Block {
  readonly time: Float64Array
  readonly price: Float64Array
  readonly qty: Float64Array
  readonly side: Uint8Array
  readonly isDoubtful: Uint8Array | undefined
  readonly numericIds: Float64Array
  readonly textIds: string[]
}

const newBlock = (hasDoubts: boolean): Block => ({
  time: new Float64Array(BLOCK_ROWS),
  price: new Float64Array(BLOCK_ROWS),
  qty: new Float64Array(BLOCK_ROWS),
  side: new Uint8Array(BLOCK_ROWS),
  isDoubtful: hasDoubts ? new Uint8Array(BLOCK_ROWS) : undefined,
  numericIds: new Float64Array(BLOCK_ROWS),
  textIds: [],
})

const SIDES: ReadonlyMap<string, number> = new Map([
  ['buy', SIDE_BUY],
  ['b', SIDE_BUY],
  ['sell', SIDE_SELL],
  ['s', SIDE_SELL],
  ['unknown', SIDE_UNKNOWN],
])

// If the buyer was the maker, the seller was the aggressor.
const SIDES_BY_BUYER_MAKER: ReadonlyMap<string, number> = new Map([
  ['true', SIDE_SELL],
  ['1', SIDE_SELL],
  ['false', SIDE_BUY],
  ['0', SIDE_BUY],
])

/** Side of the aggressor, whose name may be in any case; SIDE_UNKNOWN for a file without sides. */
function sideOf(cells: RowCells): number {
  if (cells.has('side')) {
    const side = SIDES.get(cells.text('side').toLowerCase())
    if (side === undefined) throw cells.error('side', 'buy or sell')
    return side
  }
  if (!cells.has('is_buyer_maker')) return SIDE_UNKNOWN
  const side = SIDES_BY_BUYER_MAKER.get(cells.text('is_buyer_maker').toLowerCase())
  if (side === undefined) throw cells.error('is_buyer_maker', 'true or false')
  return side
}

const EXPECTED_CONDITIONS: Readonly<Record<ConditionForm | 'either', string>> = {
  letters: 'conditions as letters of the SIP, as in the rows before',
  bits: "conditions as LEAN's bits in hex, as in the rows before",
  either: "conditions as letters of the SIP such as @ or F I, or as LEAN's bits in hex such as 80000001",
}
const IN_ONE_WAY = 'conditions that are read in one way (letters with @ among them, or bits with all eight digits)'

/** PLAIN or DOUBTFUL. */
function outcomeOf(cells: RowCells, conditions: ConditionColumn): number {
  const outcome = conditions.take(cells.text('conditions'))
  if (outcome >= 0) return outcome
  const expected = outcome === IN_TWO_WAYS ? IN_ONE_WAY : EXPECTED_CONDITIONS[conditions.form ?? 'either']
  throw cells.error('conditions', expected, worded`; to ignore them, list the other columns with ${setting('columns')}`)
}

const isReportingFacility = (exchange: string): boolean =>
  REPORTING_FACILITIES.some((name) => name === exchange.replaceAll(/^ +| +$/g, '').toLowerCase())
