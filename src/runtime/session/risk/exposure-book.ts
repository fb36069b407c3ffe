/**
 * Exposure of a session: what could still be bought and sold by its orders if each of them were filled, those that wait, are on their way, of
 * which nobody knows, and that are open.
 *
 * Invariant: a quantity is counted from before its order is sent until its fill is told, or it can no longer be filled. An order of which
 * nobody knows counts in full; a cancel of which nobody knows leaves its order as it was.
 */
import { decimalOf, toDecimal, type Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import { isOpen, type OrderRequest, type Side } from '../../../domain/order.ts'
import type { OwnFill, OwnOrder } from '../../../strategy/own-order.ts'

interface Exposure {
  readonly symbol: string
  readonly side: Side
  /** What can be filled of it in all: what was ordered, or of one that is over what was filled. */
  most: Decimal
  /** What was told of fills. */
  told: Decimal
}

const ZERO = toDecimal(0)

export class ExposureBook {
  readonly #marketOf: (symbol: string) => Market | undefined
  readonly #byReference = new Map<number, Exposure>()
  readonly #byOrder = new Map<string, Exposure>()
  /** Sums of what is left, kept so that a burst of orders costs no more than its length; by side and base asset. */
  readonly #left: Readonly<Record<Side, Map<string, Decimal>>> = { BUY: new Map(), SELL: new Map() }

  constructor(marketOf: (symbol: string) => Market | undefined) {
    this.#marketOf = marketOf
  }

  /** In units of a base asset, over all its markets. */
  couldFill(side: Side, baseAsset: string): Decimal {
    return this.#left[side].get(baseAsset) ?? ZERO
  }

  /** An order that may go out now. */
  add(reference: number, { symbol, side, qty }: OrderRequest): void {
    const market = this.#marketOf(symbol)
    const most = market === undefined ? ZERO : decimalOf(qty, market.qtyPrecision)
    this.#byReference.set(reference, this.#counted({ symbol, side, most, told: ZERO }))
  }

  /** It was not done, or is assumed not to have been. */
  drop(reference: number): void {
    const exposure = this.#byReference.get(reference)
    if (exposure === undefined) return
    this.#byReference.delete(reference)
    this.#change(exposure, ZERO, ZERO)
  }

  /** It was done; its fills follow. */
  found(reference: number, order: OwnOrder): void {
    const exposure = this.#byReference.get(reference) ?? this.#counted({ ...order, most: order.qty, told: ZERO })
    this.#byReference.delete(reference)
    this.#byOrder.set(order.id, exposure)
    this.onOrder(order)
  }

  /** One that was there before the session: what was filled of it is in the balances. */
  takeOver(order: OwnOrder): void {
    this.#byOrder.set(order.id, this.#counted({ ...order, most: order.qty, told: order.filledQty }))
  }

  onOrder(order: OwnOrder): void {
    const exposure = this.#byOrder.get(order.id)
    if (exposure === undefined) return
    this.#change(exposure, isOpen(order.status) ? order.qty : order.filledQty, exposure.told)
    this.#forgetIfOver(order.id, exposure)
  }

  onFill({ orderId, qty }: OwnFill): void {
    const exposure = this.#byOrder.get(orderId)
    if (exposure === undefined) return
    this.#change(exposure, exposure.most, exposure.told.plus(qty))
    this.#forgetIfOver(orderId, exposure)
  }

  #forgetIfOver(orderId: string, exposure: Exposure): void {
    if (leftOf(exposure).isZero()) this.#byOrder.delete(orderId)
  }

  #counted({ symbol, side, most, told }: Exposure): Exposure {
    const exposure = { symbol, side, most: ZERO, told: ZERO }
    this.#change(exposure, most, told)
    return exposure
  }

  #change(exposure: Exposure, most: Decimal, told: Decimal): void {
    const before = leftOf(exposure)
    exposure.most = most
    exposure.told = told
    const { side, symbol } = exposure
    const asset = this.#marketOf(symbol)?.baseAsset ?? symbol
    this.#left[side].set(asset, this.couldFill(side, asset).plus(leftOf(exposure)).minus(before))
  }
}

/** Never below nothing: more fills than were ordered would hide another order. */
const leftOf = ({ most, told }: Exposure): Decimal => (told.gte(most) ? ZERO : most.minus(told))
