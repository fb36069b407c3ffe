/**
 * Orders that are to stand elsewhere: cancelled, and what is left of them placed anew once the cancel is known.
 *
 * Invariant: nothing is placed while the old order may still be filled. One whose cancel is refused stays as it is.
 * Whoever follows the old order, such as its bracket or its time, follows the new one, and hears of no end in between.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import { isOpen } from '../../../domain/order.ts'
import type { CancelIntent, PlaceIntent } from '../../../strategy/intent.ts'
import type { OwnOrder } from '../../../strategy/own-order.ts'
import type { ReplaceIntent } from '../../../strategy/target-intent.ts'
import { toldTogether, type FollowedOrders, type OrderListener } from '../followed-orders.ts'
import { numberOf } from './sizing.ts'

export interface ReplacementParts {
  readonly openOrders: () => readonly OwnOrder[]
  readonly followed: FollowedOrders
  /** A cancel of the strategy's. @param reply  hears of it behind the strategy */
  readonly cancel: (intent: CancelIntent, reply?: (outcome: RequestOutcome) => void) => void
  readonly place: (intent: PlaceIntent, listener: OrderListener) => void
}

interface Replacement {
  readonly symbol: string
  readonly price: Decimal | undefined
  readonly qty: Decimal | undefined
}

export class Replacements {
  readonly #parts: ReplacementParts
  /** By the order whose cancel is not known yet. */
  readonly #byOrder = new Map<string, Replacement>()
  /** Whose end is awaited, whether anything comes in its place or not. */
  readonly #followed = new Set<string>()
  /** Whose cancel was asked for, and neither refused nor lost. */
  readonly #asked = new Set<string>()

  constructor(parts: ReplacementParts) {
    this.#parts = parts
  }

  /** Nothing more is placed anew. @param symbol  of one market alone */
  end(symbol?: string): void {
    for (const [orderId, replacement] of this.#byOrder) {
      if (symbol === undefined || replacement.symbol === symbol) this.#byOrder.delete(orderId)
    }
  }

  /** That order is only cancelled. */
  drop(orderId: string): void {
    this.#byOrder.delete(orderId)
  }

  /**
   * A second one before the cancel of the first is known counts in its place.
   *
   * @throws {Error} for a price or quantity that is none
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
      const others = toldTogether(followed.takeOver(orderId))
      this.#followed.add(orderId)
      followed.followOrder(orderId, { ...others, onEnd: (order) => this.#onEnd(order, others) })
    }
    // Of one that is not open any more the exchange says so.
    if (known !== undefined && this.#asked.has(orderId)) return
    this.#asked.add(orderId)
    cancel({ type: 'cancel', orderId }, (outcome) => {
      if (outcome.type === 'refused') this.#byOrder.delete(orderId)
      // Of one that nobody knows the end is still awaited, and the next replacement asks again.
      if (outcome.type !== 'acknowledged') this.#asked.delete(orderId)
    })
  }

  #onEnd(order: OwnOrder, others: OrderListener): void {
    const replacement = this.#byOrder.get(order.id)
    this.#byOrder.delete(order.id)
    this.#asked.delete(order.id)
    this.#followed.delete(order.id)
    const intent = replacement === undefined || others.isWanted?.() === false ? undefined : anew(order, replacement)
    if (intent === undefined) others.onEnd?.(order)
    else this.#parts.place(intent, others)
  }
}

/** What is left of an order, where it is to stand now; undefined when nothing is. */
function anew(order: OwnOrder, { price: wished, qty }: Replacement): PlaceIntent | undefined {
  const { symbol, side, tag, status, filledQty } = order
  const price = wished ?? order.price
  const left = (qty ?? order.qty).minus(filledQty)
  if (price === undefined || isOpen(status) || status === 'FILLED' || !left.gt(0)) return undefined
  return { type: 'limit', symbol, side, price, qty: left, ...(tag === undefined ? {} : { tag }) }
}
