/**
 * The limits of one order, each as a function: the text of a refusal, or undefined for an order that it allows.
 *
 * A limit that needs a price refuses a market order before the first trade. A limit order is then taken at its own
 * price, and the collar has nothing to hold it against, so it allows it, as it allows every market order.
 */
import { Decimal, decimalOf, HUNDRED } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { SessionState } from './session-state.ts'
import type { RiskLimits } from './risk-limits.ts'

/** An order that may go out, and what it is held against. All quantities in the base asset. */
export interface CheckedOrder {
  readonly request: OrderRequest
  readonly market: Market
  /** Undefined before the first trade. */
  readonly lastPrice: Decimal | undefined
  /** Of the base asset, at present. */
  readonly held: Decimal
  /** All that could be bought, this order included. */
  readonly couldBuy: Decimal
  /** All that could be sold, this order included. */
  readonly couldSell: Decimal
}

const NO_PRICE = 'no trade yet, so the market order has no value'

/** Largest notional. A sell takes what is bid above its price, so it is worth the last price at least. */
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

/** A sell is never against it. */
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

/**
 * Only the side on which a wrong price costs money: a buy far below the last trade, or a sell far above it, may rest.
 */
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
 * Nothing is sold short here, so a sell reduces as long as what is held covers every sell that may be filled, and a buy
 * never does.
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

/** A loss that nobody can tell might be beyond its limit. */
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
