/**
 * Matches conditional orders with the price range that the market covered: which one is triggered, and how trailing
 * stops follow.
 */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import { priceRangeOf } from './price-range.ts'
import type { ConditionalOrder } from './conditional-order.ts'

/**
 * The worst of the triggered orders: a stop before a take-profit, otherwise the oldest; undefined if none is triggered.
 * @param armedInsideCandle  armed inside the recorded candle that ends
 */
export function firstTouched(
  waiting: readonly ConditionalOrder[],
  reach: PriceRange,
  armedInsideCandle: ConditionalOrder | undefined,
): ConditionalOrder | undefined {
  const touched = waiting.filter((each) => isTouched(each, reach, each === armedInsideCandle))
  return touched.find(({ isStop }) => isStop) ?? touched[0]
}

function isTouched(waiting: ConditionalOrder, reach: PriceRange, isArmedInside: boolean): boolean {
  const { stage } = reach
  if (!waiting.isArmed) return false
  // A refused order is retried at an open.
  if (waiting.isDue) return stage === undefined || stage === 'open'
  // The range of the body was already evaluated, except for an order armed inside it.
  return (stage !== 'ended' || isArmedInside) && waiting.touchedBy(reach) !== undefined
}

/** Moves trailing stops along the range. */
export function follow(
  waiting: readonly ConditionalOrder[],
  reach: PriceRange,
  armedInsideCandle: ConditionalOrder | undefined,
): void {
  for (const each of waiting) {
    if (!each.isArmed) continue
    // The range before it was armed cannot be separated from the range after, so only the last price counts.
    each.follow(each === armedInsideCandle ? priceRangeOf(reach.last) : reach)
  }
}
