/**
 * Databento `mbo`: orders by id, aggregated to levels; a frame is all records of an event, the last of which has the
 * flag `F_LAST`.
 *
 * Removals of orders are recorded with the time since which they rested: an order that moves or grows goes to the end
 * of the queue. A clear begins a snapshot, followed by its orders in priority order. Trades and fills change nothing:
 * filled lots are cancelled after them. A record of an unknown order, and a book that the venue marks as doubtful, is a
 * gap.
 */
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { cellError, whereOf, type CsvRow } from './csv-book-rows.ts'
import { decimalCell, integerCell, type CsvColumns } from './csv-columns.ts'
import { NanoPrices } from './nano-prices.ts'
import type { OneMarket } from './one-market.ts'
import { OrderLevels, type OrderSide } from './order-levels.ts'

/** Flags of a record. */
const LAST = 128
const OF_SNAPSHOT = 32
const DOUBTFUL = 4

const SIDES: Readonly<Record<string, OrderSide>> = { B: 'bids', A: 'asks' }
const AGGRESSORS: Readonly<Record<string, number>> = { B: SIDE_BUY, A: SIDE_SELL, N: SIDE_UNKNOWN }

export class DatabentoOrders implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #tally: BookTally
  readonly #market: OneMarket
  readonly #orders = new OrderLevels()
  readonly #nano = new NanoPrices(true)
  readonly #at: Readonly<Record<'time' | 'action' | 'side' | 'price' | 'size' | 'order' | 'flags', number>>
  #hasBegun = false
  #isSnapshot = false
  #isChanged = false
  #missing: string | undefined
  /** Time of the last frame: times in a tape never go back. */
  #reported = Number.NEGATIVE_INFINITY

  static fits(columns: CsvColumns): boolean {
    return columns.has('ts_event', 'action', 'side', 'price', 'size', 'order_id', 'flags')
  }

  constructor(columns: CsvColumns, tally: BookTally, market: OneMarket) {
    this.#columns = columns
    this.#tally = tally
    this.#market = market
    this.#at = {
      time: columns.at('ts_event'),
      action: columns.at('action'),
      side: columns.at('side'),
      price: columns.at('price'),
      size: columns.at('size'),
      order: columns.at('order_id'),
      flags: columns.at('flags'),
    }
  }

  *read(row: CsvRow): Generator<BookEvent, void, undefined> {
    const { cells } = row
    const at = this.#at
    const where = whereOf(row)
    if (this.#columns.has('symbol') && !this.#market.has(cells[this.#columns.at('symbol')] ?? '', where)) return
    const flags = integerCell(row, at.flags)
    const action = cells[at.action] ?? ''
    const time = this.#columns.time(row, at.time)
    if (action === 'T') {
      const side = AGGRESSORS[cells[at.side] ?? '']
      if (side === undefined) throw cellError(row, at.side, 'A, B or N')
      this.#trade(row, side)
      const [price, qty] = [this.#nano.of(decimalCell(row, at.price, 'price')), cells[at.size] ?? '']
      yield { kind: 'trades', where, time, price, qty, side }
    } else this.#change(row, action, (flags & OF_SNAPSHOT) !== 0)
    if ((flags & DOUBTFUL) !== 0) this.#missing ??= 'the venue calls its book doubtful'
    if ((flags & LAST) !== 0) yield* this.#frame(where, time)
  }

  *end(): Generator<BookEvent, void, undefined> {
    // An event without its last record is none.
  }

  #change(row: CsvRow, action: string, isOfSnapshot: boolean): void {
    if (action === 'R') {
      this.#orders.clear()
      this.#hasBegun = true
      this.#isSnapshot = true
      this.#isChanged = true
      this.#missing = undefined
    }
    if (!this.#hasBegun) {
      this.#tally.count('rows before the first snapshot')
      return
    }
    if (action === 'A' || action === 'M') this.#put(row, action, isOfSnapshot)
    else if (action === 'C') {
      const id = row.cells[this.#at.order] ?? ''
      this.#isChanged = true
      if (!this.#orders.reduce(id, integerCell(row, this.#at.size))) this.#missing ??= `order ${id} is not known so far`
    } else if (action === 'F') this.#orders.trade(row.cells[this.#at.order] ?? '', integerCell(row, this.#at.size))
    else if (action !== 'R' && action !== 'N') throw cellError(row, this.#at.action, 'A, C, M, R, T, F or N')
  }

  /** The matched orders follow in later records; some venues report only their removal. */
  #trade(row: CsvRow, aggressor: number): void {
    const [price, size] = [this.#nano.of(decimalCell(row, this.#at.price, 'price')), integerCell(row, this.#at.size)]
    if (aggressor !== SIDE_BUY) this.#orders.tradeAt('bids', price, size)
    if (aggressor !== SIDE_SELL) this.#orders.tradeAt('asks', price, size)
  }

  #put(row: CsvRow, action: string, isOfSnapshot: boolean): void {
    const at = this.#at
    const side = SIDES[row.cells[at.side] ?? '']
    if (side === undefined) throw cellError(row, at.side, 'A or B')
    const id = row.cells[at.order] ?? ''
    const price = this.#nano.of(decimalCell(row, at.price, 'price'))
    const size = integerCell(row, at.size)
    if (action === 'A' && !isOfSnapshot && this.#orders.has(id, side, price, size)) {
      this.#tally.count('repeated orders')
      return
    }
    const isNew = action === 'A' && !isOfSnapshot && !this.#isSnapshot
    this.#orders.put(id, { side, price, qty: size, isNew }, whereOf(row))
    this.#isChanged = true
  }

  *#frame(where: string, time: number): Generator<BookEvent, void, undefined> {
    const [isSnapshot, why] = [this.#isSnapshot, this.#missing]
    if (!this.#isChanged && why === undefined) return
    this.#isSnapshot = false
    this.#isChanged = false
    this.#missing = undefined
    if (!this.#hasBegun) return
    if (why !== undefined) this.#tally.gap({ where, time, why })
    this.#reported = Math.max(this.#reported, time)
    const levels = isSnapshot ? this.#orders.all(this.#reported) : this.#orders.changes(this.#reported)
    yield { kind: 'depth', where, time, isSnapshot, hasGap: why !== undefined, ...levels }
  }
}
