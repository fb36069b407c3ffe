/**
 * The orders of one account: every live one, and the last to finish.
 */
import type { Order } from '../domain/order.ts'
import type { LiveOrder } from './live-order.ts'

export class AccountOrders {
  /** By id, oldest first. */
  readonly #liveById = new Map<number, LiveOrder>()
  /** By id, first finished first. */
  readonly #finishedById = new Map<number, Order>()
  readonly #finishedLimit: number

  /** @param finishedLimit  how many finished orders are kept; `Infinity` keeps all */
  constructor(finishedLimit: number) {
    this.#finishedLimit = finishedLimit
  }

  enter(order: LiveOrder): void {
    this.#liveById.set(order.id, order)
  }

  /** Moves an order from the live ones to the history. */
  finish(order: LiveOrder): void {
    this.#liveById.delete(order.id)
    if (this.#finishedLimit > 0) this.keep(order.view())
  }

  /** Adds a finished order to the history. */
  keep(order: Order): void {
    this.#finishedById.set(order.id, order)
    if (this.#finishedById.size <= this.#finishedLimit) return
    const [firstFinished] = this.#finishedById.keys()
    if (firstFinished !== undefined) this.#finishedById.delete(firstFinished)
  }

  live(orderId: number): LiveOrder | undefined {
    return this.#liveById.get(orderId)
  }

  find(orderId: number): Order | undefined {
    return this.#liveById.get(orderId)?.view() ?? this.#finishedById.get(orderId)
  }

  /** First finished first. */
  finished(): readonly Order[] {
    return [...this.#finishedById.values()]
  }

  /** Newest first. */
  open(): readonly Order[] {
    return [...this.#liveById.values()].reverse().map((order) => order.view())
  }

  /** Newest first. */
  all(): readonly Order[] {
    return [...this.#finishedById.values(), ...this.open()].sort((left, right) => right.id - left.id)
  }
}
