/**
 * Papertape's own CSV format of a book: `time,side,price,qty,snapshot`, one level per row with its new quantity, 0 to
 * remove it.
 *
 * An order-level recording has three more columns, `since`, `traded` and `seen`. A row with them is a removal of `qty`
 * of an order that arrived at `since`: `traded` is 1 if traded, 0 if cancelled; `seen` is 1 if its arrival was
 * recorded, 0 if it was there by then. Trades are not included.
 * Rows of one time are one frame; rows of a snapshot have a 1 in `snapshot`, and a snapshot's frame ends with them.
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
