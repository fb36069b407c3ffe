/**
 * Cost of a position, at the mean of what is held, and the profit of what was closed.
 *
 * What closes a part of a position takes the same part of its cost with it, rounded to a whole unit; a position that is flat has no cost.
 * Invariant: realized = cash moved + cost of what is held, exactly.
 */
import { divideHalfEven } from '../../domain/fixed-point.ts'

export class HeldCost {
  /** Below 0 when more was sold than bought. */
  #lots = 0
  #paid = 0n
  #realized = 0n

  get lots(): number {
    return this.#lots
  }

  /** Cost of what is held, in units; below 0 for what was received for lots that are owed. */
  get paid(): bigint {
    return this.#paid
  }

  /** In units, fees included. */
  get realized(): bigint {
    return this.#realized
  }

  /**
   * @param lots      above 0 for what was bought, below 0 for what was sold
   * @param notional  what it was traded for, in units, above 0
   * @param fee       in units
   */
  add(lots: number, notional: bigint, fee: bigint): void {
    this.#realized -= fee
    const isClosing = this.#lots !== 0 && lots > 0 !== this.#lots > 0
    const signed = lots > 0 ? notional : -notional
    if (!isClosing) {
      this.#lots += lots
      this.#paid += signed
      return
    }
    const closed = Math.min(Math.abs(lots), Math.abs(this.#lots))
    const share = divideHalfEven(notional * BigInt(closed), BigInt(Math.abs(lots)))
    this.#close(closed, lots > 0 ? share : -share)
    const opened = Math.abs(lots) - closed
    if (opened === 0) return
    this.#lots = lots > 0 ? opened : -opened
    this.#paid = signed - (lots > 0 ? share : -share)
  }

  /** @param signed  what the closing lots were traded for: above 0 for a buy */
  #close(lots: number, signed: bigint): void {
    const held = Math.abs(this.#lots)
    const taken = divideHalfEven(this.#paid * BigInt(lots), BigInt(held))
    this.#paid -= taken
    this.#lots += this.#lots > 0 ? -lots : lots
    this.#realized -= signed + taken
  }
}
