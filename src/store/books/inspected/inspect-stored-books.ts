/** Imported books and quotes, described by their index without reading their rows. */
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { listOf } from '../../../tape/notices.ts'
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookTapeSource } from '../../../import/tape-source.ts'
import { BookFile } from '../../tapes/blocks/book-file.ts'
import { bookFacts, type SharedBook } from '../../tapes/blocks/stored-book.ts'
import { TapeDatabase } from '../../tapes/database/tape-database.ts'
import { checkReading } from '../../tapes/inspect-tape.ts'
import { storedNotices } from './book-notices.ts'
import type { BookPlace, InspectedBook } from './inspected-book.ts'

/**
 * The book of a market, and its quotes: at least one of them.
 *
 * @throws {InputError} when it is damaged, has neither of that market, or is to be read as only a recording can be
 */
export function inspectStoredBooks(source: BookTapeSource, form: 'tape-file' | 'store'): readonly InspectedBook[] {
  checkReading(source)
  if (source.market !== undefined) {
    throw new InputError(
      setting('market'),
      `applies only when a recording is read as a file; ${source.file} was imported`,
    )
  }
  return form === 'store' ? inspectStore(source) : [inspectFile(source)]
}

function inspectFile(source: BookTapeSource): InspectedBook {
  const { file, symbol } = source
  const book = new BookFile(file)
  try {
    if (symbol !== undefined && symbol !== book.head.symbol) throw noBook(file, symbol, [book])
    return inspectedOf(source, book, { form: 'tape-file', file, sha256: book.sha256 })
  } finally {
    book.close()
  }
}

function inspectStore(source: BookTapeSource): readonly InspectedBook[] {
  const { file, symbol } = source
  const store = TapeDatabase.read(file)
  try {
    const all = store.books.list()
    const [only, other] = new Set(all.map(({ head }) => head.symbol))
    const wanted = symbol ?? (other === undefined ? only : undefined)
    const own = all.filter(({ head }) => head.symbol === wanted)
    if (own.length === 0) throw noBook(file, symbol, all)
    return own.map((book) => {
      const { head, sha256, lastBlock } = book
      return inspectedOf(source, book, { form: 'store', file, sha256, head, lastBlock })
    })
  } finally {
    store.close()
  }
}

function noBook(file: string, symbol: string | undefined, books: readonly SharedBook[]): InputError {
  const there = books.map(({ head }) => `${head.kind} of ${head.symbol}`)
  if (symbol === undefined && there.length > 0)
    return new InputError(file, `has several markets: choose one by its symbol; there is ${there.join(', ')}`)
  const reported = there.length === 0 ? 'import some first' : `there is ${there.join(', ')}`
  return new InputError(file, `has no book and no quotes of ${symbol ?? 'any market'}; ${reported}`)
}

function inspectedOf(source: BookTapeSource, book: SharedBook, rows: BookPlace): InspectedBook {
  const { file } = source
  const { head, entries, sha256 } = book
  const facts = bookFacts(head.kind, entries)
  const { pricePrecision = facts.pricePrecision, qtyPrecision = facts.qtyPrecision } = source
  checkDigits(file, 'prices', facts.pricePrecision, pricePrecision)
  checkDigits(file, 'quantities', facts.qtyPrecision, qtyPrecision)
  const given = { pricePrecision, qtyPrecision }
  const info: BookTapeInfo = { file, symbol: head.symbol, sha256, ...facts, ...given, ...listOf(storedNotices(facts)) }
  return { source, info, rows }
}

function checkDigits(file: string, what: string, needed: number, given: number): void {
  if (given >= needed) return
  throw new InputError(file, `expected ${what} with no more decimals than ${given}, got ${needed}`)
}
