/**
 * Orders that are to stand elsewhere: cancelled, and what is left of them placed anew once the cancel is known.
 *
 * Invariant: nothing is placed while the old order may still be filled. One whose cancel is refused stays as it is.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import { isOpen } from '../../../domain/order.ts'
import type { CancelIntent, PlaceIntent } from '../../../strategy/intent.ts'
import type { OwnOrder } from '../../../strategy/own-order.ts'
import type { ReplaceIntent } from '../../../strategy/target-intent.ts'
import type { FollowedOrders } from '../followed-orders.ts'
import { numberOf } from './sizing.ts'

export interface ReplacementParts {
  readonly openOrders: () => readonly OwnOrder[]
  readonly followed: FollowedOrders
  /** A cancel of the strategy's. @param reply  hears of it behind the strategy */
  readonly cancel: (intent: CancelIntent, reply?: (outcome: RequestOutcome) => void) => void
  readonly place: (intent: PlaceIntent) => void
}

interface Replacement {
  readonly price: Decimal | undefined
  readonly qty: Decimal | undefined
}

export class Replacements {
  readonly #parts: ReplacementParts
  /** By the order whose cancel is not known yet. */
  readonly #byOrder = new Map<string, Replacement>()
  /** Whose cancel was asked for, and neither refused nor lost. */
  readonly #asked = new Set<string>()

  constructor(parts: ReplacementParts) {
    this.#parts = parts
  }

  /** Nothing more is placed anew. */
  end(): void {
    this.#byOrder.clear()
  }

  /** A second one before the cancel of the first is known counts in its place. @throws {Error} for a price or quantity that is none */
  begin({ orderId, price, qty }: ReplaceIntent): void {
    const { openOrders, followed, cancel } = this.#parts
    const replacement = {
      price: price === undefined ? undefined : numberOf('replace: price', price),
      qty: qty === undefined ? undefined : numberOf('replace: qty', qty),
    }
    const isFollowed = this.#byOrder.has(orderId)
    const isKnown = openOrders().some(({ id }) => id === orderId)
    if (isKnown) this.#byOrder.set(orderId, replacement)
    if (isFollowed && this.#asked.has(orderId)) return
    this.#asked.add(orderId)
    // Of one that is not open any more the exchange says so.
    if (isKnown && !isFollowed) followed.followOrder(orderId, { onEnd: (order) => this.#onEnd(order) })
    cancel({ type: 'cancel', orderId }, (outcome) => {
      if (outcome.type === 'refused') this.#byOrder.delete(orderId)
      // Of one that nobody knows the end is still awaited, and the next replacement asks again.
      if (outcome.type !== 'acknowledged') this.#asked.delete(orderId)
    })
  }

  #onEnd(order: OwnOrder): void {
    const replacement = this.#byOrder.get(order.id)
    this.#byOrder.delete(order.id)
    this.#asked.delete(order.id)
    const { symbol, side, tag } = order
    const price = replacement?.price ?? order.price
    if (replacement === undefined || price === undefined || isOpen(order.status) || order.status === 'FILLED') return
    const left = (replacement.qty ?? order.qty).minus(order.filledQty)
    if (!left.gt(0)) return
    this.#parts.place({ type: 'limit', symbol, side, price, qty: left, ...(tag === undefined ? {} : { tag }) })
  }
}
