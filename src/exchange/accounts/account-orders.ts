/**
 * The orders of one account: all open ones, and the most recently finished.
 *
 * Linked lists: all orders by age, the open ones by age; finished orders are in a ring in the order in which they
 * finished.
 */
import { NONE } from '../book/order-slots.ts'
import { NumberRing } from '../records/number-ring.ts'
import { NEWER, OLDER, OPEN_NEWER, OPEN_OLDER, type OrderRecords } from './order-records.ts'

export class AccountOrders {
  readonly #records: OrderRecords
  readonly #finished: NumberRing
  #newest = NONE
  #newestOpen = NONE

  /** @param finishedLimit  maximum of finished orders stored; `Infinity` stores all */
  constructor(records: OrderRecords, finishedLimit: number) {
    this.#records = records
    this.#finished = new NumberRing(finishedLimit)
  }

  /** @param order  younger than every order that was entered before */
  enter(order: number): void {
    this.#enterByAge(order)
    const { pages } = this.#records
    pages.setInteger(order, OPEN_OLDER, this.#newestOpen)
    pages.setInteger(order, OPEN_NEWER, NONE)
    if (this.#newestOpen !== NONE) pages.setInteger(this.#newestOpen, OPEN_NEWER, order)
    this.#newestOpen = order
  }

  /**
   * Moves an order from the open ones to the history.
   *
   * @returns the order evicted by it; NONE if there is none
   */
  finish(order: number): number {
    const { pages } = this.#records
    const older = pages.integer(order, OPEN_OLDER)
    const newer = pages.integer(order, OPEN_NEWER)
    if (older !== NONE) pages.setInteger(older, OPEN_NEWER, newer)
    if (newer === NONE) this.#newestOpen = older
    else pages.setInteger(newer, OPEN_OLDER, older)
    const forgotten = this.#finished.push(order)
    if (forgotten !== NONE) this.#forget(forgotten)
    return forgotten
  }

  /** Restores the orders of a new account, by age, open ones and others. */
  restore(byAge: readonly number[], finished: readonly number[]): void {
    for (const order of byAge) {
      if (this.#records.isOpen(order)) this.enter(order)
      else this.#enterByAge(order)
    }
    for (const order of finished) this.#finished.push(order)
  }

  /** First finished first; a list of its own. */
  finished(): Int32Array {
    return this.#finished.values()
  }

  /** The newest open order; NONE when there is none. */
  get newestOpen(): number {
    return this.#newestOpen
  }

  /** The next older of the open ones; NONE when there is none. */
  openBefore(order: number): number {
    return this.#records.pages.integer(order, OPEN_OLDER)
  }

  /** The newest of all; NONE when there is none. */
  get newest(): number {
    return this.#newest
  }

  /** The next older of all; NONE when there is none. */
  before(order: number): number {
    return this.#records.pages.integer(order, OLDER)
  }

  #enterByAge(order: number): void {
    const { pages } = this.#records
    pages.setInteger(order, OLDER, this.#newest)
    pages.setInteger(order, NEWER, NONE)
    if (this.#newest !== NONE) pages.setInteger(this.#newest, NEWER, order)
    this.#newest = order
  }

  #forget(order: number): void {
    const { pages } = this.#records
    const older = pages.integer(order, OLDER)
    const newer = pages.integer(order, NEWER)
    if (older !== NONE) pages.setInteger(older, NEWER, newer)
    if (newer === NONE) this.#newest = older
    else pages.setInteger(newer, OLDER, older)
  }
}
