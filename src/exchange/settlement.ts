/**
 * One match, booked: quantities, reservations, money, fees.
 *
 * Price improvement comes back at the fill, because an order's reservation is cut to what its rest needs before it pays.
 */
import { invariant } from '../domain/errors.ts'
import type { Trade } from '../domain/trade.ts'
import { chargeFill, reservationOf } from './fees.ts'
import type { Ledger } from './ledger.ts'
import type { LiveOrder } from './live-order.ts'

/** Sets what is reserved for an order; the difference comes out of, or goes back to, what is available. */
export function reserveFor(ledger: Ledger, order: LiveOrder, amount: bigint): void {
  const { account, rules } = order
  ledger.reserve(account, order.side === 'BUY' ? rules.quote : rules.base, amount - order.reserved)
  order.reserved = amount
}

/** Books `trade` for both of its orders. Returns the fees that it charged, in ledger units of the quote asset. */
export function settle(
  ledger: Ledger,
  trade: Trade,
  maker: LiveOrder,
  taker: LiveOrder,
): { makerFee: bigint; takerFee: bigint } {
  const { rules } = maker
  const cost = rules.cost(trade.price, trade.qty)
  const [buy, sell] = trade.isBuyerMaker ? [maker, taker] : [taker, maker]
  const makerFee = fill(ledger, maker, trade, cost, rules.makerRate)
  const takerFee = fill(ledger, taker, trade, cost, rules.takerRate)
  ledger.transfer(buy.account, sell.account, rules.quote, cost)
  ledger.transfer(sell.account, buy.account, rules.base, BigInt(trade.qty) * rules.unitsPerLot)
  ledger.takeFee(maker.account, rules.quote, makerFee)
  ledger.takeFee(taker.account, rules.quote, takerFee)
  return { makerFee, takerFee }
}

/** Counts the fill in the order and cuts its reservation. Returns the fee to charge. */
function fill(ledger: Ledger, order: LiveOrder, trade: Trade, cost: bigint, rate: bigint): bigint {
  invariant(trade.qty > 0 && trade.qty <= order.remaining, `order ${order.id} is filled beyond its quantity`)
  order.remaining -= trade.qty
  order.filledNotional += BigInt(trade.price) * BigInt(trade.qty)
  order.status = order.remaining === 0 ? 'FILLED' : 'PARTIALLY_FILLED'
  const fee = chargeFill(order, cost, rate)
  // A market order reserves nothing: its need was available when it entered, and nothing comes between.
  if (order.request.type === 'LIMIT') reserveFor(ledger, order, reservationOf(order))
  return fee
}
