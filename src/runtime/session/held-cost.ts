/**
 * Average cost of a position, and the realized profit.
 *
 * Closing a part of a position removes the same part of its cost, rounded to a whole unit; a flat position has no cost.
 * Invariant: realized = cash moved + cost of the position, exactly.
 */
import { divideHalfEven } from '../../domain/fixed-point.ts'

export class HeldCost {
  /** Negative if more was sold than bought. */
  #lots = 0n
  #paid = 0n
  #realized = 0n

  get lots(): bigint {
    return this.#lots
  }

  /** Cost of the position, in units; negative for proceeds of a short position. */
  get paid(): bigint {
    return this.#paid
  }

  /** Realized profit in units, including fees. */
  get realized(): bigint {
    return this.#realized
  }

  /**
   * @param lots      positive for a buy, negative for a sell
   * @param notional  traded amount, in units, above 0
   * @param fee       in units
   */
  add(lots: bigint, notional: bigint, fee: bigint): void {
    this.#realized -= fee
    const isClosing = this.#lots !== 0n && lots > 0n !== this.#lots > 0n
    const signed = lots > 0n ? notional : -notional
    if (!isClosing) {
      this.#lots += lots
      this.#paid += signed
      return
    }
    const [asked, held] = [magnitude(lots), magnitude(this.#lots)]
    const closed = asked < held ? asked : held
    const share = divideHalfEven(notional * closed, asked)
    this.#close(closed, lots > 0n ? share : -share)
    const opened = asked - closed
    if (opened === 0n) return
    this.#lots = lots > 0n ? opened : -opened
    this.#paid = signed - (lots > 0n ? share : -share)
  }

  /** @param signed  amount of the closing lots: positive for a buy */
  #close(lots: bigint, signed: bigint): void {
    const taken = divideHalfEven(this.#paid * lots, magnitude(this.#lots))
    this.#paid -= taken
    this.#lots += this.#lots > 0n ? -lots : lots
    this.#realized -= signed + taken
  }
}

const magnitude = (lots: bigint): bigint => (lots < 0n ? -lots : lots)
