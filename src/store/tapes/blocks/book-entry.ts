/**
 * Index entry of a block of a recorded book or of quotes: its time span, its checksum, and its contribution to the
 * facts of the recording.
 */
import { z } from 'zod'
import { MAX_PRECISION } from '../../../domain/market.ts'
import { FRAME_END, GAP, SNAPSHOT, BID, type DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import { finestRows, isFinest, largestOf, type BlockEntry } from './block-entry.ts'
import type { StoredDepth } from './depth-codec.ts'
import type { StoredQuotes } from './quote-codec.ts'
import type { EncodedBlock } from './sealed-block.ts'

const count = z.int().min(0)
const precision = z.int().min(0).max(MAX_PRECISION)

/** The form of an entry in a file. */
export const BOOK_ENTRY = z.strictObject({
  rows: z.int().min(1),
  first: z.int(),
  last: z.int(),
  bytes: z.int().min(1),
  checksum: count,
  pricePrecision: precision,
  qtyPrecision: precision,
  finestPrices: count,
  finestQuantities: count,
  largestPrice: count,
  largestQty: count,
  frames: count,
  snapshots: count,
  levels: count,
  gaps: count,
  orders: z.literal(true).optional(),
})

/** The form of a head in a file. */
export const BOOK_HEAD = z.strictObject({ symbol: z.string(), kind: z.enum(['depth', 'quotes']) })

/** Symbol and kind of a recorded book, or of quotes. */
export type BookHead = z.output<typeof BOOK_HEAD>

/** True for the index of a file of a book or of quotes, whatever else it contains. */
export const isBookIndex = (json: unknown): boolean =>
  z.object({ head: z.object({ kind: BOOK_HEAD.shape.kind }) }).safeParse(json).success

export interface BookEntry extends Pick<
  BlockEntry,
  | 'rows'
  | 'first'
  | 'last'
  | 'bytes'
  | 'checksum'
  | 'pricePrecision'
  | 'qtyPrecision'
  | 'finestPrices'
  | 'finestQuantities'
  | 'largestPrice'
  | 'largestQty'
> {
  /** Number of updates: frames of a book, or quotes. */
  readonly frames: number
  /** Number of snapshots, and the maximum of levels of a side of one. */
  readonly snapshots: number
  readonly levels: number
  /** Frames before which something is missing. */
  readonly gaps: number
  /** True for order-level recordings, otherwise undefined. */
  readonly orders?: true | undefined
}

/** The entry of frames that were encoded. */
export function depthEntryOf(
  { block, pricePrecision, qtyPrecision }: Omit<StoredDepth, 'before'>,
  encoded: EncodedBlock,
): BookEntry {
  const { length, price, qty } = block
  return {
    ...spanOf(block, encoded),
    pricePrecision,
    qtyPrecision,
    finestPrices: finestRows(price, length),
    finestQuantities: finestRows(qty, length),
    largestPrice: largestOf(price, length),
    largestQty: largestOf(qty, length),
    ...frameFigures(block),
    ...(block.falls === undefined ? {} : { orders: true as const }),
  }
}

/** The entry of quotes that were encoded. */
export function quoteEntryOf({ block, pricePrecision, qtyPrecision }: StoredQuotes, encoded: EncodedBlock): BookEntry {
  const { length, bid, bidQty, ask, askQty } = block
  return {
    ...spanOf(block, encoded),
    pricePrecision,
    qtyPrecision,
    finestPrices: finestOfEither(bid, ask, length),
    finestQuantities: finestOfEither(bidQty, askQty, length),
    largestPrice: Math.max(largestOf(bid, length), largestOf(ask, length)),
    largestQty: Math.max(largestOf(bidQty, length), largestOf(askQty, length)),
    frames: length,
    snapshots: 0,
    levels: 0,
    gaps: 0,
  }
}

const spanOf = (
  { length, time }: Pick<QuoteBlock, 'length' | 'time'>,
  { bytes, checksum }: EncodedBlock,
): Pick<BookEntry, 'rows' | 'first' | 'last' | 'bytes' | 'checksum'> => ({
  rows: length,
  first: time[0] ?? 0,
  last: time[length - 1] ?? 0,
  bytes: bytes.length,
  checksum,
})

function finestOfEither(one: Float64Array, other: Float64Array, length: number): number {
  let rows = 0
  for (let row = 0; row < length; row += 1) if (isFinest(one[row] ?? 0) || isFinest(other[row] ?? 0)) rows += 1
  return rows
}

function frameFigures({
  length,
  flags,
  side,
  qty,
}: DepthBlock): Pick<BookEntry, 'frames' | 'snapshots' | 'levels' | 'gaps'> {
  const figures = { frames: 0, snapshots: 0, levels: 0, gaps: 0 }
  let isSnapshot = false
  let [bids, asks] = [0, 0]
  for (let row = 0; row < length; row += 1) {
    const flag = flags[row] ?? 0
    if ((flag & GAP) !== 0) figures.gaps += 1
    if ((flag & SNAPSHOT) !== 0) {
      isSnapshot = true
      figures.snapshots += 1
    }
    if (qty[row] !== 0) {
      if (side[row] === BID) bids += 1
      else asks += 1
    }
    if ((flag & FRAME_END) === 0) continue
    figures.frames += 1
    if (isSnapshot) figures.levels = Math.max(figures.levels, bids, asks)
    isSnapshot = false
    bids = 0
    asks = 0
  }
  return figures
}
