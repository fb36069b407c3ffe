/**
 * Orders of a group that may still be filled, and their cancels: what could not be cancelled is tried again.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { GroupOrder } from './group-order.ts'
import type { ReachStage } from '../../../adapter/market-reach.ts'
import type { GroupParts } from './group-parts.ts'
import type { WaitingOrder } from './waiting-order.ts'

export class GroupOrders {
  readonly #parts: Pick<GroupParts, 'cancel' | 'cancelInside' | 'withdraw'>
  readonly #by: () => string
  #all: readonly GroupOrder[] = []

  /** @param by  in whose name it cancels now */
  constructor(parts: Pick<GroupParts, 'cancel' | 'cancelInside' | 'withdraw'>, by: () => string) {
    this.#parts = parts
    this.#by = by
  }

  /** Oldest first. */
  get all(): readonly GroupOrder[] {
    return this.#all
  }

  get areNone(): boolean {
    return this.#all.length === 0
  }

  /** Goes on with those of an earlier session. */
  resume(orders: readonly GroupOrder[]): void {
    this.#all = orders
  }

  add(order: GroupOrder): void {
    this.#all = [...this.#all, order]
  }

  delete(order: GroupOrder): void {
    this.#all = this.#all.filter((other) => other !== order)
  }

  /** Now, or as soon as it is known at the exchange. */
  cancel(order: GroupOrder): void {
    const { id } = order
    order.isUnwanted = true
    if (id === undefined || order.isCancelAsked) return
    order.isCancelAsked = true
    this.#parts.cancel(this.#by(), id, this.#onOutcome(order))
  }

  /** None of them is wanted any more. @param cancels  false where somebody else cancels those that are known */
  giveUp(cancels: boolean): void {
    for (const order of this.#all) {
      if (cancels) this.cancel(order)
      else order.isCancelAsked = order.id !== undefined
      order.isUnwanted = true
    }
  }

  /** Those that are to be cancelled and were not. */
  cancelAgain(): void {
    for (const order of this.#all) if (order.isUnwanted) this.cancel(order)
  }

  /** Those that have what a waiting order would trade reserved, or may still add to it. */
  inTheWayOf({ isStop }: WaitingOrder): readonly GroupOrder[] {
    return this.#all.filter(({ role }) => role === 'exit' || isStop)
  }

  /** At a stage of a recorded candle: true when nothing is in the way of a waiting order any more, there and then. */
  endInside(waiting: WaitingOrder, stage: ReachStage): boolean {
    const inTheWay = this.inTheWayOf(waiting)
    // What is left of an entry may be filled on the way to the stop, and is closed with the rest.
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
    const isDone = this.#parts.cancelInside(this.#by(), id, this.#onOutcome(order))
    order.isHeldUp = !isDone
    return isDone
  }

  /** Refused for a limit of requests, or nobody knows: it is asked again at the next price. */
  #onOutcome(order: GroupOrder): (outcome: RequestOutcome) => void {
    return ({ type }) => {
      order.isHeldUp = false
      if (type !== 'acknowledged') order.isCancelAsked = false
    }
  }
}
