/**
 * A stored book, or quotes, read from beginning to end: every block whole, every row not before the one before, and the
 * book before each block the one that the blocks before it come to.
 */
import { InputError } from '../../../domain/errors.ts'
import type { BookState } from '../../../tape/book/book-state.ts'
import { RecordedBook } from '../../../tape/book/recorded-book.ts'
import { BookBlocks, type StoredBook } from '../blocks/stored-book.ts'
import type { Finding, MarketCheck } from './check-market.ts'

/** Maximum of findings reported per kind; the rest is counted. */
const MAX_REPORTED = 20

/** Reads every block. */
export function checkBook(file: string, book: StoredBook): MarketCheck {
  const { head, entries } = book
  const most = (of: (entry: StoredBook['entries'][number]) => number): number => Math.max(...entries.map(of))
  const precisions = {
    pricePrecision: most((entry) => entry.pricePrecision),
    qtyPrecision: most((entry) => entry.qtyPrecision),
  }
  const blocks = new BookBlocks(book, file, precisions)
  const replayed = new RecordedBook()
  const findings: Finding[] = []
  let rows = 0
  let last = Number.NEGATIVE_INFINITY
  const report = (what: Finding['what'], block: number, time: number | null, message: string): void => {
    findings.push({ what, block: block + 1, time, message })
  }
  for (const [index, { first }] of entries.entries()) {
    try {
      const before = head.kind === 'depth' ? blocks.before(index) : undefined
      if (before !== undefined && !isContinued(before, replayed.state(), index)) {
        report('order', index, first, 'the book before it is not what the blocks before it come to')
      }
      const block = head.kind === 'depth' ? blocks.depth(index) : blocks.quotes(index)
      if (first < last) report('order', index, first, 'is not behind the row before')
      if (before !== undefined) replayed.restore(before)
      if ('flags' in block) replayed.apply(block)
      last = block.time[block.length - 1] ?? last
      rows += block.length
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      report('damaged', index, null, error.message)
      // The recording continues from its own beginning.
      replayed.gap()
    }
  }
  return {
    blocks: entries.length,
    rows,
    findings: findings.slice(0, MAX_REPORTED),
    count: findings.length,
    faults: findings.length,
  }
}

/** A recording begins with an unknown book, also between others. */
const isContinued = (before: BookState, after: BookState, index: number): boolean =>
  index === 0 || !before.isKnown || !after.isKnown || JSON.stringify(textOf(before)) === JSON.stringify(textOf(after))

const textOf = ({ bids, asks }: BookState): readonly (readonly number[])[] =>
  [bids.price, bids.qty, asks.price, asks.qty].map((column) => [...column])
