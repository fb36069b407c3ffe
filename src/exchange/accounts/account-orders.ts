/**
 * The orders of one account: every open one, and the last to finish.
 */
import type { Order } from '../../domain/order.ts'
import type { WorkingOrder } from './working-order.ts'
import { NumberQueue } from './number-queue.ts'

/** Ids of forgotten orders that may stand between the others before they are cleared away. */
const MOST_HOLES = 64

export class AccountOrders {
  /** By id, oldest first. */
  readonly #openById = new Map<number, WorkingOrder>()
  readonly #finishedById = new Map<number, Order>()
  /** Ids of the finished ones, first finished first. A map finds its first key only behind all that were deleted before it. */
  readonly #finishedIds = new NumberQueue()
  readonly #finishedLimit: number
  /** Ids of all orders that are known, oldest first, and of some that are forgotten. */
  #ids: number[] = []

  /** @param finishedLimit  how many finished orders are kept; `Infinity` keeps all */
  constructor(finishedLimit: number) {
    this.#finishedLimit = finishedLimit
  }

  /** @param order  younger than every order that was entered before */
  enter(order: WorkingOrder): void {
    this.#openById.set(order.id, order)
    this.#addId(order.id)
  }

  /** Moves an order from the open ones to the history. */
  finish(order: WorkingOrder): void {
    this.#openById.delete(order.id)
    if (this.#finishedLimit > 0) this.#keep(order.view())
  }

  /** Brings back what a new account had. @param finished  first finished first; @param open  oldest first */
  restore(finished: readonly Order[], open: readonly WorkingOrder[]): void {
    for (const order of finished) this.#keep(order)
    for (const order of open) this.#openById.set(order.id, order)
    this.#ids = [...finished, ...open].map(({ id }) => id).sort((left, right) => left - right)
  }

  working(orderId: number): WorkingOrder | undefined {
    return this.#openById.get(orderId)
  }

  find(orderId: number): Order | undefined {
    return this.#openById.get(orderId)?.view() ?? this.#finishedById.get(orderId)
  }

  /** First finished first. */
  finished(): readonly Order[] {
    return [...this.#finishedById.values()]
  }

  /** Newest first. */
  open(): readonly Order[] {
    return [...this.#openById.values()].reverse().map((order) => order.view())
  }

  /** Newest first. Nothing may change while they are read. */
  *all(): Generator<Order> {
    for (let index = this.#ids.length - 1; index >= 0; index -= 1) {
      const order = this.find(this.#ids[index] ?? 0)
      if (order !== undefined) yield order
    }
  }

  #keep(order: Order): void {
    this.#finishedById.set(order.id, order)
    this.#finishedIds.push(order.id)
    if (this.#finishedById.size <= this.#finishedLimit) return
    const firstFinished = this.#finishedIds.shift()
    if (firstFinished !== undefined) this.#finishedById.delete(firstFinished)
  }

  #addId(id: number): void {
    const known = this.#openById.size + this.#finishedById.size
    if (this.#ids.length > 2 * known + MOST_HOLES) this.#ids = this.#ids.filter((each) => this.#isKnown(each))
    this.#ids.push(id)
  }

  #isKnown(id: number): boolean {
    return this.#openById.has(id) || this.#finishedById.has(id)
  }
}
