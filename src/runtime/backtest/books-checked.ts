/**
 * The check of recorded books beside the tapes of a run: whether they can be played with them.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import type { InspectedBook } from '../../store/books/inspected/inspected-book.ts'
import type { InspectedTape } from '../../store/tape-source.ts'

/** @throws {InputError} for a book of a market of candles, and for two that tell one time of one market */
export function checkBooks(inspected: readonly InspectedTape[], books: readonly InspectedBook[]): void {
  for (const { info } of books) {
    const candles = inspected.find((tape) => tape.info.symbol === info.symbol && tape.info.kind === 'candles')
    if (candles === undefined) continue
    const why = `is of trades, and ${info.symbol} was recorded as candles in ${candles.info.file}`
    throw new InputError(setting('books'), `a recorded book, as ${info.file} has it, ${why}`)
  }
  for (const [index, one] of books.entries()) {
    for (const other of books.slice(index + 1)) checkApart(one, other)
  }
}

function checkApart({ info: one }: InspectedBook, { info: other }: InspectedBook): void {
  if (one.symbol !== other.symbol || one.kind !== other.kind) return
  if (one.to < other.from || other.to < one.from) return
  const what = one.kind === 'depth' ? 'the book' : 'quotes'
  const begin = isoTime(Math.max(one.from, other.from))
  throw new InputError(
    setting('books'),
    `'${one.file}' and '${other.file}' both have ${what} of ${one.symbol} at ${begin}: remove one`,
  )
}
