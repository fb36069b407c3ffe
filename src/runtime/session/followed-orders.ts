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

/** Ended orders whose late fills still reach their listeners. */
const MAX_ENDED = 1_000

/** Listener of one order. */
export interface OrderListener {
  /** The order is about to be requested, with that reference. */
  readonly onAsked?: (reference: number) => void
  /** The order is at the exchange: called once, with the state in its answer. */
  readonly onTaken?: (order: OwnOrder) => void
  readonly onFill?: (fill: OwnFill) => void
  /** Refused; without a refusal: assumed absent. */
  readonly onRefused?: (refusal: Refusal | undefined, by?: Refuser) => void
  /** It was assumed absent and has appeared: its events follow as usual. */
  readonly onLate?: (order: OwnOrder) => void
  /** It can no longer be filled; called once, after the fills emitted before. */
  readonly onEnd?: (order: OwnOrder) => void
  /** False if no other order may replace it any more; default: true. */
  readonly isWanted?: () => boolean
}

/** Combines several listeners. */
export const toldTogether = (listeners: readonly OrderListener[]): OrderListener => ({
  onAsked: (reference) => {
    for (const { onAsked } of listeners) onAsked?.(reference)
  },
  onTaken: (order) => {
    for (const { onTaken } of listeners) onTaken?.(order)
  },
  onFill: (fill) => {
    for (const { onFill } of listeners) onFill?.(fill)
  },
  onRefused: (refusal, by) => {
    for (const { onRefused } of listeners) onRefused?.(refusal, by)
  },
  ...(listeners.some(({ onLate }) => onLate !== undefined) && {
    onLate: (order: OwnOrder) => {
      for (const { onLate } of listeners) onLate?.(order)
    },
  }),
  onEnd: (order) => {
    for (const { onEnd } of listeners) onEnd?.(order)
  },
  isWanted: () => listeners.every(({ isWanted }) => isWanted?.() !== false),
})

export class FollowedOrders {
  readonly #byReference = new Map<number, OrderListener>()
  readonly #byOrder = new Map<string, readonly OrderListener[]>()
  /** Listeners of requests assumed absent. */
  readonly #absent = new Map<number, OrderListener>()
  /** Listeners of ended orders, whose last fills may still arrive. */
  readonly #ended = new Map<string, readonly OrderListener[]>()
  readonly #fillListeners: ((fill: OwnFill) => void)[] = []

  /** Follows an order from its request on. */
  follow(reference: number, listener: OrderListener): void {
    this.#byReference.set(reference, listener)
    listener.onAsked?.(reference)
  }

  /** Follows an open order; earlier followers stay, and are called first. */
  followOrder(orderId: string, listener: OrderListener): void {
    this.#byOrder.set(orderId, [...(this.#byOrder.get(orderId) ?? []), listener])
  }

  /** Detaches and returns the followers of an open order, for a caller that forwards its events. */
  takeOver(orderId: string): readonly OrderListener[] {
    const listeners = this.#byOrder.get(orderId) ?? []
    this.#byOrder.delete(orderId)
    return listeners
  }

  /** Takes the outcome of a placement. */
  onOutcome(reference: number, outcome: RequestOutcome): void {
    if (this.#byReference.size === 0) return
    if (outcome.type === 'acknowledged') this.#taken(reference, outcome.order)
    if (outcome.type === 'refused') this.#refused(reference, outcome.refusal, outcome.by)
    if (outcome.type === 'withdrawn')
      this.#refused(reference, { code: 'ORDER_REJECTED', message: outcome.reason }, 'session')
  }

  onUpdate(update: AccountUpdate): void {
    switch (update.type) {
      case 'order':
        this.#onOrder(update.order)
        break
      case 'fill':
        this.#onFill(update.fill)
        for (const onFill of this.#fillListeners) onFill(update.fill)
        break
      case 'settled':
        if (update.settlement.type === 'adopted') this.#taken(update.reference, update.settlement.order)
        if (update.settlement.type === 'absent') this.#assumeAbsent(update.reference)
        break
      case 'balances':
        break
    }
  }

  /** Receives every fill, after the followers of its order. */
  onEveryFill(listener: (fill: OwnFill) => void): void {
    this.#fillListeners.push(listener)
  }

  #taken(reference: number, order: OwnOrder): void {
    const listener = this.#byReference.get(reference)
    if (listener === undefined) {
      this.#late(reference, order)
      return
    }
    this.#byReference.delete(reference)
    this.followOrder(order.id, listener)
    listener.onTaken?.(order)
  }

  #late(reference: number, order: OwnOrder): void {
    const listener = this.#absent.get(reference)
    if (listener === undefined) return
    this.#absent.delete(reference)
    this.followOrder(order.id, listener)
    listener.onLate?.(order)
  }

  #assumeAbsent(reference: number): void {
    const listener = this.#byReference.get(reference)
    if (listener?.onLate !== undefined) this.#absent.set(reference, listener)
    this.#refused(reference)
  }

  #refused(reference: number, refusal?: Refusal, by?: Refuser): void {
    const listener = this.#byReference.get(reference)
    this.#byReference.delete(reference)
    listener?.onRefused?.(refusal, by)
  }

  #onFill(fill: OwnFill): void {
    const listeners = this.#byOrder.get(fill.orderId) ?? this.#ended.get(fill.orderId) ?? []
    for (const listener of listeners) listener.onFill?.(fill)
  }

  #onOrder(order: OwnOrder): void {
    if (isOpen(order.status)) return
    const listeners = this.#byOrder.get(order.id) ?? []
    this.#byOrder.delete(order.id)
    if (listeners.length > 0) {
      this.#ended.set(order.id, listeners)
      dropOldest(this.#ended, MAX_ENDED)
    }
    for (const listener of listeners) listener.onEnd?.(order)
  }
}
