/**
 * Orders that the session itself follows, from the request to the end.
 *
 * Invariant: no event follows a refusal or an end, except fills of an order whose end was reported before them.
 */
import type { AccountUpdate, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { dropOldest } from '../../domain/drop-oldest.ts'
import { isOpen } from '../../domain/order.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'

/** Ended orders whose late fills still reach their followers. */
const MAX_ENDED = 1_000

/** An event of one order, in this sequence. */
export type OrderEvent =
  /** It is about to be requested, with that reference. */
  | { readonly type: 'requested'; readonly reference: number }
  /** It is at the exchange: once, with the state in its answer. */
  | { readonly type: 'accepted'; readonly order: OwnOrder }
  | { readonly type: 'filled'; readonly fill: OwnFill }
  /** Refused; without a refusal: assumed absent. */
  | { readonly type: 'refused'; readonly refusal: Refusal | undefined; readonly by: Refuser | undefined }
  /** It was assumed absent and has appeared: its events follow as usual. */
  | { readonly type: 'appeared'; readonly order: OwnOrder }
  /** It can no longer be filled: once, after the fills emitted before. */
  | { readonly type: 'ended'; readonly order: OwnOrder }

/** Follows one order. */
export interface OrderFollower {
  process(event: OrderEvent): void
  /** True if it still follows the order when that was assumed absent and appears; default: false. */
  readonly followsLate?: boolean
  /** False if no other order may replace it any more; default: true. */
  isWanted?(): boolean
}

/** Combines several followers. */
export const followTogether = (followers: readonly OrderFollower[]): OrderFollower => ({
  process: (event) => {
    for (const follower of followers)
      if (event.type !== 'appeared' || follower.followsLate === true) follower.process(event)
  },
  followsLate: followers.some(({ followsLate }) => followsLate === true),
  isWanted: () => followers.every((follower) => follower.isWanted?.() !== false),
})

export class FollowedOrders {
  readonly #byReference = new Map<number, OrderFollower>()
  readonly #byOrder = new Map<string, readonly OrderFollower[]>()
  /** Followers of requests assumed absent. */
  readonly #absent = new Map<number, OrderFollower>()
  /** Followers of ended orders, whose last fills may still arrive. */
  readonly #ended = new Map<string, readonly OrderFollower[]>()
  readonly #fillListeners: ((fill: OwnFill) => void)[] = []

  /** Follows an order from its request on. */
  follow(reference: number, follower: OrderFollower): void {
    this.#byReference.set(reference, follower)
    follower.process({ type: 'requested', reference })
  }

  /** Follows an open order; earlier followers stay, and are called first. */
  followOrder(orderId: string, follower: OrderFollower): void {
    this.#byOrder.set(orderId, [...(this.#byOrder.get(orderId) ?? []), follower])
  }

  /** Detaches and returns the followers of an open order, for a caller that forwards its events. */
  takeOver(orderId: string): readonly OrderFollower[] {
    const followers = this.#byOrder.get(orderId) ?? []
    this.#byOrder.delete(orderId)
    return followers
  }

  /** Takes the outcome of a placement. */
  onOutcome(reference: number, outcome: RequestOutcome): void {
    if (this.#byReference.size === 0) return
    if (outcome.type === 'acknowledged') this.#accepted(reference, outcome.order)
    if (outcome.type === 'refused') this.#refused(reference, outcome.refusal, outcome.by)
    if (outcome.type === 'withdrawn')
      this.#refused(reference, { code: 'ORDER_REJECTED', message: outcome.reason }, 'session')
  }

  onUpdate(update: AccountUpdate): void {
    switch (update.type) {
      case 'order':
        if (!isOpen(update.order.status)) this.#end(update.order)
        break
      case 'fill':
        this.#onFill(update.fill)
        for (const onFill of this.#fillListeners) onFill(update.fill)
        break
      case 'settled':
        if (update.settlement.type === 'adopted') this.#accepted(update.reference, update.settlement.order)
        if (update.settlement.type === 'absent') this.#assumeAbsent(update.reference)
        break
      case 'balances':
      case 'transfer':
        break
    }
  }

  /** Receives every fill, after the followers of its order. */
  onEveryFill(listener: (fill: OwnFill) => void): void {
    this.#fillListeners.push(listener)
  }

  #accepted(reference: number, order: OwnOrder): void {
    if (this.#move(this.#byReference, reference, { type: 'accepted', order })) return
    this.#move(this.#absent, reference, { type: 'appeared', order })
  }

  /** From now on the order is followed by its id. False if no order of that request is followed. */
  #move(
    from: Map<number, OrderFollower>,
    reference: number,
    event: Extract<OrderEvent, { type: 'accepted' | 'appeared' }>,
  ): boolean {
    const follower = from.get(reference)
    if (follower === undefined) return false
    from.delete(reference)
    this.followOrder(event.order.id, follower)
    follower.process(event)
    return true
  }

  #assumeAbsent(reference: number): void {
    const follower = this.#byReference.get(reference)
    if (follower?.followsLate === true) this.#absent.set(reference, follower)
    this.#refused(reference)
  }

  #refused(reference: number, refusal?: Refusal, by?: Refuser): void {
    const follower = this.#byReference.get(reference)
    this.#byReference.delete(reference)
    follower?.process({ type: 'refused', refusal, by })
  }

  #onFill(fill: OwnFill): void {
    const followers = this.#byOrder.get(fill.orderId) ?? this.#ended.get(fill.orderId)
    if (followers === undefined) return
    for (const follower of followers) follower.process({ type: 'filled', fill })
  }

  #end(order: OwnOrder): void {
    const followers = this.#byOrder.get(order.id)
    if (followers === undefined) return
    this.#byOrder.delete(order.id)
    if (followers.length > 0) {
      this.#ended.set(order.id, followers)
      dropOldest(this.#ended, MAX_ENDED)
    }
    for (const follower of followers) follower.process({ type: 'ended', order })
  }
}
