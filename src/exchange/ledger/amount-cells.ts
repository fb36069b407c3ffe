/**
 * Amounts in a flat array, exact at any size, and changed without garbage while they are below 2^104.
 *
 * Invariant: a cell is two limbs (see `Amount`), or a `high` of NaN and a bigint in the map. NaN makes every fast test
 * fail, so that a large amount takes the slow way by itself.
 */
import { highLimb, joinLimbs, LARGE, LIMB, lowLimb, type Amount } from './amount.ts'

/** Factor above the error of two roundings of a double. */
const ROUNDED_UP = 1.000000000000001

export class AmountCells {
  /** Cell c: high limb at 2c, low limb at 2c + 1. */
  #limbs: Float64Array
  readonly #largeByCell = new Map<number, bigint>()

  /** @param count  cells, each 0 */
  constructor(count: number) {
    this.#limbs = new Float64Array(2 * count)
  }

  grow(count: number): void {
    const grown = new Float64Array(2 * count)
    grown.set(this.#limbs)
    this.#limbs = grown
  }

  value(cell: number): bigint {
    const high = this.#limbs[2 * cell] ?? 0
    if (Number.isNaN(high)) return this.#largeByCell.get(cell) ?? 0n
    return joinLimbs(high, this.#limbs[2 * cell + 1] ?? 0)
  }

  /** A double that is not below the cell; Infinity for a large one. */
  atMost(cell: number): number {
    const high = this.#limbs[2 * cell] ?? 0
    if (Number.isNaN(high)) return Number.POSITIVE_INFINITY
    return (high * LIMB + (this.#limbs[2 * cell + 1] ?? 0)) * ROUNDED_UP
  }

  /** True when the cell holds `amount` or more. */
  covers(cell: number, amount: Amount): boolean {
    const high = this.#limbs[2 * cell] ?? 0
    if (high > amount.high) return true
    if (high < amount.high) return false
    if (high === amount.high) return (this.#limbs[2 * cell + 1] ?? 0) >= amount.low
    return this.value(cell) >= amount.value
  }

  /** Adds to a cell. Returns false when it is negative then. */
  add(cell: number, amount: Amount): boolean {
    const limbs = this.#limbs
    const at = 2 * cell
    let low = (limbs[at + 1] ?? 0) + amount.low
    let high = (limbs[at] ?? 0) + amount.high
    if (low >= LIMB) {
      low -= LIMB
      high += 1
    }
    if (!(high < LIMB && high >= -LIMB)) return this.#set(cell, this.value(cell) + amount.value)
    limbs[at] = high
    limbs[at + 1] = low
    return high >= 0
  }

  /** Takes from a cell. Returns false when it is negative then. */
  subtract(cell: number, amount: Amount): boolean {
    const limbs = this.#limbs
    const at = 2 * cell
    let low = (limbs[at + 1] ?? 0) - amount.low
    let high = (limbs[at] ?? 0) - amount.high
    if (low < 0) {
      low += LIMB
      high -= 1
    }
    if (!(high < LIMB && high >= -LIMB)) return this.#set(cell, this.value(cell) - amount.value)
    limbs[at] = high
    limbs[at + 1] = low
    return high >= 0
  }

  #set(cell: number, value: bigint): boolean {
    const isLarge = value >= LARGE || value < -LARGE
    this.#limbs[2 * cell] = isLarge ? Number.NaN : highLimb(value)
    this.#limbs[2 * cell + 1] = isLarge ? 0 : lowLimb(value)
    if (isLarge) this.#largeByCell.set(cell, value)
    else this.#largeByCell.delete(cell)
    return value >= 0n
  }
}
