/**
 * The exchange's exact records, as the owner of an account sees them.
 */
import type { Balances } from '../../domain/balances.ts'
import type { Market } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import type { Fill } from '../../domain/trade.ts'
import { ExactBalance } from '../../strategy/exact-balance.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnBalance, OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'

export const ownOrderOf = (order: Order, market: Market): OwnOrder => new ExactOrder(order, market)

/** @param quoteScale  ledger digits of the market's quote asset */
export const ownFillOf = (fill: Fill, market: Market, quoteScale: number): OwnFill =>
  new ExactFill(fill, market, quoteScale)

/** @param scales  ledger digits by asset */
export function ownBalancesOf(balances: Balances, scales: ReadonlyMap<string, number>): OwnBalances {
  const own = new Map<string, OwnBalance>()
  for (const [asset, balance] of balances) own.set(asset, new ExactBalance(balance, scales.get(asset) ?? 0))
  return own
}
