/**
 * Cancel-and-replace: cancels an order and places its rest at the new terms once the cancel is confirmed.
 *
 * Invariant: nothing is placed while the old order may still be filled. If the cancel is refused, the order stays.
 * Followers of the old order, such as its bracket or expiry, follow the new one and receive no end in between.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import { isOpen } from '../../../domain/order.ts'
import type { CancelIntent, PlaceIntent } from '../../../strategy/intent.ts'
import type { OwnOrder } from '../../../strategy/own-order.ts'
import type { ReplaceIntent } from '../../../strategy/target-intent.ts'
import { followTogether, type FollowedOrders, type OrderEvent, type OrderFollower } from '../followed-orders.ts'
import { numberOf } from './sizing.ts'

export interface ReplacementParts {
  readonly openOrders: () => readonly OwnOrder[]
  readonly followed: FollowedOrders
  /** A cancel of the strategy's. @param reply  is called after the strategy */
  readonly cancel: (intent: CancelIntent, reply?: (outcome: RequestOutcome) => void) => void
  readonly place: (intent: PlaceIntent, follower: OrderFollower) => void
}

interface Replacement {
  readonly symbol: string
  readonly price: Decimal | undefined
  readonly qty: Decimal | undefined
}

export class Replacements {
  readonly #parts: ReplacementParts
  /** Replacements by the order whose cancel is not confirmed yet. */
  readonly #byOrder = new Map<string, Replacement>()
  /** Orders whose end is awaited, with or without a replacement. */
  readonly #followed = new Set<string>()
  /** Orders whose cancel was requested, and neither refused nor lost. */
  readonly #asked = new Set<string>()

  constructor(parts: ReplacementParts) {
    this.#parts = parts
  }

  /** Drops all replacements. @param symbol  restricts it to one market */
  end(symbol?: string): void {
    for (const [orderId, replacement] of this.#byOrder) {
      if (symbol === undefined || replacement.symbol === symbol) this.#byOrder.delete(orderId)
    }
  }

  /** Only cancels that order. */
  drop(orderId: string): void {
    this.#byOrder.delete(orderId)
  }

  /**
   * A second replacement before the confirmation supersedes the first.
   * @throws {Error} for an invalid price or quantity
   */
  begin({ orderId, price, qty }: ReplaceIntent): void {
    const { openOrders, followed, cancel } = this.#parts
    const request = {
      price: price === undefined ? undefined : numberOf('replace: price', price),
      qty: qty === undefined ? undefined : numberOf('replace: qty', qty),
    }
    const known = openOrders().find(({ id }) => id === orderId)
    if (known !== undefined) this.#byOrder.set(orderId, { ...request, symbol: known.symbol })
    if (known !== undefined && !this.#followed.has(orderId)) {
      const others = followTogether(followed.takeOver(orderId))
      this.#followed.add(orderId)
      const process = (event: OrderEvent): void => {
        if (event.type === 'ended') this.#onEnd(event.order, others)
        else others.process(event)
      }
      followed.followOrder(orderId, { ...others, process })
    }
    // For an order that is no longer open the exchange replies with a refusal.
    if (known !== undefined && this.#asked.has(orderId)) return
    this.#asked.add(orderId)
    cancel({ type: 'cancel', orderId }, (outcome) => {
      if (outcome.type === 'refused') this.#byOrder.delete(orderId)
      // After an unknown outcome the end is still awaited, and the next replacement cancels again.
      if (outcome.type !== 'acknowledged') this.#asked.delete(orderId)
    })
  }

  #onEnd(order: OwnOrder, others: OrderFollower): void {
    const replacement = this.#byOrder.get(order.id)
    this.#byOrder.delete(order.id)
    this.#asked.delete(order.id)
    this.#followed.delete(order.id)
    const intent =
      replacement === undefined || others.isWanted?.() === false ? undefined : replacementOf(order, replacement)
    if (intent === undefined) others.process({ type: 'ended', order })
    else this.#parts.place(intent, others)
  }
}

/** The rest of an order at its new terms; undefined if nothing is left. */
function replacementOf(order: OwnOrder, { price: wished, qty }: Replacement): PlaceIntent | undefined {
  const { symbol, side, tag, status, filledQty } = order
  const price = wished ?? order.price
  const left = (qty ?? order.qty).minus(filledQty)
  if (price === undefined || isOpen(status) || status === 'FILLED' || !left.gt(0)) return undefined
  return { type: 'limit', symbol, side, price, qty: left, ...(tag === undefined ? {} : { tag }) }
}
