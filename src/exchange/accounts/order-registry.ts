/**
 * The orders of every account. The crowd's are forgotten when they finish.
 */
import { CROWD } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import { AccountOrders } from './account-orders.ts'
import type { WorkingOrder } from './working-order.ts'

const NOTHING = new AccountOrders(0)

export class OrderRegistry {
  readonly #finishedLimit: number
  readonly #ordersByAccount = new Map<string, AccountOrders>()

  /** @param finishedLimit  how many finished orders of an account are kept */
  constructor(finishedLimit: number) {
    this.#finishedLimit = finishedLimit
  }

  of(account: string): AccountOrders {
    return this.#ordersByAccount.get(account) ?? NOTHING
  }

  /** @throws {InvariantError} when no such order is open */
  resting(orderId: number): WorkingOrder {
    for (const orders of this.#ordersByAccount.values()) {
      const order = orders.working(orderId)
      if (order !== undefined) return order
    }
    throw new InvariantError(`no order ${orderId} rests`)
  }

  enter(order: WorkingOrder): void {
    this.#open(order.account.id).enter(order)
  }

  finish(order: WorkingOrder): void {
    this.of(order.account.id).finish(order)
  }

  /** Brings back the orders of an account: finished ones, first finished first, and open ones, oldest first. */
  restore(account: string, finished: readonly Order[], open: readonly WorkingOrder[]): void {
    this.#open(account).restore(finished, open)
  }

  #open(account: string): AccountOrders {
    const known = this.#ordersByAccount.get(account)
    if (known !== undefined) return known
    const orders = new AccountOrders(account === CROWD ? 0 : this.#finishedLimit)
    this.#ordersByAccount.set(account, orders)
    return orders
  }
}
