/** A group's orders that may still be filled, and their cancels: failed cancels are retried. */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { BarPhase } from '../../../adapter/intrabar-execution.ts'
import { ZERO, type Decimal } from '../../../domain/decimal.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupParts } from './group-parts.ts'
import { isPassing } from './refused-exit.ts'
import type { ConditionalOrder } from './conditional-order.ts'

export interface GroupOrdersParts extends Pick<GroupParts, 'cancel' | 'cancelInside' | 'withdraw'> {
  /** Name in which it cancels now, for the journal. */
  readonly by: () => string
  /** A cancel did not reach the exchange, or its outcome is unknown. */
  readonly onCancelLost: () => void
}

export class GroupOrders {
  readonly #parts: GroupOrdersParts
  #all: readonly GroupOrder[] = []
  #absent: readonly GroupOrder[] = []

  constructor(parts: GroupOrdersParts) {
    this.#parts = parts
  }

  /** Oldest first. */
  get all(): readonly GroupOrder[] {
    return this.#all
  }

  /** Orders assumed absent: each may still appear. */
  get absent(): readonly GroupOrder[] {
    return this.#absent
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  /** Quantity that exit orders may still trade. */
  get exiting(): Decimal {
    return this.#all.reduce((sum, { role, left }) => (role === 'exit' ? sum.plus(left) : sum), ZERO)
  }

  /** True while part of the entry may still be filled. */
  get isEntering(): boolean {
    return this.#all.some(({ role }) => role === 'entry')
  }

  /** Continues the orders of an earlier session. */
  resume(orders: readonly GroupOrder[], absent: readonly GroupOrder[]): void {
    this.#all = orders
    this.#absent = absent
  }

  add(order: GroupOrder): void {
    this.#all = [...this.#all, order]
    this.#absent = without(this.#absent, order)
  }

  delete(order: GroupOrder): void {
    this.#all = without(this.#all, order)
    this.#absent = without(this.#absent, order)
  }

  /** Its purpose is requested again by the group, so that its own end requests nothing. */
  assumeAbsent(order: GroupOrder): void {
    order.fired = undefined
    order.isTrimmed = true
    this.#all = without(this.#all, order)
    this.#absent = [...without(this.#absent, order), order]
  }

  /** Cancels the order now, or as soon as it is known at the exchange. */
  cancel(order: GroupOrder): void {
    const { id } = order
    order.isUnwanted = true
    // A filled order is about to end by itself.
    if (id === undefined || order.isCancelAsked || order.left.isZero()) return
    order.isCancelAsked = true
    this.#parts.cancel(this.#parts.by(), id, this.#onOutcome(order))
  }

  /** Marks all orders as unwanted. @param cancels  false if the caller cancels the known ones */
  giveUp(cancels: boolean): void {
    for (const order of this.#all) {
      if (cancels) this.cancel(order)
      else order.isCancelAsked = order.id !== undefined
      order.isUnwanted = true
    }
  }

  /** Cancels the rest of the entry; exits of the filled part stay. */
  expireEntry(): void {
    for (const order of this.#all) if (order.role === 'entry') this.cancel(order)
  }

  /** Cancels resting exits, newest first, until the wanted ones trade no more than is held. */
  trimTo(held: Decimal): void {
    let wanted = this.#all.filter(({ role, isUnwanted }) => role === 'exit' && !isUnwanted)
    const left = (): Decimal => wanted.reduce((sum, order) => sum.plus(order.left), ZERO)
    while (wanted.length > 0 && left().gt(held)) {
      const newest = wanted.at(-1)
      wanted = wanted.slice(0, -1)
      // A market order cannot be cancelled.
      if (newest?.intent.type !== 'limit') continue
      newest.isTrimmed = true
      this.cancel(newest)
    }
  }

  /** Retries failed cancels. */
  cancelAgain(): void {
    for (const order of this.#all) if (order.isUnwanted) this.cancel(order)
  }

  /** Orders that reserve what a conditional order would trade, or may still add to it. */
  inTheWayOf({ isStop }: ConditionalOrder): readonly GroupOrder[] {
    return this.#all.filter(({ role }) => role === 'exit' || isStop)
  }

  /** During a bar phase: cancels all orders in the way of a conditional order immediately; true if none is left. */
  endInside(waiting: ConditionalOrder, stage: BarPhase): boolean {
    const inTheWay = this.inTheWayOf(waiting)
    // The rest of an entry may be filled on the way to the stop, and is closed with it.
    const isEntering = stage === 'body' && inTheWay.some(({ role }) => role === 'entry')
    const ended = inTheWay
      .filter(({ role }) => role === 'exit' || !isEntering)
      .map((order) => this.#cancelInside(order))
    return !isEntering && !ended.includes(false)
  }

  #cancelInside(order: GroupOrder): boolean {
    const { id, reference } = order
    order.isUnwanted = true
    if (id === undefined) return reference !== undefined && this.#parts.withdraw(reference)
    if (order.isHeldUp) return false
    order.isCancelAsked = true
    const isDone = this.#parts.cancelInside(this.#parts.by(), id, this.#onOutcome(order))
    order.isHeldUp = !isDone
    return isDone
  }

  /** After a rate-limit refusal or an unknown outcome the cancel is retried at the next price. */
  #onOutcome(order: GroupOrder): (outcome: RequestOutcome) => void {
    return (outcome) => {
      order.isHeldUp = false
      if (outcome.type === 'acknowledged') return
      order.isCancelAsked = false
      if (outcome.type !== 'refused' || isPassing(outcome.by)) this.#parts.onCancelLost()
    }
  }
}

const without = (orders: readonly GroupOrder[], order: GroupOrder): readonly GroupOrder[] =>
  orders.filter((other) => other !== order)
