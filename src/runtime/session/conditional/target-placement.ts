/**
 * The part of a bracket's position without a target, and when a target is placed: once the balances include the fill,
 * and again after a refusal.
 *
 * Invariant: targets never offer more than the bracket holds; holdings that no exit offers are offered next.
 */
import { Decimal, ZERO } from '../../../domain/decimal.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupParts } from './group-parts.ts'
import type { Retry } from './refused-exit.ts'

export interface TargetPlacementParts extends Pick<GroupParts, 'whenBalanced' | 'onPricesNeeded'> {
  /** Quantity that is held and that no exit offers; 0 for a group without a target. */
  readonly unoffered: () => Decimal
  /** False while no target may be placed; evaluated again later. */
  readonly mayPlace: () => boolean
  readonly place: (qty: Decimal) => void
}

export class TargetPlacement {
  readonly #parts: TargetPlacementParts
  /** Quantity whose target the exchange refused permanently, or the strategy cancelled. */
  #declined = ZERO
  #isRefused = false

  constructor(parts: TargetPlacementParts) {
    this.#parts = parts
  }

  /** Quantity in the base asset. */
  get unarmed(): Decimal {
    return Decimal.max(this.#parts.unoffered().minus(this.#declined), ZERO)
  }

  /** A target was refused and is retried at the next price. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Continues the state of an earlier session; `aimWhenBalanced` follows. */
  resume(unarmed: Decimal): void {
    this.#declined = Decimal.max(this.#parts.unoffered().minus(unarmed), ZERO)
  }

  /**
   * A target ended: a remainder that is still held is offered again if it was trimmed, and not if it was cancelled
   * otherwise.
   */
  onEnd({ left, isTrimmed }: GroupOrder): void {
    if (isTrimmed) this.placeWhenBalanced()
    else this.#declined = this.#declined.plus(left)
  }

  /** A target was refused. After a pause the group itself retries. */
  onRefused({ left }: GroupOrder, retry: Retry): void {
    if (retry === 'never') this.#declined = this.#declined.plus(left)
    if (retry === 'price') this.askAtNextPrice()
  }

  /** The position has become smaller. */
  limit(): void {
    this.#declined = Decimal.min(this.#declined, Decimal.max(this.#parts.unoffered(), ZERO))
  }

  askAtNextPrice(): void {
    this.#isRefused = true
    this.#parts.onPricesNeeded()
  }

  /** The market reached a price at which orders may be placed. */
  onPrice(): void {
    if (!this.#isRefused) return
    this.#isRefused = false
    this.placeWhenBalanced()
  }

  /** Fills of one event share a target. */
  placeWhenBalanced(): void {
    this.#parts.whenBalanced(() => {
      this.place()
    })
  }

  place(): void {
    const qty = this.unarmed
    if (qty.gt(ZERO) && this.#parts.mayPlace()) this.#parts.place(qty)
  }
}
