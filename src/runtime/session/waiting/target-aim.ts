/**
 * The part of a bracket's position that has no target yet, and the moments at which one is asked for: with the balances that count the
 * fill, and at the next price where it was refused.
 *
 * Invariant: what one target is asked for, no other is.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import type { GroupParts } from './group-parts.ts'

const ZERO = toDecimal(0)

export interface TargetAimParts extends Pick<GroupParts, 'whenBalanced' | 'onChange' | 'onPricesNeeded'> {
  /** False while no target may be asked for: it is looked at again. */
  readonly mayPlace: () => boolean
  /** Takes all of it off. */
  readonly place: (qty: Decimal) => void
}

export class TargetAim {
  readonly #parts: TargetAimParts
  #unarmed = ZERO
  #isRefused = false

  constructor(parts: TargetAimParts) {
    this.#parts = parts
  }

  /** In the base asset. */
  get unarmed(): Decimal {
    return this.#unarmed
  }

  /** A target could not be had, and is asked for again at the next price. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Goes on with what an earlier session has left; `aimWhenBalanced` follows. */
  resume(unarmed: Decimal): void {
    this.#unarmed = unarmed
  }

  /** Filled of the entry; `aimWhenBalanced` follows. */
  add(qty: Decimal): void {
    this.#unarmed = this.#unarmed.plus(qty)
    this.#parts.onChange()
  }

  /** A target of so much is not there. */
  addRefused(qty: Decimal): void {
    this.#isRefused = true
    this.add(qty)
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
    const qty = this.#unarmed
    if (qty.isZero() || !this.#parts.mayPlace()) return
    this.#unarmed = ZERO
    this.#parts.place(qty)
  }
}
