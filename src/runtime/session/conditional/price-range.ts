/** A single price as a price range. */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import type { Decimal } from '../../../domain/decimal.ts'

/** @param price  in the quote asset */
export const priceRangeOf = (price: Decimal): PriceRange => ({
  first: price,
  last: price,
  low: price,
  high: price,
  stage: undefined,
})
