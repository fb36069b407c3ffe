/**
 * Risk limits of a single order, each as a function that returns the text of a refusal, or undefined for an allowed
 * order.
 *
 * A limit that needs a price refuses a market order before the first trade. A limit order is then valued at its own
 * price, and the collar allows it for lack of a reference price, as it allows every market order.
 */
import { Decimal, decimalOf, HUNDRED } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { SessionState } from '../../session-state.ts'
import type { RiskLimits } from '../../settings/risk-limits.ts'

/** An order to be checked, and the state it is checked against. All quantities in the base asset. */
export interface CheckedOrder {
  readonly request: OrderRequest
  readonly market: Market
  /** Undefined before the first trade. */
  readonly lastPrice: Decimal | undefined
  /** Present holdings of the base asset. */
  readonly held: Decimal
  /** Maximum quantity that could be bought, including this order. */
  readonly couldBuy: Decimal
  /** Maximum quantity that could be sold, including this order. */
  readonly couldSell: Decimal
}

const NO_PRICE = 'no trade yet, so the market order has no value'

/** Maximum notional. A sell fills at bids above its price, so it is valued at the last price at least. */
export function sizeFault(order: CheckedOrder, { maxOrder }: Pick<RiskLimits, 'maxOrder'>): string | undefined {
  if (maxOrder === null) return undefined
  const { request, market, lastPrice } = order
  const limit = priceOf(order)
  const price =
    request.side === 'SELL' && limit !== undefined ? Decimal.max(limit, lastPrice ?? limit) : (limit ?? lastPrice)
  if (price === undefined) return `maxOrder: ${NO_PRICE}`
  const notional = decimalOf(request.qty, market.qtyPrecision).times(price)
  if (notional.lte(maxOrder)) return undefined
  return `maxOrder: the order is worth ${notional.toFixed()} ${market.quoteAsset}, the limit is ${maxOrder.toFixed()}`
}

/** Never refuses a sell. */
export function positionFault(
  order: CheckedOrder,
  { maxPosition }: Pick<RiskLimits, 'maxPosition'>,
): string | undefined {
  if (maxPosition === null || order.request.side === 'SELL') return undefined
  const { market, held, couldBuy } = order
  const price = order.lastPrice ?? priceOf(order)
  if (price === undefined) return `maxPosition: ${NO_PRICE}`
  const worth = held.plus(couldBuy).times(price)
  if (worth.lte(maxPosition)) return undefined
  return (
    `maxPosition: ${held.toFixed()} ${market.baseAsset} held plus ${couldBuy.toFixed()} in buys, including this order, ` +
    `are worth ${worth.toFixed()} ${market.quoteAsset}, the limit is ${maxPosition.toFixed()}`
  )
}

/** Refuses only prices that cost money: a buy far below the last trade, or a sell far above it, may rest. */
export function collarFault(
  order: CheckedOrder,
  { collarPercent }: Pick<RiskLimits, 'collarPercent'>,
): string | undefined {
  const [price, { lastPrice, request }] = [priceOf(order), order]
  if (collarPercent === null || price === undefined || lastPrice === undefined) return undefined
  const beyond = request.side === 'BUY' ? price.minus(lastPrice) : lastPrice.minus(price)
  if (beyond.times(HUNDRED).lte(lastPrice.times(collarPercent))) return undefined
  const where = request.side === 'BUY' ? 'a buy' : 'a sell'
  return `collarPercent: ${where} at ${price.toFixed()} is more than ${collarPercent.toFixed()} percent beyond the last trade at ${lastPrice.toFixed()}`
}

/**
 * There is no short selling, so a sell is reducing as long as holdings cover every sell that may be filled, and a buy
 * never is.
 */
export function stateFault(
  order: CheckedOrder,
  { state, why }: { readonly state: SessionState; readonly why: string },
): string | undefined {
  if (state === 'ACTIVE') return undefined
  if (state === 'HALTED') return `the session is HALTED: ${why}`
  const { request, market, held, couldSell } = order
  if (request.side === 'BUY') return `the session is REDUCING, which allows no buys: ${why}`
  if (isReducing(order)) return undefined
  return (
    `the session is REDUCING, and sells of ${couldSell.toFixed()} ${market.baseAsset}, including this order, exceed the ${held.toFixed()} ` +
    `held: ${why}`
  )
}

/** An unknown loss may exceed its limit. */
export function valueFault(order: CheckedOrder, unpriced: string | undefined): string | undefined {
  if (unpriced === undefined || isReducing(order)) return undefined
  return `dayLoss or drawdownPercent: the loss is unknown because ${unpriced} has no price yet`
}

const isReducing = ({ request, held, couldSell }: CheckedOrder): boolean =>
  request.side === 'SELL' && couldSell.lte(held)

function priceOf({ request, market }: CheckedOrder): Decimal | undefined {
  if (request.type === 'MARKET') return undefined
  return decimalOf(request.price, market.pricePrecision)
}
