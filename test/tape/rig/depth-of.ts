/**
 * Frames of a book made by hand, for tests.
 */
import {
  ASK,
  BID,
  FRAME_END,
  GAP,
  SEEN_TO_COME,
  SNAPSHOT,
  TRADED,
  type DepthBlock,
  type OrderFalls,
} from '../../../src/tape/depth-block.ts'
import type { QuoteBlock } from '../../../src/tape/quote-block.ts'

/** A price in ticks and what rests there, in lots. */
export type MadeLevel = readonly [price: number, qty: number]

/** What went of one order. */
export interface MadeFall {
  readonly side: 'bid' | 'ask'
  readonly price: number
  readonly since: number
  readonly lots: number
  readonly isTraded: boolean
  /** Default: true. */
  readonly isSeenToCome?: boolean
}

export interface MadeFrame {
  readonly time: number
  readonly isSnapshot?: boolean
  readonly hasGap?: boolean
  /** Best first. */
  readonly bids: readonly MadeLevel[]
  readonly asks: readonly MadeLevel[]
  /** Undefined where no orders are reported. */
  readonly falls?: readonly MadeFall[] | undefined
}

/** @param frames  each with a row at least */
export function depthBlockOf(frames: readonly MadeFrame[]): DepthBlock {
  const rows = frames.flatMap(({ time, isSnapshot = false, hasGap = false, bids, asks }) => {
    const levels = [...bids.map((level) => [BID, ...level] as const), ...asks.map((level) => [ASK, ...level] as const)]
    return levels.map(([side, price, qty], at) => {
      const first = at > 0 ? 0 : (isSnapshot ? SNAPSHOT : 0) + (hasGap ? GAP : 0)
      return { time, side, price, qty, flags: first + (at === levels.length - 1 ? FRAME_END : 0) }
    })
  })
  return {
    length: rows.length,
    time: Float64Array.from(rows, ({ time }) => time),
    flags: Uint8Array.from(rows, ({ flags }) => flags),
    side: Uint8Array.from(rows, ({ side }) => side),
    price: Float64Array.from(rows, ({ price }) => price),
    qty: Float64Array.from(rows, ({ qty }) => qty),
    ...(frames.some(({ falls }) => falls !== undefined) ? { falls: fallsOf(frames) } : {}),
  }
}

function fallsOf(frames: readonly MadeFrame[]): OrderFalls {
  let row = 0
  const all = frames.flatMap(({ bids, asks, falls = [] }) => {
    const reported = falls.map((fall) => ({ ...fall, row }))
    row += bids.length + asks.length
    return reported
  })
  return {
    length: all.length,
    row: Float64Array.from(all, (fall) => fall.row),
    side: Uint8Array.from(all, ({ side }) => (side === 'bid' ? BID : ASK)),
    price: Float64Array.from(all, ({ price }) => price),
    since: Float64Array.from(all, ({ since }) => since),
    lots: Float64Array.from(all, ({ lots }) => lots),
    kind: Uint8Array.from(
      all,
      ({ isTraded, isSeenToCome = true }) => (isTraded ? TRADED : 0) + (isSeenToCome ? SEEN_TO_COME : 0),
    ),
  }
}

export interface MadeQuote {
  readonly time: number
  /** 0 with no lots where no one is. */
  readonly bid: number
  readonly bidQty: number
  readonly ask: number
  readonly askQty: number
}

export const quoteBlockOf = (quotes: readonly MadeQuote[]): QuoteBlock => ({
  length: quotes.length,
  time: Float64Array.from(quotes, ({ time }) => time),
  bid: Float64Array.from(quotes, ({ bid }) => bid),
  bidQty: Float64Array.from(quotes, ({ bidQty }) => bidQty),
  ask: Float64Array.from(quotes, ({ ask }) => ask),
  askQty: Float64Array.from(quotes, ({ askQty }) => askQty),
})
