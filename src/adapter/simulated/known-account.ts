/**
 * An account as its client was told of it.
 */
import { isOpen } from '../../domain/order.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { AccountUpdate } from '../exchange-adapter.ts'

export class KnownAccount {
  #balances: OwnBalances
  readonly #openOrders = new Map<string, OwnOrder>()

  constructor(balances: OwnBalances) {
    this.#balances = balances
  }

  get balances(): OwnBalances {
    return this.#balances
  }

  /** Newest first. */
  get openOrders(): readonly OwnOrder[] {
    return [...this.#openOrders.values()].reverse()
  }

  isOpen(orderId: string): boolean {
    return this.#openOrders.has(orderId)
  }

  onUpdate(update: AccountUpdate): void {
    if (update.type === 'balances') this.#balances = update.balances
    if (update.type !== 'order') return
    const { order } = update
    if (isOpen(order.status)) this.#openOrders.set(order.id, order)
    else this.#openOrders.delete(order.id)
  }
}
