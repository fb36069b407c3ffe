/**
 * Recordings of books made of lines, and what they report in short.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BookEvent, LevelText } from '../../../../src/store/books/book-event.ts'
import type { BookTally } from '../../../../src/store/books/book-tally.ts'
import type { BookPart } from '../../../../src/store/books/book-columns.ts'
import { BookReading, type BookSource } from '../../../../src/store/books/read-books.ts'
import { SIDE_BUY, SIDE_SELL } from '../../../../src/tape/tape.ts'

export interface ReadBooks {
  readonly events: readonly BookEvent[]
  readonly parts: readonly BookPart[]
  readonly tally: BookTally
  /** The first file. */
  readonly file: string
}

/** What files of these lines report, read to their end in both ways. @throws {InputError} what the reading does */
export const eventsOf = (...files: readonly (readonly string[])[]): Promise<ReadBooks> => booksOf({}, ...files)

export async function booksOf(
  source: Partial<BookSource> & { readonly names?: readonly string[] },
  ...files: readonly (readonly string[])[]
): Promise<ReadBooks> {
  const directory = mkdtempSync(join(tmpdir(), 'papertape-'))
  onTestFinished(() => {
    rmSync(directory, { recursive: true })
  })
  const paths = files.map((lines, at) => {
    const path = join(directory, source.names?.[at] ?? `file-${at}`)
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  })
  const given = { ...source, files: source.files ?? paths }
  const reading = new BookReading(given)
  const parts: BookPart[] = []
  for await (const part of reading.parts()) parts.push(part)
  const events: BookEvent[] = []
  for await (const event of new BookReading(given).events()) events.push(event)
  return { events, parts, tally: reading.tally, file: paths[0] ?? '' }
}

const level = (reported: LevelText | undefined): string => reported?.join('x') ?? 'none'
const levels = (reported: readonly LevelText[]): string => reported.map((each) => level(each)).join(' ')
const aggressor = (side: number): string => (side === SIDE_BUY ? 'buy' : side === SIDE_SELL ? 'sell' : 'unknown')

/** `5 snapshot 9x5 8x1|11x5`, `9x5|11x5` of a quote, `sell 9x1` of a trade. */
export function shown(event: BookEvent): string {
  if (event.kind === 'trades') return `${aggressor(event.side)} ${event.price}x${event.qty}`
  if (event.kind === 'quotes') return `${level(event.bid)}|${level(event.ask)}`
  const { id, isSnapshot, hasGap, bids, asks } = event
  const words = [id, hasGap ? 'gap' : undefined, isSnapshot ? 'snapshot' : undefined].filter(
    (word) => word !== undefined,
  )
  return [...words, `${levels(bids)}|${levels(asks)}`].join(' ')
}
