/**
 * Fees and what they reserve (decision 12).
 *
 * An order's fee is the exact fee over all its fills, each at its own role's rate, rounded up once to the last ledger digit; a
 * fill is charged the increase of that total.
 */
import { divideUp } from '../domain/fixed-point.ts'
import { FEE_RATE_ONE } from '../domain/market.ts'
import type { LiveOrder } from './live-order.ts'

/** The fee that `exact`, in 10^-8 ledger units, comes to. */
const feeOf = (exact: bigint): bigint => divideUp(exact, FEE_RATE_ONE)

/** A cost and the fee on it at `rate`. */
export function costWithFee(cost: bigint, rate: bigint): bigint {
  return cost + feeOf(cost * rate)
}

/** What must stay reserved for the rest of an order that rests: quote for a buy order, base for a sell order. */
export function reservationOf(order: LiveOrder): bigint {
  const { rules, request, remaining } = order
  if (request.side === 'SELL') return BigInt(remaining) * rules.unitsPerLot
  if (request.type === 'MARKET') return 0n
  const cost = rules.cost(request.price, remaining)
  return cost + feeOf(order.exactFee + cost * rules.highestRate) - order.fee
}

/** Adds a fill that cost `cost` to the order's fee at `rate`. Returns what the fill is charged. */
export function chargeFill(order: LiveOrder, cost: bigint, rate: bigint): bigint {
  if (order.account.isCrowd) return 0n
  order.exactFee += cost * rate
  const charged = feeOf(order.exactFee) - order.fee
  order.fee += charged
  return charged
}
