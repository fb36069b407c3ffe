/**
 * An order while the exchange works on it; it is shown to the outside as an `Order` that no longer changes.
 */
import type { Order, OrderRequest, OrderStatus, Side } from '../domain/order.ts'
import type { Account } from './account.ts'
import type { MarketRules } from './market-rules.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export class LiveOrder {
  readonly id: number
  readonly account: Account
  readonly rules: MarketRules
  readonly request: OrderRequest
  readonly createdAt: number
  status: OrderStatus = 'OPEN'
  /** Lots that are still open. */
  remaining: number
  /** Ticks x lots of its fills. */
  filledNotional = 0n
  /** Exact fee of its fills, in 10^-8 ledger units of the quote asset. */
  exactFee = 0n
  /** Fee charged so far, in ledger units of the quote asset. */
  fee = 0n
  /** What is reserved for it: ledger units of the quote asset for a buy order, of the base asset for a sell order. */
  reserved = 0n

  // Its neighbours in the queue of its price level.
  ahead: LiveOrder | undefined
  behind: LiveOrder | undefined

  constructor(id: number, account: Account, rules: MarketRules, request: OrderRequest, createdAt: number) {
    this.id = id
    this.account = account
    this.rules = rules
    this.request = request
    this.createdAt = createdAt
    this.remaining = request.qty
  }

  get side(): Side {
    return this.request.side
  }

  /** Ticks; 0 for a market order, which never rests. */
  get price(): number {
    return this.request.type === 'LIMIT' ? this.request.price : 0
  }

  snapshot(): Order {
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
}
