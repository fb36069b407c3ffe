/**
 * Orders of which the session itself wants to know what becomes of them, from their request to their end.
 *
 * Invariant: after a refusal or an end nothing more is told of an order, but the fills of one whose end came before
 * them.
 */
import type { AccountUpdate, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { dropOldest } from '../../domain/drop-oldest.ts'
import { isOpen } from '../../domain/order.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'

/** Ended orders whose late fills still reach their listeners. */
const MAX_ENDED = 1_000

/** Hears of one order. */
export interface OrderListener {
  /** It is about to be asked for, by a request of that number. */
  readonly onAsked?: (reference: number) => void
  /** It is at the exchange: told once, in the state in which the exchange answered. */
  readonly onTaken?: (order: OwnOrder) => void
  readonly onFill?: (fill: OwnFill) => void
  /** It was not done; without a refusal: it is assumed not to have been. */
  readonly onRefused?: (refusal: Refusal | undefined, by?: Refuser) => void
  /** It was assumed not to have been done, and is at the exchange all the same: what follows is heard again. */
  readonly onLate?: (order: OwnOrder) => void
  /** It can no longer be filled; told once, behind the fills that are told before. */
  readonly onEnd?: (order: OwnOrder) => void
  /** False when nothing is to come in the place of it any more; default: true. */
  readonly isWanted?: () => boolean
}

/** Tells several as one. */
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
  /** Of requests that are assumed not to have been done. */
  readonly #absent = new Map<number, OrderListener>()
  /** Orders that are over, whose last fills may come yet. */
  readonly #ended = new Map<string, readonly OrderListener[]>()
  readonly #fillListeners: ((fill: OwnFill) => void)[] = []

  /** From its request on. */
  follow(reference: number, listener: OrderListener): void {
    this.#byReference.set(reference, listener)
    listener.onAsked?.(reference)
  }

  /** One that is open; whoever follows it already still hears of it, and first. */
  followOrder(orderId: string, listener: OrderListener): void {
    this.#byOrder.set(orderId, [...(this.#byOrder.get(orderId) ?? []), listener])
  }

  /** Those who follow one that is open, and do not hear of it any more: whoever takes them tells them. */
  takeOver(orderId: string): readonly OrderListener[] {
    const listeners = this.#byOrder.get(orderId) ?? []
    this.#byOrder.delete(orderId)
    return listeners
  }

  /** The answer to a placement. */
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

  /** Hears of every fill, behind whoever follows its order. */
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
