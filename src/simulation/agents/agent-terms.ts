/** Terms of the agents of a market: the first price, and how much a small order is. */
import { powerOfTen } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'

export interface AgentTerms {
  /** Ticks, from 1 to 10^12. */
  readonly firstPrice: number
  /** Lots of a small order, from 1 to 10^9. */
  readonly unitQty: number
  /** More than 0; at 1 there are some 3500 trades a day. The price wanders as far at any pace. */
  readonly pace: number
}

/** First prices by base asset, in whole units of the quote asset. */
const FIRST_PRICES: ReadonlyMap<string, bigint> = new Map([
  ['BTC', 42_000n],
  ['ETH', 2_300n],
])
const OTHER_FIRST_PRICE = 100n
/** Cost of a small order, in whole units of the quote asset. */
const SMALL_ORDER_COST = 42n

// Prices rise and sizes are multiplied: in a market of very fine units, this leaves room up to 2^53.
const MAX_TICKS = 10n ** 12n
const MAX_LOTS = 10n ** 9n

/** Terms at pace 1. */
export function agentTermsOf({ baseAsset, pricePrecision, qtyPrecision }: Market): AgentTerms {
  const price = (FIRST_PRICES.get(baseAsset) ?? OTHER_FIRST_PRICE) * powerOfTen(pricePrecision)
  const firstPrice = price < MAX_TICKS ? price : MAX_TICKS
  const wanted = (SMALL_ORDER_COST * powerOfTen(pricePrecision + qtyPrecision)) / firstPrice
  const unitQty = wanted < MAX_LOTS ? wanted : MAX_LOTS
  return { firstPrice: Number(firstPrice), unitQty: Math.max(1, Number(unitQty)), pace: 1 }
}
