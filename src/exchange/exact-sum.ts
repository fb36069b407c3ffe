/**
 * An exact running sum of safe integers and of their products, of any size.
 *
 * Small values are added as doubles and carried into a bigint before they could lose a digit.
 */
const CARRY = 2 ** 52

export class ExactSum {
  #small = 0
  #carried = 0n
  /** A boolean, because it is faster to test than a bigint. */
  #hasCarried = false

  /** @param value  a safe integer of either sign */
  add(value: number): void {
    if (value >= CARRY || value <= -CARRY) {
      this.#carry(BigInt(value))
      return
    }
    this.#small += value
    if (this.#small >= CARRY || this.#small <= -CARRY) {
      this.#carry(BigInt(this.#small))
      this.#small = 0
    }
  }

  /** Adds `a` x `b`, both safe integers. */
  addProduct(a: number, b: number): void {
    const product = a * b
    if (Number.isSafeInteger(product)) this.add(product)
    else this.#carry(BigInt(a) * BigInt(b))
  }

  /** Adds another sum. */
  addSum(other: ExactSum): void {
    this.add(other.#small)
    if (!other.#hasCarried) return
    this.#carried += other.#carried
    this.#hasCarried = true
  }

  addLarge(value: bigint): void {
    const small = Number(value)
    if (Number.isSafeInteger(small)) this.add(small)
    else this.#carry(value)
  }

  reset(): void {
    this.#small = 0
    this.#carried = 0n
    this.#hasCarried = false
  }

  get value(): bigint {
    return this.#carried + BigInt(this.#small)
  }

  #carry(value: bigint): void {
    this.#carried += value
    this.#hasCarried = true
  }
}
