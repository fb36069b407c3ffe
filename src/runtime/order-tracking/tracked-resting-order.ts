/**
 * One resting order of the strategy, as the journal tells of it: what is ahead of it, and what the market traded at and
 * beyond its price.
 */
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import type { Ahead } from './price-queue.ts'
import type { Reached, RestingOrderEntry } from './resting-orders-by-side.ts'

export interface TrackedRestingOrder extends RestingOrderEntry {
  /** In its last known state. */
  order: Order
  /** Gaps of the market before it began. */
  readonly gapsBefore: number
}

/** What there is to tell of an order when it leaves. */
export interface RestingOrderFigures {
  readonly reached: Reached
  readonly ahead: Ahead
  /** Lots of the crowd that were ahead of it and, by the recorded book, were cancelled. */
  readonly cancelledAhead: bigint
  /** Ticks: the recorded price that came nearest; undefined when there was none. */
  readonly nearest: number | undefined
  readonly isOfCandles: boolean
  readonly gaps: number
}

/** The order came to rest: the fields of its line behind the time. */
export const restedText = (orderId: number, ahead: Ahead, market: MarketConfig): string =>
  `"type":"rested","orderId":"${orderId}"${aheadText(ahead, market)}}`

/**
 * The order left, or the run ended while it was open. What was ahead of it is told unless it was filled whole, the
 * nearest price when none came to the order's; what is zero is not told.
 */
export function leftText({ id, status }: Order, figures: RestingOrderFigures, market: MarketConfig): string {
  const { reached, ahead, cancelledAhead, nearest, isOfCandles, gaps } = figures
  const { at, through, toOurs } = reached
  const isTold = nearest !== undefined && at.trades + through.trades === 0
  const { qtyPrecision } = market
  return (
    `"type":"left","orderId":"${id}","status":"${status}"${status === 'FILLED' ? '' : aheadText(ahead, market)}` +
    quantityText('cancelledAhead', cancelledAhead, qtyPrecision) +
    (at.trades === 0 ? '' : `,"tradesAt":${at.trades},"qtyAt":"${formatTrimmed(at.lots, qtyPrecision)}"`) +
    (through.trades === 0
      ? ''
      : `,"tradesThrough":${through.trades},"qtyThrough":"${formatTrimmed(through.lots, qtyPrecision)}"`) +
    quantityText('qtyToOurs', toOurs, qtyPrecision) +
    (isOfCandles ? ',"ofCandles":true' : '') +
    (isTold ? `,"nearest":"${formatUnits(nearest, market.pricePrecision)}"` : '') +
    (gaps === 0 ? '}' : `,"gaps":${gaps}}`)
  )
}

const aheadText = ({ crowd, ours }: Ahead, { qtyPrecision }: MarketConfig): string =>
  quantityText('crowdAhead', crowd, qtyPrecision) + quantityText('oursAhead', ours, qtyPrecision)

/** Nothing for none; else with a comma before it. */
const quantityText = (name: string, lots: number | bigint, decimals: number): string =>
  lots === 0 || lots === 0n ? '' : `,"${name}":"${formatTrimmed(lots, decimals)}"`
