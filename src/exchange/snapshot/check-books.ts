/** Validates the resting orders of a snapshot. */
import { CROWD } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { divideUp } from '../../domain/fixed-point.ts'
import { FEE_RATE_ONE } from '../../domain/market.ts'
import type { Side } from '../../domain/order.ts'
import type { MarketSnapshot, RestingSnapshot } from './exchange-snapshot.ts'
import type { SnapshotIds } from './snapshot-ids.ts'
import { checkEach, checkObject, isUnitsText, isWhole, type Fault } from './snapshot-values.ts'

/** @throws {InputError} naming the first order that cannot rest there */
export function checkBooks(place: string, symbol: string, { bids, asks }: MarketSnapshot, ids: SnapshotIds): void {
  checkSide(`${place}.bids`, { symbol, side: 'BUY' }, bids, ids)
  checkSide(`${place}.asks`, { symbol, side: 'SELL' }, asks, ids)
  const [bid, ask] = [bids[0], asks[0]]
  if (bid === undefined || ask === undefined || priceOf(bid) < priceOf(ask)) return
  throw new InputError(`snapshot ${place}`, `the best bid, order ${bid.id}, would have traded with order ${ask.id}`)
}

interface BookSide {
  readonly symbol: string
  readonly side: Side
}

function checkSide(place: string, of: BookSide, orders: readonly RestingSnapshot[], ids: SnapshotIds): void {
  checkEach(place, orders, (order, _, before) => {
    checkObject(`${place} request`, order.request)
    return (
      ids.faultOfOrder(order.id, order.createdAt) ??
      faultOfRequest(order, of) ??
      faultOfProgress(order) ??
      faultOfMoney(order) ??
      (ids.hasAccount(order.account) ? undefined : `its account '${order.account}' is not there`) ??
      (before === undefined || isBehind(order, before, of.side) ? undefined : `is better than the one ahead of it`)
    )
  })
}

const priceOf = ({ request }: RestingSnapshot): number => (request.type === 'LIMIT' ? request.price : 0)

const isBehind = (order: RestingSnapshot, before: RestingSnapshot, side: Side): boolean =>
  side === 'BUY' ? priceOf(order) <= priceOf(before) : priceOf(order) >= priceOf(before)

function faultOfRequest({ request }: RestingSnapshot, { symbol, side }: BookSide): Fault {
  if (request.symbol !== symbol || request.side !== side) return `is no ${side} order of ${symbol}`
  if (request.type !== 'LIMIT') return 'a market order does not rest'
  return isWhole(request.price, 1) && isWhole(request.qty, 1) ? undefined : 'has no price or no quantity'
}

function faultOfProgress({ status, remaining, request }: RestingSnapshot): Fault {
  if (!isWhole(remaining, 1, request.qty)) return `has ${String(remaining)} of ${request.qty} lots open`
  const expected = remaining === request.qty ? 'OPEN' : 'PARTIALLY_FILLED'
  return status === expected ? undefined : `is ${status} with ${remaining} of ${request.qty} lots open`
}

function faultOfMoney(order: RestingSnapshot): Fault {
  const { account, request, remaining, filledNotional, fee, exactFee } = order
  if (![filledNotional, fee, exactFee].every(isUnitsText)) return 'has amounts that are no whole numbers'
  const filled = BigInt(request.qty - remaining)
  if (!isNotional(BigInt(filledNotional), filled, request.side, priceOf(order))) {
    return `cannot have traded ${filled} lots for ${filledNotional}`
  }
  const [exact, charged] = [BigInt(exactFee), BigInt(fee)]
  const isPaid = exact >= 0n && charged === divideUp(exact, FEE_RATE_ONE) && (filled > 0n || exact === 0n)
  return isPaid && (account !== CROWD || exact === 0n) ? undefined : `has paid ${fee} for a fee of ${exactFee}`
}

/** Whether filled lots at a limit price can amount to so many ticks x lots. */
export function isNotional(notional: bigint, filled: bigint, side: Side, limit: number): boolean {
  if (filled === 0n) return notional === 0n
  const atLimit = BigInt(limit) * filled
  return notional >= filled && (side === 'BUY' ? notional <= atLimit : notional >= atLimit)
}
