/**
 * Books and quotes in CSV: the header says which format it is.
 */
import { InputError } from '../../domain/errors.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvBookFormat } from './book-format.ts'
import { BookTally } from './book-tally.ts'
import { csvBookRows } from './csv-book-rows.ts'
import { CsvColumns } from './csv-columns.ts'
import { DatabentoOrders } from './databento-orders.ts'
import { LongCsv } from './long-csv.ts'
import { OneMarket } from './one-market.ts'
import { QuoteRows } from './quote-rows.ts'
import { TardisChanges } from './tardis-changes.ts'
import { WideRows } from './wide-rows.ts'

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
      throw new InputError(`${file}:1`, 'is a Binance bookDepth file: it has sums in percent bands every 30 seconds, not an order book') // prettier-ignore
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
