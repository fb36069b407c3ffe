/** Falls of single orders in one frame of a recorded book: who of the market went. */
import type { Side } from '../../domain/order.ts'
import { BID, SEEN_TO_COME, TRADED, type DepthBlock, type OrderFalls } from '../../tape/depth-block.ts'
import { firstFallFrom } from '../../tape/order-falls.ts'

/** Removals of a block from `start` up to `end`, exclusive. */
export interface FrameFalls {
  readonly falls: OrderFalls
  readonly start: number
  readonly end: number
  /** Milliseconds that are added to the times of the recording. */
  readonly shiftMs: number
}

/** Removal of one order, or of a part of it. */
export interface Fallen {
  readonly side: Side
  /** Ticks. */
  readonly price: number
  /** Unix milliseconds at which the order came there, or was there already. */
  readonly since: number
  /** True if the recording contains the order's arrival; false if it was there before the recording began. */
  readonly isSeenToCome: boolean
  readonly lots: number
  readonly isTraded: boolean
}

/**
 * Removals of a frame; undefined unless the recording is order-level.
 *
 * @param end  one past the last row of the frame
 */
export function frameFalls({ falls }: DepthBlock, row: number, end: number, shiftMs: number): FrameFalls | undefined {
  return falls && { falls, start: firstFallFrom(falls, row), end: firstFallFrom(falls, end), shiftMs }
}

/** Iterates in recorded order. */
export function* eachFall({ falls, start, end, shiftMs }: FrameFalls): Generator<Fallen, void, undefined> {
  const { side, price, since, lots, kind } = falls
  for (let at = start; at < end; at += 1) {
    yield {
      side: side[at] === BID ? 'BUY' : 'SELL',
      price: price[at] ?? 0,
      since: (since[at] ?? Number.NaN) + shiftMs,
      isSeenToCome: ((kind[at] ?? 0) & SEEN_TO_COME) !== 0,
      lots: lots[at] ?? 0,
      isTraded: ((kind[at] ?? 0) & TRADED) !== 0,
    }
  }
}

/** Removals of orders at one price. */
export function* fallsAt(falls: FrameFalls, side: Side, price: number): Generator<Fallen, void, undefined> {
  for (const fall of eachFall(falls)) if (fall.side === side && fall.price === price) yield fall
}
