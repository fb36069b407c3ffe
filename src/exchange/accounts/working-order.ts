/**
 * An order while the exchange works on it; it is shown to the outside as an `Order` that no longer changes.
 */
import type { Order, OrderRequest, OrderStatus, Side } from '../../domain/order.ts'
import type { Account } from './account.ts'
import { NONE } from '../book/order-slots.ts'
import type { RestingSnapshot } from '../snapshot/exchange-snapshot.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** An order that rests, as it stood at one moment. */
export interface OrderStanding {
  readonly order: WorkingOrder
  readonly status: OrderStatus
  readonly remaining: number
  readonly filledNotional: bigint
  readonly fee: bigint
  readonly exactFee: bigint
}

export class WorkingOrder {
  readonly id: number
  readonly account: Account
  readonly request: OrderRequest
  readonly createdAt: number
  status: OrderStatus = 'OPEN'
  /** Lots that are still open. */
  remaining: number
  /** Ticks x lots of its fills. */
  filledNotional = 0n
  /** Fee charged so far, in ledger units of the quote asset. */
  fee = 0n
  /** Where it rests in the book of its market. */
  slot = NONE

  constructor(id: number, account: Account, request: OrderRequest, createdAt: number) {
    this.id = id
    this.account = account
    this.request = copyOf(request)
    this.createdAt = createdAt
    this.remaining = request.qty
  }

  static restore(snapshot: RestingSnapshot, account: Account): WorkingOrder {
    const order = new WorkingOrder(snapshot.id, account, snapshot.request, snapshot.createdAt)
    order.status = snapshot.status
    order.remaining = snapshot.remaining
    order.filledNotional = BigInt(snapshot.filledNotional)
    order.fee = BigInt(snapshot.fee)
    return order
  }

  get side(): Side {
    return this.request.side
  }

  /** Counts a match. */
  fill(price: number, qty: number, fee: bigint): void {
    this.remaining -= qty
    this.filledNotional += BigInt(price) * BigInt(qty)
    this.fee += fee
    this.status = this.remaining === 0 ? 'FILLED' : 'PARTIALLY_FILLED'
  }

  /** The order as it is now. */
  view(): Order {
    const { request } = this
    const order: Mutable<Order> = {
      id: this.id,
      userId: this.account.id,
      symbol: request.symbol,
      side: request.side,
      type: request.type,
      status: this.status,
      qty: request.qty,
      filledQty: request.qty - this.remaining,
      filledNotional: this.filledNotional,
      fee: this.fee,
      createdAt: this.createdAt,
    }
    // Set apart: spreading an object that may be empty costs more than all the rest.
    if (request.type === 'LIMIT') order.price = request.price
    return order
  }

  /** What of it may change. @param exactFee  in 10^-8 ledger units of the quote asset */
  standing(exactFee: bigint): OrderStanding {
    const { status, remaining, filledNotional, fee } = this
    return { order: this, status, remaining, filledNotional, fee, exactFee }
  }
}

export const restingSnapshot = ({
  order: { id, account, request, createdAt },
  status,
  remaining,
  filledNotional,
  fee,
  exactFee,
}: OrderStanding): RestingSnapshot => ({
  id,
  account: account.id,
  request: copyOf(request),
  createdAt,
  status,
  remaining,
  filledNotional: String(filledNotional),
  fee: String(fee),
  exactFee: String(exactFee),
})

/** Whoever asked may change the request later, and would change the order with it. */
function copyOf(request: OrderRequest): OrderRequest {
  const { symbol, side, qty } = request
  return request.type === 'LIMIT'
    ? { symbol, side, type: 'LIMIT', price: request.price, qty }
    : { symbol, side, type: 'MARKET', qty }
}
