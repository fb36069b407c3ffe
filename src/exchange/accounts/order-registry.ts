/** The orders of every account, found by their id. The crowd's are forgotten when they finish. */
import { InvariantError } from '../../domain/errors.ts'
import type { Order, OrderRequest } from '../../domain/order.ts'
import { NONE } from '../book/order-slots.ts'
import { IdIndex } from '../records/id-index.ts'
import type { OrderQuery } from '../exchange.ts'
import type { OrderSnapshot } from '../snapshot/exchange-snapshot.ts'
import type { Account } from './account.ts'
import type { AccountOrders } from './account-orders.ts'
import type { OrderRecords } from './order-records.ts'

export class OrderRegistry {
  readonly records: OrderRecords
  readonly #index: IdIndex
  /** Accounts by ledger row. */
  readonly #accounts: readonly Account[]

  constructor(records: OrderRecords, accounts: readonly Account[]) {
    this.records = records
    this.#index = new IdIndex(records.pages)
    this.#accounts = accounts
  }

  /** Enters a new order, which is open. @param account  row of the ledger @returns its record */
  enter(id: number, account: number, market: number, request: OrderRequest, createdAt: number): number {
    const order = this.records.take(id, account, market, request, createdAt)
    this.#index.add(id, order)
    this.#listsOf(account).enter(order)
    return order
  }

  /** Moves a finished order to its history; its record may be released. */
  finish(order: number): void {
    const forgotten = this.#listsOf(this.records.account(order)).finish(order)
    if (forgotten === NONE) return
    this.#index.remove(forgotten)
    this.records.release(forgotten)
  }

  /**
   * Finds an order of an account; NONE when it is unknown, another's, or evicted.
   *
   * @param account  row of the ledger
   */
  find(account: number, id: number): number {
    const order = this.#index.find(id)
    return order !== NONE && this.records.account(order) === account ? order : NONE
  }

  /** @throws {InvariantError} when no such order is open */
  resting(id: number): number {
    const order = this.#index.find(id)
    if (order === NONE || !this.records.isOpen(order)) throw new InvariantError(`no order ${id} rests`)
    return order
  }

  /** Newest first. */
  open(account: AccountOrders): readonly Order[] {
    const open: Order[] = []
    for (let order = account.newestOpen; order !== NONE; order = account.openBefore(order)) {
      open.push(this.records.view(order))
    }
    return open
  }

  /** Newest first. @param market  its place among the markets; undefined for all */
  page(account: AccountOrders, market: number | undefined, query: Omit<OrderQuery, 'symbol'>): readonly Order[] {
    const { records } = this
    const { status, limit, page } = query
    const isAsked = (order: number): boolean =>
      (market === undefined || records.market(order) === market) &&
      (status === undefined || records.hasStatus(order, status))
    const asked: Order[] = []
    let passedOver = (page - 1) * limit
    for (let order = account.newest; order !== NONE && asked.length < limit; order = account.before(order)) {
      if (!isAsked(order)) continue
      if (passedOver > 0) passedOver -= 1
      else asked.push(records.view(order))
    }
    return asked
  }

  /** Brings back a finished order; it is in no list yet. */
  restoreFinished(account: number, market: number, order: OrderSnapshot): number {
    const { id, symbol, side, type, price = 0, qty, filledQty, status, createdAt } = order
    const request: OrderRequest = type === 'LIMIT' ? { symbol, side, type, price, qty } : { symbol, side, type, qty }
    const record = this.restore(id, account, market, request, createdAt)
    this.records.restore(record, status, qty - filledQty, BigInt(order.filledNotional), BigInt(order.fee))
    return record
  }

  /** An order that is in no list yet. */
  restore(id: number, account: number, market: number, request: OrderRequest, createdAt: number): number {
    const record = this.records.take(id, account, market, request, createdAt)
    this.#index.add(id, record)
    return record
  }

  #listsOf(account: number): AccountOrders {
    const found = this.#accounts[account]
    if (found === undefined) throw new InvariantError(`no account in row ${account}`)
    return found.orders
  }
}
