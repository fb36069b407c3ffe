/**
 * A price as what a market came to: all of it is that price.
 */
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
