/** Snapshot of a resting order. */
import type { Order } from '../../domain/order.ts'
import type { RestingSnapshot } from './exchange-snapshot.ts'

/** @param exactFee  of its fills, in 10^-8 ledger units of the quote asset */
export function restingSnapshot(
  { id, userId, symbol, side, price = 0, qty, createdAt, status, filledQty, filledNotional, fee }: Order,
  exactFee: bigint,
): RestingSnapshot {
  return {
    id,
    account: userId,
    request: { symbol, side, type: 'LIMIT', price, qty },
    createdAt,
    status,
    remaining: qty - filledQty,
    filledNotional: String(filledNotional),
    fee: String(fee),
    exactFee: String(exactFee),
  }
}
