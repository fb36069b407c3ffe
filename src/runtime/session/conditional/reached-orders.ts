/**
 * Orders that wait, met by what the market came to: which of them acts, and which follow.
 */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import { priceRangeOf } from './price-range.ts'
import type { ConditionalOrder } from './conditional-order.ts'

/**
 * Of those that are triggered together the worse: a stop before a profit, else the oldest; undefined when none is.
 *
 * @param fresh  began to wait inside of the recorded candle that ends
 */
export function firstTouched(
  waiting: readonly ConditionalOrder[],
  reach: PriceRange,
  fresh: ConditionalOrder | undefined,
): ConditionalOrder | undefined {
  const touched = waiting.filter((each) => isTouched(each, reach, each === fresh))
  return touched.find(({ isStop }) => isStop) ?? touched[0]
}

function isTouched(waiting: ConditionalOrder, reach: PriceRange, isFresh: boolean): boolean {
  const { stage } = reach
  if (!waiting.isArmed) return false
  // What could not be had asks again at an open.
  if (waiting.isDue) return stage === undefined || stage === 'open'
  // The body was told before, but not to one that was not there.
  return (stage !== 'ended' || isFresh) && waiting.touchedBy(reach) !== undefined
}

/** Trailing stops follow what the market came to. */
export function follow(
  waiting: readonly ConditionalOrder[],
  reach: PriceRange,
  fresh: ConditionalOrder | undefined,
): void {
  for (const each of waiting) {
    if (!each.isArmed) continue
    // What came before it began to wait is not known from what came after, but the end of the candle is.
    each.follow(each === fresh ? priceRangeOf(reach.last) : reach)
  }
}
