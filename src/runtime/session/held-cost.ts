/**
 * Cost of a position, at the mean of what is held, and the profit of what was closed.
 *
 * What closes a part of a position takes the same part of its cost with it, rounded to a whole unit; a position that is
 * flat has no cost. Invariant: realized = cash moved + cost of what is held, exactly.
 */
import { divideHalfEven } from '../../domain/fixed-point.ts'

export class HeldCost {
  /** Below 0 when more was sold than bought. */
  #lots = 0n
  #paid = 0n
  #realized = 0n

  get lots(): bigint {
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

  /** @param signed  what the closing lots were traded for: above 0 for a buy */
  #close(lots: bigint, signed: bigint): void {
    const taken = divideHalfEven(this.#paid * lots, magnitude(this.#lots))
    this.#paid -= taken
    this.#lots += this.#lots > 0n ? -lots : lots
    this.#realized -= signed + taken
  }
}

const magnitude = (lots: bigint): bigint => (lots < 0n ? -lots : lots)
