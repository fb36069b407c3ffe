/**
 * What is true of an order of the naive exchange, and how it is filled.
 */
import type { Order, OrderRequest, OrderStatus } from '../../src/domain/order.ts'
import type { NaiveMarket, NaiveOrder } from './naive-market.ts'
import { CROWD, FEE_PARTS, must, unitsRoundedUp } from './naive-numbers.ts'

export const newOrder = (
  id: number,
  account: string,
  request: OrderRequest,
  market: NaiveMarket,
  createdAt: number,
): NaiveOrder => ({
  id,
  account,
  request: { ...request },
  market,
  createdAt,
  filledQty: 0,
  takenOffQty: 0,
  notional: 0n,
  exactFee: 0n,
  reserved: undefined,
  cancelled: false,
})

export const notionalOf = (price: number, qty: number): bigint => BigInt(price) * BigInt(qty)

/** What it is an order for. */
const orderedQty = (order: NaiveOrder): number => order.request.qty - order.takenOffQty

export const remainingQty = (order: NaiveOrder): number => orderedQty(order) - order.filledQty

export function limitPrice({ id, request }: NaiveOrder): number {
  must(request.type === 'LIMIT', `order ${id} has no limit price`)
  return request.price
}

/** The specification, section 3: a match may also move OPEN straight to FILLED. */
export function statusOf(order: NaiveOrder): OrderStatus {
  if (order.cancelled) return 'CANCELLED'
  if (remainingQty(order) === 0) return 'FILLED'
  return order.filledQty === 0 ? 'OPEN' : 'PARTIALLY_FILLED'
}

/** Decision 12: the exact fee, rounded up once. */
const feeOf = (order: NaiveOrder): bigint => unitsRoundedUp(order.exactFee, FEE_PARTS)

/** Adds a fill and returns what it added to the order's fee. */
export function fill(order: NaiveOrder, price: number, qty: number, role: 'maker' | 'taker'): bigint {
  const before = feeOf(order)
  const notional = notionalOf(price, qty)
  order.filledQty += qty
  order.notional += notional
  order.reserved = undefined
  if (order.account !== CROWD) order.exactFee += order.market.quoteUnits(notional) * order.market.feeRate[role]
  return feeOf(order) - before
}

/**
 * What a live order holds back of its account: quote ledger units for a buy, base ledger units for a sell (decision
 * 12).
 */
export const reservationOf = (order: NaiveOrder): bigint => (order.reserved ??= neededFor(order))

function neededFor(order: NaiveOrder): bigint {
  const { baseUnits, quoteUnits, higherFeeRate } = order.market
  if (order.account === CROWD) return 0n
  if (order.request.side === 'SELL') return baseUnits(remainingQty(order))
  const rest = quoteUnits(notionalOf(limitPrice(order), remainingQty(order)))
  return rest + unitsRoundedUp(order.exactFee + rest * higherFeeRate, FEE_PARTS) - feeOf(order)
}

/** The order as the exchange hands it out. */
export function shownOrder(order: NaiveOrder): Order {
  const { request } = order
  return {
    id: order.id,
    userId: order.account,
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    status: statusOf(order),
    ...(request.type === 'LIMIT' ? { price: request.price } : {}),
    qty: orderedQty(order),
    filledQty: order.filledQty,
    filledNotional: order.notional,
    fee: feeOf(order),
    createdAt: order.createdAt,
  }
}
