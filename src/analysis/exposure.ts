/**
 * Share of a period during which any position was held.
 *
 * A position is a holding > 0 of a base asset: initial inventory counts, cash does not, and neither does its size.
 */
import { invariant } from '../domain/errors.ts'

/** Fold over the changes of base holdings, oldest first; it starts with no holdings. */
export class Exposure {
  readonly #from: number
  /** Infinity until it is known. */
  #to: number
  readonly #held = new Set<string>()
  /** Time up to which `#heldMs` has been counted. */
  #countedTo: number
  #heldMs = 0

  /**
   * @param from  start of the period, Unix milliseconds
   * @param to    its end, undefined if not known yet; holdings outside the period do not count
   * @throws {InvariantError} unless from <= to
   */
  constructor(from: number, to: number | undefined) {
    this.#from = from
    this.#to = to ?? Infinity
    invariant(from <= this.#to, `a period cannot go back from ${from} to ${this.#to}`)
    this.#countedTo = from
  }

  /** Sets the account's total (available and locked, ledger units) of the base asset from `time` on. */
  hold(time: number, asset: string, total: bigint): void {
    const until = Math.min(Math.max(time, this.#from), this.#to)
    invariant(until >= this.#countedTo, `a holding cannot change at ${time}, before ${this.#countedTo}`)
    if (this.#held.size > 0) this.#heldMs += until - this.#countedTo
    this.#countedTo = until
    if (total > 0n) this.#held.add(asset)
    else this.#held.delete(asset)
  }

  /** Ends a period whose end was not known, or that ends early. */
  finish(to: number): void {
    this.#to = Math.max(Math.min(to, this.#to), this.#countedTo)
  }

  /**
   * Share of the whole period with holdings, assuming the present ones last to its end: in [0, 1]; 0 for a period
   * without length.
   */
  get share(): number {
    if (this.#to === this.#from) return 0
    const rest = this.#held.size > 0 ? this.#to - this.#countedTo : 0
    return (this.#heldMs + rest) / (this.#to - this.#from)
  }
}
