/**
 * Balances of the naive exchange: a sum for each holding, and what is locked added up over the open orders whenever it
 * is asked.
 */
import type { AuditLine } from '../../src/domain/audit.ts'
import type { Balance, Balances } from '../../src/domain/balances.ts'
import type { Trade } from '../../src/domain/trade.ts'
import type { NaiveMarket, NaiveOrder } from './naive-market.ts'
import { sum } from './naive-numbers.ts'
import { notionalOf, reservationOf } from './naive-order.ts'
import { accountOf } from './naive-state.ts'
import type { NaiveState } from './naive-state.ts'

function addTo(sums: Map<string, bigint>, asset: string, amount: bigint): void {
  sums.set(asset, (sums.get(asset) ?? 0n) + amount)
}

function book(state: NaiveState, account: string, asset: string, amount: bigint): void {
  addTo(accountOf(state, account).holdings, asset, amount)
}

export function bookCredit(state: NaiveState, account: string, asset: string, amount: bigint): void {
  book(state, account, asset, amount)
  addTo(state.credited, asset, amount)
}

/** Lots from the seller to the buyer, their price from the buyer to the seller, and a fee of each. */
export function bookTrade(
  state: NaiveState,
  market: NaiveMarket,
  trade: Trade,
  fees: { readonly buyer: bigint; readonly seller: bigint },
): void {
  const { baseAsset, quoteAsset } = market.config
  const [lots, cost] = [market.baseUnits(trade.qty), market.quoteUnits(notionalOf(trade.price, trade.qty))]
  book(state, trade.buyerId, baseAsset, lots)
  book(state, trade.buyerId, quoteAsset, -cost - fees.buyer)
  book(state, trade.sellerId, baseAsset, -lots)
  book(state, trade.sellerId, quoteAsset, cost - fees.seller)
  addTo(state.fees, quoteAsset, fees.buyer + fees.seller)
}

const reservedAsset = ({ request, market }: NaiveOrder): string =>
  request.side === 'BUY' ? market.config.quoteAsset : market.config.baseAsset

export function balanceOf(state: NaiveState, account: string, asset: string): Balance {
  const { open, holdings } = accountOf(state, account)
  let locked = 0n
  for (const order of open.values()) if (reservedAsset(order) === asset) locked += reservationOf(order)
  return { available: (holdings.get(asset) ?? 0n) - locked, locked }
}

export const balancesOf = (state: NaiveState, account: string): Balances =>
  new Map([...state.digits.keys()].map((asset) => [asset, balanceOf(state, account, asset)]))

export const auditOf = (state: NaiveState): readonly AuditLine[] =>
  [...state.digits].map(([asset, scale]) => ({
    asset,
    scale,
    credited: state.credited.get(asset) ?? 0n,
    held: sum([...state.accounts.values()].map(({ holdings }) => holdings.get(asset) ?? 0n)),
    fees: state.fees.get(asset) ?? 0n,
    // What is locked is worked out of the orders, and is never anything else.
    misreserved: 0n,
  }))
