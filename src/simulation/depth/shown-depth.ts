/** Recorded book as shown to traders: its levels less the lots taken, plus the resting orders of others. */
import type { Depth, DepthLevel } from '../../domain/depth.ts'
import type { Side } from '../../domain/order.ts'
import { depthSide, type FollowedBook } from './followed-book.ts'

export interface ShownBeside {
  /** Orders resting in the market, best first. */
  readonly resting: Depth
  /** Lots of the crowd among them at a price, already included in the recorded book. */
  readonly crowdAt: (side: Side, price: number) => number
  /** Maximum of levels per side; default: all. */
  readonly levels: number | undefined
}

/** Both sides of a market; only resting orders if the recorded book is unknown. */
export function shownDepth(followed: FollowedBook, { resting, crowdAt, levels = Infinity }: ShownBeside): Depth {
  if (!followed.depth.book.isKnown) return { bids: resting.bids.slice(0, levels), asks: resting.asks.slice(0, levels) }
  const side = (of: Side, own: readonly DepthLevel[]): readonly DepthLevel[] =>
    merged(
      of,
      recordedLevels(followed, of, levels),
      others(own, (price) => crowdAt(of, price)),
    ).slice(0, levels)
  return { bids: side('BUY', resting.bids), asks: side('SELL', resting.asks) }
}

function recordedLevels(followed: FollowedBook, side: Side, most: number): readonly DepthLevel[] {
  const levels: DepthLevel[] = []
  for (const price of followed.depth.book.prices(depthSide(side))) {
    const lots = followed.available(side, price)
    if (levels.length >= most) break
    if (lots > 0) levels.push({ price, qty: BigInt(lots) })
  }
  return levels
}

const others = (own: readonly DepthLevel[], crowdAt: (price: number) => number): readonly DepthLevel[] =>
  own.map(({ price, qty }) => ({ price, qty: qty - BigInt(crowdAt(price)) })).filter(({ qty }) => qty > 0n)

/** Merge of two sorted lists, best first. */
function merged(side: Side, recorded: readonly DepthLevel[], own: readonly DepthLevel[]): readonly DepthLevel[] {
  if (own.length === 0) return recorded
  const qtyByPrice = new Map(recorded.map(({ price, qty }) => [price, qty]))
  for (const { price, qty } of own) qtyByPrice.set(price, (qtyByPrice.get(price) ?? 0n) + qty)
  const levels = [...qtyByPrice].map(([price, qty]) => ({ price, qty }))
  return levels.sort((one, other) => (side === 'BUY' ? other.price - one.price : one.price - other.price))
}
