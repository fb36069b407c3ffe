/** Books and quotes in CSV: the header says which format it is. */
import { InputError } from '../../domain/errors.ts'
import type { BookEvent, LevelText, ReportedFall } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import { BookMessage } from './book-message.ts'
import { BookTally } from './book-tally.ts'
import { cellError, csvBookRows, type CsvRow, whereOf } from './csv-book-rows.ts'
import { booleanCell, CsvColumns, integerCell, levelCells, levelIfAny } from './csv-columns.ts'
import { DatabentoOrders } from './databento-orders.ts'
import { OneMarket } from './one-market.ts'
import { WideRows } from './wide-rows.ts'

/** Column names by meaning; the first that exists is used. */
const NAMES = {
  time: ['transaction_time', 'timestamp', 'time', 'event_time'],
  bid: ['best_bid_price', 'bid_price'],
  bidQty: ['best_bid_qty', 'bid_amount', 'bid_qty', 'bid_size'],
  ask: ['best_ask_price', 'ask_price'],
  askQty: ['best_ask_qty', 'ask_amount', 'ask_qty', 'ask_size'],
} as const

/** Maximum of ids stored to detect duplicates. */
const MAX_IDS = 100_000

/**
 * Reads quotes by header: Binance's bookTicker files and Tardis `quotes`.
 *
 * Rows with an id already seen are left out; the caller sorts rows by time and id.
 */
class QuoteRows implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #market: OneMarket
  readonly #tally: BookTally
  readonly #at: Readonly<Record<keyof typeof NAMES, number>>
  readonly #ids = new Set<number>()

  static fits(columns: CsvColumns): boolean {
    return Object.values(NAMES).every((names) => names.some((name) => columns.has(name)))
  }

  constructor(columns: CsvColumns, tally: BookTally, market: OneMarket) {
    this.#columns = columns
    this.#market = market
    this.#tally = tally
    const at = (names: readonly string[]): number => columns.at(names.find((name) => columns.has(name)) ?? '')
    this.#at = {
      time: at(NAMES.time),
      bid: at(NAMES.bid),
      bidQty: at(NAMES.bidQty),
      ask: at(NAMES.ask),
      askQty: at(NAMES.askQty),
    }
  }

  *read(row: CsvRow): Generator<BookEvent, void, undefined> {
    const columns = this.#columns
    if (columns.has('symbol') && !this.#market.has(row.cells[columns.at('symbol')] ?? '', whereOf(row))) return
    const id = columns.has('update_id') ? integerCell(row, columns.at('update_id')) : undefined
    if (id !== undefined && !this.#isNew(id)) {
      this.#tally.count('repeated quotes')
      return
    }
    const { time, bid, bidQty, ask, askQty } = this.#at
    yield {
      kind: 'quotes',
      where: whereOf(row),
      time: columns.time(row, time),
      id,
      bid: levelIfAny(row, bid, bidQty),
      ask: levelIfAny(row, ask, askQty),
    }
  }

  *end(): Generator<BookEvent, void, undefined> {
    // No events are buffered.
  }

  #isNew(id: number): boolean {
    const before = this.#ids.size
    this.#ids.add(id)
    if (this.#ids.size === before) return false
    if (before >= MAX_IDS) for (const first of this.#ids) return this.#ids.delete(first)
    return true
  }
}

const SIDES: Readonly<Record<string, 'bid' | 'ask'>> = { bid: 'bid', ask: 'ask', buy: 'bid', sell: 'ask' }

/**
 * Papertape's own CSV format of a book: `time,side,price,qty,snapshot`, one level per row with its new quantity, 0 to
 * remove it.
 *
 * An order-level recording has three more columns, `since`, `traded` and `seen`. A row with them is a removal of `qty`
 * of an order that arrived at `since`: `traded` is 1 if traded, 0 if cancelled; `seen` is 1 if its arrival was
 * recorded, 0 if it was there by then. Trades are not included.
 * Rows of one time are one frame; rows of a snapshot have a 1 in `snapshot`, and a snapshot's frame ends with them.
 */
class LongCsv implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #message: BookMessage
  readonly #at: Readonly<Record<'time' | 'side' | 'price' | 'qty' | 'snapshot', number>>
  readonly #reportsOrders: boolean

  static fits(columns: CsvColumns): boolean {
    return columns.has('time', 'side', 'price', 'qty', 'snapshot')
  }

  constructor(columns: CsvColumns, tally: BookTally) {
    this.#columns = columns
    this.#reportsOrders = columns.has('since', 'traded', 'seen')
    this.#message = new BookMessage(tally, this.#reportsOrders)
    this.#at = {
      time: columns.at('time'),
      side: columns.at('side'),
      price: columns.at('price'),
      qty: columns.at('qty'),
      snapshot: columns.at('snapshot'),
    }
  }

  *read(row: CsvRow): Generator<BookEvent, void, undefined> {
    const at = this.#at
    const { cells } = row
    const side = SIDES[cells[at.side]?.toLowerCase() ?? '']
    if (side === undefined) throw cellError(row, at.side, 'bid or ask')
    const reported = {
      where: whereOf(row),
      message: cells[at.time] ?? '',
      time: this.#columns.time(row, at.time),
      isSnapshot: booleanCell(row, at.snapshot),
      side,
    }
    const level = levelCells(row, at.price, at.qty)
    const fall = this.#reportsOrders ? this.#fall(row, side, level, reported.time) : undefined
    yield* this.#message.add(fall === undefined ? { ...reported, level } : { ...reported, fall })
  }

  /** Undefined for a row of a level. */
  #fall(row: CsvRow, side: 'bid' | 'ask', [price, qty]: LevelText, time: number): ReportedFall | undefined {
    const [at, traded, seen] = [this.#columns.at('since'), this.#columns.at('traded'), this.#columns.at('seen')]
    if ([at, traded, seen].every((column) => row.cells[column] === '')) return undefined
    const since = this.#columns.time(row, at)
    if (since > time) throw cellError(row, at, 'a time that is not behind that of the row')
    if (Number(qty) === 0) throw cellError(row, this.#at.qty, 'a quantity above 0')
    return {
      side: side === 'bid' ? 'bids' : 'asks',
      price,
      qty,
      since,
      isTraded: booleanCell(row, traded),
      isSeenToCome: booleanCell(row, seen),
    }
  }

  *end(): Generator<BookEvent, void, undefined> {
    yield* this.#message.end()
  }
}

