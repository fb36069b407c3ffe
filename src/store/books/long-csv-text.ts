/**
 * A recorded book as text in the project's own form, which `long-csv.ts` reads.
 *
 * Invariant: a book that is played from the text is the same after every moment. Of several snapshots of one millisecond the last is written,
 * for what tells them apart is their time.
 * Known limit: gaps are not in it; a file of gaps beside it marks them.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { BID, frameEnd, SNAPSHOT, type DepthBlock } from '../../tape/depth-block.ts'
import type { TapePrecisions } from '../tape-precisions.ts'

export const LONG_CSV_HEADER = 'time,side,price,qty,snapshot'

interface Frame {
  readonly time: number
  readonly isSnapshot: boolean
  readonly lines: readonly string[]
}

/** The lines of blocks that follow each other, without the header. */
export class LongCsvText {
  #waiting: Frame | undefined;

  /** Those that are known with a block. */
  *add({ block, ...precisions }: { readonly block: DepthBlock } & TapePrecisions): Generator<string, void, undefined> {
    for (let row = 0; row < block.length;) {
      const end = frameEnd(block, row)
      const frame = frameOf(block, row, end, precisions)
      const waiting = this.#waiting
      const isReplaced = frame.isSnapshot && waiting?.isSnapshot === true && waiting.time === frame.time
      if (waiting !== undefined && !isReplaced) yield* waiting.lines
      this.#waiting = frame
      row = end
    }
  }

  /** Those that are left. */
  *end(): Generator<string, void, undefined> {
    if (this.#waiting !== undefined) yield* this.#waiting.lines
    this.#waiting = undefined
  }
}

function frameOf(block: DepthBlock, start: number, end: number, precisions: TapePrecisions): Frame {
  const { flags, time, side, price, qty } = block
  const isSnapshot = ((flags[start] ?? 0) & SNAPSHOT) !== 0
  const lines: string[] = []
  for (let row = start; row < end; row += 1) {
    const ticks = formatTrimmed(price[row] ?? 0, precisions.pricePrecision)
    const lots = formatTrimmed(qty[row] ?? 0, precisions.qtyPrecision)
    lines.push(`${time[row] ?? 0},${side[row] === BID ? 'bid' : 'ask'},${ticks},${lots},${isSnapshot ? 1 : 0}`)
  }
  return { time: time[start] ?? 0, isSnapshot, lines }
}
