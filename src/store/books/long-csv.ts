/**
 * The project's own form of a book in CSV: `time,side,price,qty,snapshot`, a row a level, quantities from here on, 0 when none is left.
 *
 * Rows of one time are one frame; those of a snapshot have a 1 in the last column, and a frame of a snapshot ends where that does.
 */
import { BookMessage } from './book-message.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { cellError, whereOf, type CsvRow } from './csv-book-rows.ts'
import { booleanCell, levelCells, type CsvColumns } from './csv-columns.ts'

const SIDES: Readonly<Record<string, 'bid' | 'ask'>> = { bid: 'bid', ask: 'ask', buy: 'bid', sell: 'ask' }

export class LongCsv implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #message: BookMessage
  readonly #at: Readonly<Record<'time' | 'side' | 'price' | 'qty' | 'snapshot', number>>

  static fits(columns: CsvColumns): boolean {
    return columns.has('time', 'side', 'price', 'qty', 'snapshot')
  }

  constructor(columns: CsvColumns, tally: BookTally) {
    this.#columns = columns
    this.#message = new BookMessage(tally)
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
    yield* this.#message.add({
      where: whereOf(row),
      message: cells[at.time] ?? '',
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
