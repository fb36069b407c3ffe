/**
 * Reads quotes by header: Binance's bookTicker files and Tardis `quotes`.
 *
 * Rows with an id already seen are left out; the caller sorts rows by time and id.
 */
import type { BookEvent } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { whereOf, type CsvRow } from './csv-book-rows.ts'
import { integerCell, levelIfAny, type CsvColumns } from './csv-columns.ts'
import type { OneMarket } from './one-market.ts'

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

export class QuoteRows implements CsvBookFormat {
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
