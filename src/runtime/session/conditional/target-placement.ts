/**
 * The part of a bracket's position that has no target yet, and the moments at which one is asked for: with the balances
 * that count the fill, and once more where it was refused.
 *
 * Invariant: targets never offer more than the bracket holds; what it holds, and no way out offers, is offered next.
 */
import { Decimal, ZERO } from '../../../domain/decimal.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupParts } from './group-parts.ts'
import type { Retry } from './refused-exit.ts'

export interface TargetPlacementParts extends Pick<GroupParts, 'whenBalanced' | 'onPricesNeeded'> {
  /** What is held and no way out offers; 0 for a group that has no target. */
  readonly unoffered: () => Decimal
  /** False while no target may be asked for: it is looked at again. */
  readonly mayPlace: () => boolean
  readonly place: (qty: Decimal) => void
}

export class TargetPlacement {
  readonly #parts: TargetPlacementParts
  /** The exchange has decided that it has no target, or the strategy has cancelled it. */
  #declined = ZERO
  #isRefused = false

  constructor(parts: TargetPlacementParts) {
    this.#parts = parts
  }

  /** In the base asset. */
  get unarmed(): Decimal {
    return Decimal.max(this.#parts.unoffered().minus(this.#declined), ZERO)
  }

  /** A target could not be had, and is asked for again at the next price. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Goes on with what an earlier session has left; `aimWhenBalanced` follows. */
  resume(unarmed: Decimal): void {
    this.#declined = Decimal.max(this.#parts.unoffered().minus(unarmed), ZERO)
  }

  /**
   * A target has ended: what a smaller position still holds is offered again, what somebody else has cancelled is not.
   */
  onEnd({ left, isTrimmed }: GroupOrder): void {
    if (isTrimmed) this.aimWhenBalanced()
    else this.#declined = this.#declined.plus(left)
  }

  /** A target is not there. After a pause the group itself asks again. */
  onRefused({ left }: GroupOrder, retry: Retry): void {
    if (retry === 'never') this.#declined = this.#declined.plus(left)
    if (retry === 'price') this.askAtNextPrice()
  }

  /** The position is smaller. */
  limit(): void {
    this.#declined = Decimal.min(this.#declined, Decimal.max(this.#parts.unoffered(), ZERO))
  }

  askAtNextPrice(): void {
    this.#isRefused = true
    this.#parts.onPricesNeeded()
  }

  /** The market came to a price at which orders may be asked for. */
  onPrice(): void {
    if (!this.#isRefused) return
    this.#isRefused = false
    this.aimWhenBalanced()
  }

  /** What was filled together has one target. */
  aimWhenBalanced(): void {
    this.#parts.whenBalanced(() => {
      this.aim()
    })
  }

  aim(): void {
    const qty = this.unarmed
    if (qty.gt(ZERO) && this.#parts.mayPlace()) this.#parts.place(qty)
  }
}
