/**
 * Recorded books and quotes in memory, so that a test can say them frame by frame.
 */
import type { BookTapeInfo, DepthTape, QuoteTape } from '../../../src/tape/book-tape.ts'
import { depthBlockOf, quoteBlockOf, type MadeFrame, type MadeQuote } from '../../tape/rig/depth-of.ts'

export interface MemoryBookOptions {
  readonly symbol?: string
  /** Frames or quotes of a block; without it, all are in one. */
  readonly blockLength?: number
}

/** A book of BTC_USD in whole prices and quantities, unless given otherwise. */
export function memoryDepth(frames: readonly MadeFrame[], options: MemoryBookOptions = {}): DepthTape {
  return {
    info: {
      ...infoOf(frames, options),
      kind: 'depth',
      reach: 'changes',
      reportsOrders: frames.some(({ falls }) => falls !== undefined),
    },
    blocks: () => inBlocks(frames, options, depthBlockOf),
  }
}

export function memoryQuotes(quotes: readonly MadeQuote[], options: MemoryBookOptions = {}): QuoteTape {
  return {
    info: { ...infoOf(quotes, options), kind: 'quotes', reach: 'quotes', reportsOrders: false },
    blocks: () => inBlocks(quotes, options, quoteBlockOf),
  }
}

type Timed = readonly { readonly time: number }[]

const infoOf = (
  rows: Timed,
  { symbol = 'BTC_USD' }: MemoryBookOptions,
): Omit<BookTapeInfo, 'kind' | 'reach' | 'reportsOrders'> => ({
  symbol,
  file: 'memory',
  sha256: '',
  rows: rows.length,
  from: rows[0]?.time ?? 0,
  to: rows.at(-1)?.time ?? 0,
  pricePrecision: 0,
  qtyPrecision: 0,
  rowsAtPricePrecision: 0,
  rowsAtQtyPrecision: 0,
  notices: [],
  levels: 0,
  gapCount: 0,
})

// eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
async function* inBlocks<Row, Block>(
  rows: readonly Row[],
  { blockLength = Infinity }: MemoryBookOptions,
  blockOf: (rows: readonly Row[]) => Block,
): AsyncGenerator<Block, void, undefined> {
  for (let start = 0; start < rows.length; start += blockLength) yield blockOf(rows.slice(start, start + blockLength))
}
