/** A recorded book that was never a file: frames of a test as a run takes them, checked as a recording is. */
import { createHash } from 'node:crypto'
import { InputError, invariant } from '../../domain/errors.ts'
import type { BookPart } from '../../store/books/book-columns.ts'
import { BookColumns } from '../../store/books/book-columns.ts'
import { BookTally } from '../../store/books/book-tally.ts'
import type { InspectedBook } from '../../store/books/inspected/inspected-book.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { bookFacts } from '../../store/tapes/blocks/stored-book.ts'
import { BookSpool } from '../../store/tapes/book-spool.ts'
import { START } from './tape-text.ts'

/** A price and the quantity there, as exact decimal strings: in the quote asset, and in the base asset. */
export type TestLevel = readonly [price: string, qty: string]

/** One update of an order book. */
export interface TestFrame {
  /** Unix milliseconds, not before the update before. */
  readonly time: number
  /** Buy levels, in any order. */
  readonly bids: readonly TestLevel[]
  /** Sell levels, in any order. */
  readonly asks: readonly TestLevel[]
  /**
   * True for an update of changed levels only, with quantity 0 for a removed level; default: false, a snapshot of all
   * levels.
   */
  readonly isChange?: boolean | undefined
}

const STEP_MS = 1_000
const LEVEL = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/

/**
 * Frames from a text such as `99x5 98x4 / 101x3 | | 100x2 / 101x3`: each is the whole book, bids before asks, one
 * second after the previous frame; an empty one is a second without changes.
 *
 * @throws {InputError} naming the invalid word
 */
export function framesOf(text: string): readonly TestFrame[] {
  return text.split('|').flatMap((frame, step): readonly TestFrame[] => {
    if (frame.trim() === '') return []
    const sides = frame.split('/')
    if (sides.length !== 2) throw new InputError('books', `expected bids / asks, got '${frame.trim()}'`)
    const [bids = [], asks = []] = sides.map((side) => side.trim().split(/\s+/).filter(Boolean).map(levelOf))
    return [{ time: START + step * STEP_MS, bids, asks }]
  })
}

function levelOf(word: string): TestLevel {
  const [, price, qty] = LEVEL.exec(word) ?? []
  if (price === undefined || qty === undefined)
    throw new InputError('books', `expected a level such as 99.5x2, got '${word}'`)
  return [price, qty]
}

/**
 * @param where  for error messages
 * @param given  decimal digits; default: the fewest that fit everything
 * @throws {InputError} at the first invalid frame
 */
export function inspectedBookOf(
  where: string,
  symbol: string,
  frames: readonly TestFrame[],
  given: Partial<TapePrecisions>,
): InspectedBook {
  if (frames.length === 0) throw new InputError(where, 'expected at least one frame')
  const columns = new BookColumns(new BookTally(), given)
  const spool = new BookSpool('depth', { bytes: Number.MAX_SAFE_INTEGER })
  const spoolParts = (parts: Iterable<BookPart>): void => {
    for (const part of parts) if (part.kind === 'depth') spool.add(part)
  }
  let before = 0
  frames.forEach(({ time, bids, asks, isChange = false }, index) => {
    const place = `${where}[${index}]`
    if (!Number.isSafeInteger(time) || time < before) {
      throw new InputError(
        `${place}.time`,
        `expected whole Unix milliseconds, not before ${before}, got ${String(time)}`,
      )
    }
    before = time
    spoolParts(columns.add({ kind: 'depth', where: place, time, isSnapshot: !isChange, hasGap: false, bids, asks }))
  })
  spoolParts(columns.end())
  const spooled = spool.finish(symbol)
  invariant(spooled !== undefined, 'there is room in memory')
  const facts = bookFacts(
    'depth',
    spooled.blocks.map(({ entry }) => entry),
  )
  const sha256 = createHash('sha256').update(JSON.stringify(frames)).digest('hex')
  return {
    source: { file: where, symbol },
    info: { symbol, file: where, sha256, ...facts, notices: [] },
    rows: { form: 'spooled', spooled },
  }
}
