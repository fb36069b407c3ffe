/**
 * The project's own form of a book in CSV: `time,side,price,qty,snapshot`, a row a level, quantities from here on, 0
 * when none is left.
 *
 * Of a recording that tells each order there are three columns more, `since`, `traded` and `seen`: a row that has them
 * is no level, but what went of an order that came at that time, in `qty`: traded with a 1, cancelled with a 0; seen to
 * come with a 1, there already by then with a 0. Trades are not in it.
 * Rows of one time are one frame; those of a snapshot have a 1 in the last column, and a frame of a snapshot ends where
 * that does.
 */
import { BookMessage } from './book-message.ts'
import type { BookEvent, LevelText, ToldFall } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { cellError, whereOf, type CsvRow } from './csv-book-rows.ts'
import { booleanCell, levelCells, type CsvColumns } from './csv-columns.ts'

const SIDES: Readonly<Record<string, 'bid' | 'ask'>> = { bid: 'bid', ask: 'ask', buy: 'bid', sell: 'ask' }

export class LongCsv implements CsvBookFormat {
  readonly #columns: CsvColumns
  readonly #message: BookMessage
  readonly #at: Readonly<Record<'time' | 'side' | 'price' | 'qty' | 'snapshot', number>>
  readonly #tellsOrders: boolean

  static fits(columns: CsvColumns): boolean {
    return columns.has('time', 'side', 'price', 'qty', 'snapshot')
  }

  constructor(columns: CsvColumns, tally: BookTally) {
    this.#columns = columns
    this.#tellsOrders = columns.has('since', 'traded', 'seen')
    this.#message = new BookMessage(tally, this.#tellsOrders)
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
    const told = {
      where: whereOf(row),
      message: cells[at.time] ?? '',
      time: this.#columns.time(row, at.time),
      isSnapshot: booleanCell(row, at.snapshot),
      side,
    }
    const level = levelCells(row, at.price, at.qty)
    const fall = this.#tellsOrders ? this.#fall(row, side, level, told.time) : undefined
    yield* this.#message.add(fall === undefined ? { ...told, level } : { ...told, fall })
  }

  /** Undefined for a row of a level. */
  #fall(row: CsvRow, side: 'bid' | 'ask', [price, qty]: LevelText, time: number): ToldFall | undefined {
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
