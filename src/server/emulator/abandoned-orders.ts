/**
 * Orders that nobody looks after any more: a restart keeps the books, but not those who made the market.
 */
import { CROWD } from '../../domain/command.ts'
import type { Exchange } from '../../exchange/exchange.ts'

/**
 * Cancels every open order of the crowd and of `accounts`; their history keeps them as cancelled.
 *
 * @param time  Unix milliseconds, not before the exchange's
 * @returns     how many there were
 */
export function cancelAbandonedOrders(exchange: Exchange, time: number, accounts: Iterable<string>): number {
  let cancelled = 0
  for (const account of new Set([CROWD, ...accounts])) {
    for (const { id } of exchange.openOrders(account)) {
      exchange.execute({ type: 'cancel', time, account, orderId: id })
      cancelled += 1
    }
  }
  return cancelled
}