/**
 * Tardis `incremental_book_L2`: a row is a level, and a message is all rows with one time of receipt.
 *
 * A snapshot message replaces the whole book; some venues send nothing else. There is no sequence number: gaps cannot
 * be detected, and a duplicate row changes nothing.
 */
class TardisChanges implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #market: OneMarket
  readonly #message: BookMessage
  readonly #at: Readonly<Record<'symbol' | 'time' | 'received' | 'snapshot' | 'side' | 'price' | 'qty', number>>

  static fits(columns: CsvColumns): boolean {
    return columns.has('symbol', 'timestamp', 'local_timestamp', 'is_snapshot', 'side', 'price', 'amount')
  }

  constructor(columns: CsvColumns, tally: BookTally, market: OneMarket) {
    this.#columns = columns
    this.#market = market
    this.#message = new BookMessage(tally)
    this.#at = {
      symbol: columns.at('symbol'),
      time: columns.at('timestamp'),
      received: columns.at('local_timestamp'),
      snapshot: columns.at('is_snapshot'),
      side: columns.at('side'),
      price: columns.at('price'),
      qty: columns.at('amount'),
    }
  }

  *read(row: CsvRow): Generator<BookEvent, void, undefined> {
    const at = this.#at
    const { cells } = row
    if (!this.#market.has(cells[at.symbol] ?? '', whereOf(row))) return
    const side = cells[at.side]
    if (side !== 'bid' && side !== 'ask') throw cellError(row, at.side, 'bid or ask')
    yield* this.#message.add({
      where: whereOf(row),
      message: cells[at.received] ?? '',
      time: this.#columns.time(row, at.time),
      isSnapshot: booleanCell(row, at.snapshot),
      side,
      level: levelCells(row, at.price, at.qty),
    })
  }

  *end(): Generator<BookEvent, void, undefined> {
    yield* this.#message.end()
  }
}

const KNOWN =
  'Tardis incremental_book_L2, book_snapshot or quotes, Binance bookTicker, Databento mbo or mbp, levels in columns, or time,side,price,qty,snapshot'

/** True for a header of a format of books or quotes. */
export function isBookHeader(header: readonly string[]): boolean {
  const columns = new CsvColumns(header)
  const tally = new BookTally()
  const isKnown = [TardisChanges, DatabentoOrders, LongCsv, QuoteRows].some((format) => format.fits(columns))
  return isKnown || WideRows.of(columns, tally, new OneMarket(tally, undefined)) !== undefined
}

export class CsvBooks {
  readonly #tally: BookTally
  readonly #market: OneMarket
  #header: string | undefined
  #format: CsvBookFormat | undefined

  constructor(tally: BookTally, market: OneMarket) {
    this.#tally = tally
    this.#market = market
  }

  /** @throws {InputError} when no format is known that has such a header, or at the first row that is wrong */
  async *read(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<BookEvent, void, undefined> {
    let isHeader = true
    for await (const row of csvBookRows(file, chunks)) {
      if (isHeader) yield* this.#begin(file, row.cells)
      else if (this.#format !== undefined) yield* this.#format.read(row)
      isHeader = false
    }
  }

  /** Yields the buffered events. */
  *end(): Generator<BookEvent, void, undefined> {
    if (this.#format !== undefined) yield* this.#format.end()
  }

  /** A file with the same header as the previous one continues it. */
  *#begin(file: string, header: readonly string[]): Generator<BookEvent, void, undefined> {
    if (header.join() === this.#header) return
    yield* this.end()
    this.#header = header.join()
    this.#format = this.#formatOf(file, new CsvColumns(header))
  }

  #formatOf(file: string, columns: CsvColumns): CsvBookFormat {
    const [tally, market] = [this.#tally, this.#market]
    if (columns.has('percentage', 'depth')) {
      throw new InputError(
        `${file}:1`,
        'is a Binance bookDepth file: it has sums in percent bands every 30 seconds, not an order book',
      )
    }
    if (TardisChanges.fits(columns)) return new TardisChanges(columns, tally, market)
    if (DatabentoOrders.fits(columns)) return new DatabentoOrders(columns, tally, market)
    if (LongCsv.fits(columns)) return new LongCsv(columns, tally)
    if (QuoteRows.fits(columns)) return new QuoteRows(columns, tally, market)
    const wide = WideRows.of(columns, tally, market)
    if (wide !== undefined) return wide
    throw new InputError(`${file}:1`, `unknown header: expected a CSV of books or quotes (${KNOWN})`)
  }
}
