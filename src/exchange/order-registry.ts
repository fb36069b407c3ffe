/**
 * The orders of every account. The crowd's are forgotten when they finish.
 */
import { CROWD } from '../domain/command.ts'
import { AccountOrders } from './account-orders.ts'
import type { LiveOrder } from './live-order.ts'

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

  enter(order: LiveOrder): void {
    const account = order.account.id
    let orders = this.#ordersByAccount.get(account)
    if (orders === undefined) {
      orders = new AccountOrders(account === CROWD ? 0 : this.#finishedLimit)
      this.#ordersByAccount.set(account, orders)
    }
    orders.enter(order)
  }

  finish(order: LiveOrder): void {
    this.of(order.account.id).finish(order)
  }
}
