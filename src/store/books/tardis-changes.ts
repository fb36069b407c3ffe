/**
 * Tardis `incremental_book_L2`: a row is a level, and a message is all rows with one time of receipt.
 *
 * A snapshot message replaces the whole book; some venues send nothing else. There is no sequence number: gaps cannot
 * be detected, and a duplicate row changes nothing.
 */
import { BookMessage } from './book-message.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { cellError, whereOf, type CsvRow } from './csv-book-rows.ts'
import { booleanCell, levelCells, type CsvColumns } from './csv-columns.ts'
import type { OneMarket } from './one-market.ts'

export class TardisChanges implements CsvBookFormat {
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
