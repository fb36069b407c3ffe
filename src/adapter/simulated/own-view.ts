/**
 * The exchange's exact balances, as the owner of an account sees them.
 */
import type { Balances } from '../../domain/balances.ts'
import { ExactBalance } from '../../strategy/exact-balance.ts'
import type { OwnBalance, OwnBalances } from '../../strategy/own-order.ts'

/** @param scales  ledger digits by asset */
export function ownBalancesOf(balances: Balances, scales: ReadonlyMap<string, number>): OwnBalances {
  const own = new Map<string, OwnBalance>()
  for (const [asset, balance] of balances) own.set(asset, new ExactBalance(balance, scales.get(asset) ?? 0))
  return own
}
