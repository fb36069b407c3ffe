/**
 * One resting order of the strategy, as reported in the journal: the lots ahead of it, and the recorded trades at and
 * beyond its price.
 */
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import type { Ahead } from './price-queue.ts'
import type { Reached, RestingOrderEntry } from './resting-orders-by-side.ts'

export interface TrackedRestingOrder extends RestingOrderEntry {
  /** Last known state. */
  order: Order
  /** Gaps of the market before it was placed. */
  readonly gapsBefore: number
}

/** Figures of an order when it leaves. */
export interface RestingOrderFigures {
  readonly reached: Reached
  readonly ahead: Ahead
  /** Lots of the crowd that were ahead of it and were cancelled according to the recorded book. */
  readonly cancelledAhead: bigint
  /** Ticks: the closest recorded price; undefined if there was none. */
  readonly nearest: number | undefined
  readonly isOfCandles: boolean
  readonly gaps: number
}

/** The order came to rest: the fields of its line after the time. */
export const restedText = (orderId: number, ahead: Ahead, market: MarketConfig): string =>
  `"type":"rested","orderId":"${orderId}"${aheadText(ahead, market)}}`

/**
 * The order left, or the run ended while it was open. Lots ahead are reported unless it was completely filled, the
 * closest price if none reached the order's; zeros are omitted.
 */
export function leftText({ id, status }: Order, figures: RestingOrderFigures, market: MarketConfig): string {
  const { reached, ahead, cancelledAhead, nearest, isOfCandles, gaps } = figures
  const { at, through, toOurs } = reached
  const isReported = nearest !== undefined && at.trades + through.trades === 0
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
    (isReported ? `,"nearest":"${formatUnits(nearest, market.pricePrecision)}"` : '') +
    (gaps === 0 ? '}' : `,"gaps":${gaps}}`)
  )
}

const aheadText = ({ crowd, ours }: Ahead, { qtyPrecision }: MarketConfig): string =>
  quantityText('crowdAhead', crowd, qtyPrecision) + quantityText('oursAhead', ours, qtyPrecision)

/** Empty for zero; otherwise with a leading comma. */
const quantityText = (name: string, lots: number | bigint, decimals: number): string =>
  lots === 0 || lots === 0n ? '' : `,"${name}":"${formatTrimmed(lots, decimals)}"`
