/**
 * One resting order of the strategy, as the journal tells of it: what is ahead of it, and what the market traded at and beyond its price.
 */
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import type { Ahead } from './price-queue.ts'
import type { Reached, SideLife } from './side-lives.ts'

export interface OrderLife extends SideLife {
  /** In its last known state. */
  order: Order
  /** Gaps of the market before it began. */
  readonly gapsBefore: number
}

/** What there is to tell of an order when it leaves. */
export interface LifeFigures {
  readonly reached: Reached
  readonly ahead: Ahead
  /** Ticks: the recorded price that came nearest; undefined when there was none. */
  readonly nearest: number | undefined
  readonly isOfCandles: boolean
  readonly gaps: number
}

/** The order came to rest, as JSON. */
export const restedText = (orderId: number, ahead: Ahead, market: MarketConfig): string =>
  `{"type":"rested","orderId":"${orderId}",${aheadText(ahead, market)}}`

/**
 * The order left, or the run ended while it was open, as JSON. What was ahead of it is told unless it was filled whole, the nearest price
 * when none came to the order's.
 */
export function leftText({ id, status }: Order, figures: LifeFigures, market: MarketConfig): string {
  const { reached, ahead, nearest, isOfCandles, gaps } = figures
  const { at, through, toOurs } = reached
  const isTold = nearest !== undefined && at.trades + through.trades === 0
  const quantity = (lots: bigint): string => formatTrimmed(lots, market.qtyPrecision)
  return (
    `{"type":"left","orderId":"${id}","status":"${status}",${status === 'FILLED' ? '' : `${aheadText(ahead, market)},`}` +
    `"tradesAt":${at.trades},"qtyAt":"${quantity(at.lots)}",` +
    `"tradesThrough":${through.trades},"qtyThrough":"${quantity(through.lots)}",` +
    `"qtyToOurs":"${quantity(toOurs)}",${isOfCandles ? '"ofCandles":true,' : ''}` +
    `${isTold ? `"nearest":"${formatUnits(nearest, market.pricePrecision)}",` : ''}"gaps":${gaps}}`
  )
}

function aheadText({ crowd, ours }: Ahead, { qtyPrecision }: MarketConfig): string {
  return `"crowdAhead":"${formatTrimmed(crowd, qtyPrecision)}","oursAhead":"${formatTrimmed(ours, qtyPrecision)}"`
}
