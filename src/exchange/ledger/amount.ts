/**
 * Reusable amount for computations: exact at any size, and free of allocation below 2^104.
 *
 * Two limbs of base 2^52: `high` x 2^52 + `low`, 0 <= low < 2^52. A larger amount is a bigint, marked by a `high` of
 * NaN, which no comparison or sum of limbs treats as a number. It is a scratch value: use it before it is set again.
 */

/** Base of a limb: sums of two limbs are exact doubles. */
export const LIMB = 2 ** 52

const LIMB_BITS = 52
const HALF_LIMB = 2 ** 26

/** Amounts in [-LARGE, LARGE) have limbs. */
export const LARGE = 1n << 104n

export class Amount {
  high = 0
  low = 0
  #large = 0n

  get value(): bigint {
    return Number.isNaN(this.high) ? this.#large : joinLimbs(this.high, this.low)
  }

  set(value: bigint): this {
    if (value >= LARGE || value < -LARGE) {
      this.high = Number.NaN
      this.#large = value
    } else {
      this.high = highLimb(value)
      this.low = lowLimb(value)
    }
    return this
  }

  /**
   * Sets `a` x `b` x `units`.
   *
   * @param a, b   safe integers, 0 or more
   * @param units  a power of ten, at least 1
   */
  setProduct(a: number, b: number, units: PowerOfTen): this {
    const product = a * b * units.number
    if (product < LIMB) {
      // A product below 2^52 was computed exactly.
      this.high = 0
      this.low = product
      return this
    }
    if (units.number === 1 && this.#setWideProduct(a, b)) return this
    return this.set(BigInt(a) * BigInt(b) * units.bigint)
  }

  /** The schoolbook product of halves of 26 bits. False when it has no limbs. */
  #setWideProduct(a: number, b: number): boolean {
    const aHigh = Math.floor(a / HALF_LIMB)
    const bHigh = Math.floor(b / HALF_LIMB)
    const aLow = a - aHigh * HALF_LIMB
    const bLow = b - bHigh * HALF_LIMB
    const left = aHigh * bLow
    const right = aLow * bHigh
    const leftHigh = Math.floor(left / HALF_LIMB)
    const rightHigh = Math.floor(right / HALF_LIMB)
    let middle = left - leftHigh * HALF_LIMB + (right - rightHigh * HALF_LIMB)
    let high = aHigh * bHigh + leftHigh + rightHigh
    if (middle >= HALF_LIMB) {
      middle -= HALF_LIMB
      high += 1
    }
    let low = aLow * bLow + middle * HALF_LIMB
    if (low >= LIMB) {
      low -= LIMB
      high += 1
    }
    if (high >= LIMB) return false
    this.high = high
    this.low = low
    return true
  }
}

/** A power of ten in both forms; `number` is the nearest double of a large one. */
export interface PowerOfTen {
  readonly number: number
  readonly bigint: bigint
}

export const highLimb = (value: bigint): number => Number(value >> BigInt(LIMB_BITS))

export const lowLimb = (value: bigint): number => Number(BigInt.asUintN(LIMB_BITS, value))

export const joinLimbs = (high: number, low: number): bigint => (BigInt(high) << BigInt(LIMB_BITS)) + BigInt(low)
