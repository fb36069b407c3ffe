/**
 * A real recording of a book, its quotes and its trades, in memory, and tapes of parts of it.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { frameEnd, type DepthBlock } from '../../../src/tape/depth-block.ts'
import { depthBlockOf, type MadeFrame } from '../../tape/rig/depth-of.ts'
import { BookReading } from '../../../src/store/books/read-books.ts'
import type { BookTape } from '../../../src/tape/book-tape.ts'
import type { QuoteBlock } from '../../../src/tape/quote-block.ts'
import type { Tape, TapeBlock } from '../../../src/tape/tape.ts'
import { BTC } from '../../simulation/rig/market-stage.ts'

const DATA = fileURLToPath(new URL('../../../../shared/data/depth/', import.meta.url))
/** Two files of one recording, of eleven minutes. */
const FILES = ['spot_ethusdt_20240808.gz', 'spot_ethusdt_20240809.gz'].map((file) => DATA + file)

export const isRecordingThere = FILES.every((file) => existsSync(file))
/** Decimals of a price and of a quantity. */
export const PRECISIONS = { pricePrecision: 2, qtyPrecision: 5 }

export interface RecordedBlocks {
  readonly trades: readonly TapeBlock[]
  readonly depth: readonly DepthBlock[]
  readonly quotes: readonly QuoteBlock[]
  readonly from: number
  readonly to: number
}

export async function recordedBlocks(): Promise<RecordedBlocks> {
  const [trades, depth, quotes]: [TapeBlock[], DepthBlock[], QuoteBlock[]] = [[], [], []]
  for await (const part of new BookReading({ files: FILES, ...PRECISIONS }).parts()) {
    if (part.kind === 'depth') depth.push(part.block)
    else if (part.kind === 'quotes') quotes.push(part.block)
    else trades.push(part.block)
  }
  const times = [trades, depth, quotes].flatMap((blocks) =>
    blocks.flatMap(({ time }) => [time[0] ?? 0, time.at(-1) ?? 0]),
  )
  return { trades, depth, quotes, from: Math.min(...times), to: Math.max(...times) }
}

const infoOf = ({ from, to }: RecordedBlocks, kind: string) => ({ symbol: BTC, kind, file: kind, from, to })

async function* each<Block>(blocks: readonly Block[]): AsyncGenerator<Block, void, undefined> {
  yield* await Promise.resolve(blocks)
}

export const tradesOf = (recorded: RecordedBlocks): Tape =>
  ({ info: infoOf(recorded, 'trades'), blocks: () => each(recorded.trades) }) as unknown as Tape

export const depthOf = (recorded: RecordedBlocks): BookTape =>
  ({ info: infoOf(recorded, 'depth'), blocks: () => each(recorded.depth) }) as unknown as BookTape

export const quotesOf = (recorded: RecordedBlocks): BookTape =>
  ({ info: infoOf(recorded, 'quotes'), blocks: () => each(recorded.quotes) }) as unknown as BookTape

/** The best levels of each side, reported again by a snapshot once in so many milliseconds, and nothing else. */
export function snapshotsOf(recorded: RecordedBlocks, levels: number, everyMs: number): BookTape {
  const book = new RecordedBook()
  const frames: MadeFrame[] = []
  let next = recorded.from
  const report = (upTo: number): void => {
    for (; next <= upTo; next += everyMs) {
      if (!book.isKnown) continue
      const { bids, asks } = book.levels(levels)
      const pairs = (side: typeof bids): MadeFrame['bids'] => side.map(({ price, qty }) => [price, qty])
      frames.push({ time: next, isSnapshot: true, bids: pairs(bids), asks: pairs(asks) })
    }
  }
  for (const block of recorded.depth) {
    for (let row = 0; row < block.length;) {
      const end = frameEnd(block, row)
      // One of that very moment is in it.
      report((block.time[row] ?? 0) - 1)
      book.apply(block, row, end)
      row = end
    }
  }
  report(recorded.to)
  return depthOf({ ...recorded, depth: [depthBlockOf(frames)] })
}
