/**
 * Writes a recorded book as CSV in papertape's own format, which `csv-books.ts` reads.
 *
 * Invariant: a book replayed from the text is the same after every moment. Of several snapshots in one millisecond only
 * the last is written, because only their times separate them.
 * Known limit: gaps are not included; a gap file next to it marks them.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import {
  BID,
  frameEnd,
  SEEN_TO_COME,
  SNAPSHOT,
  TRADED,
  type DepthBlock,
  type OrderFalls,
} from '../../tape/depth-block.ts'
import { firstFallFrom, NO_FALLS } from '../../tape/order-falls.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'

/** @param reportsOrders  adds the columns for order removals */
export const longCsvHeader = (reportsOrders: boolean): string =>
  `time,side,price,qty,snapshot${reportsOrders ? ',since,traded,seen' : ''}`

interface Frame {
  readonly time: number
  readonly isSnapshot: boolean
  readonly levels: readonly string[]
  /** Rows of order removals. */
  readonly falls: readonly string[]
}

/** The lines of blocks that follow each other, without the header. */
export class LongCsvText {
  readonly #reportsOrders: boolean
  #hasLeftOut = false
  #waiting: Frame | undefined

  /** @param reportsOrders  as for the header */
  constructor(reportsOrders: boolean) {
    this.#reportsOrders = reportsOrders
  }

  /** True once something went of single orders that its header has no column for. */
  get hasLeftOut(): boolean {
    return this.#hasLeftOut
  }

  /** Yields the rows that are complete with a block. */
  *add({ block, ...precisions }: { readonly block: DepthBlock } & TapePrecisions): Generator<string, void, undefined> {
    for (let row = 0; row < block.length;) {
      const end = frameEnd(block, row)
      if (!this.#reportsOrders && block.falls !== undefined) this.#hasLeftOut = true
      const falls = this.#reportsOrders ? (block.falls ?? NO_FALLS) : undefined
      const frame = frameOf({ ...block, falls }, row, end, precisions)
      const waiting = this.#waiting
      const isReplaced = frame.isSnapshot && waiting?.isSnapshot === true && waiting.time === frame.time
      if (waiting !== undefined && !isReplaced) yield* linesOf(waiting)
      this.#waiting = isReplaced ? { ...frame, falls: [...waiting.falls, ...frame.falls] } : frame
      row = end
    }
  }

  /** Yields the remaining rows. */
  *end(): Generator<string, void, undefined> {
    if (this.#waiting !== undefined) yield* linesOf(this.#waiting)
    this.#waiting = undefined
  }
}

const linesOf = ({ levels, falls }: Frame): readonly string[] => [...levels, ...falls]

function frameOf(block: DepthBlock, start: number, end: number, precisions: TapePrecisions): Frame {
  const { flags, time, side, price, qty, falls } = block
  const isSnapshot = ((flags[start] ?? 0) & SNAPSHOT) !== 0
  const text = (ofBid: boolean, ticks: number, lots: number): string => {
    const amounts = `${formatTrimmed(ticks, precisions.pricePrecision)},${formatTrimmed(lots, precisions.qtyPrecision)}`
    return `${time[start] ?? 0},${ofBid ? 'bid' : 'ask'},${amounts},${isSnapshot ? 1 : 0}`
  }
  const levels: string[] = []
  for (let row = start; row < end; row += 1) {
    const level = text(side[row] === BID, price[row] ?? 0, qty[row] ?? 0)
    levels.push(falls === undefined ? level : `${level},,,`)
  }
  return { time: time[start] ?? 0, isSnapshot, levels, falls: fallLines(falls, start, end, text) }
}

function fallLines(
  falls: OrderFalls | undefined,
  start: number,
  end: number,
  text: (ofBid: boolean, ticks: number, lots: number) => string,
): readonly string[] {
  if (falls === undefined) return []
  const { side, price, lots, since, kind } = falls
  const lines: string[] = []
  const last = firstFallFrom(falls, end)
  for (let at = firstFallFrom(falls, start); at < last; at += 1) {
    const went = text(side[at] === BID, price[at] ?? 0, lots[at] ?? 0)
    const is = (bit: number): number => (((kind[at] ?? 0) & bit) === 0 ? 0 : 1)
    lines.push(`${went},${since[at] ?? 0},${is(TRADED)},${is(SEEN_TO_COME)}`)
  }
  return lines
}
