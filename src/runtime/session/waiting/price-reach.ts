/**
 * A price as what a market came to: all of it is that price.
 */
import type { MarketReach } from '../../../adapter/market-reach.ts'
import type { Decimal } from '../../../domain/decimal.ts'

/** @param price  in the quote asset */
export const reachOf = (price: Decimal): MarketReach => ({
  first: price,
  last: price,
  low: price,
  high: price,
  stage: undefined,
})
