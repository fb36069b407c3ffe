/**
 * An exact running sum of safe integers and of their products, of any size.
 *
 * Small values are added as doubles and carried into a bigint before they could lose a digit.
 */
const CARRY = 2 ** 52

export class ExactSum {
  #small = 0
  #carried = 0n

  /** @param value  a safe integer of either sign */
  add(value: number): void {
    if (value >= CARRY || value <= -CARRY) {
      this.#carried += BigInt(value)
      return
    }
    this.#small += value
    if (this.#small >= CARRY || this.#small <= -CARRY) {
      this.#carried += BigInt(this.#small)
      this.#small = 0
    }
  }

  /** Adds `a` x `b`, both safe integers. */
  addProduct(a: number, b: number): void {
    const product = a * b
    if (Number.isSafeInteger(product)) this.add(product)
    else this.#carried += BigInt(a) * BigInt(b)
  }

  reset(): void {
    this.#small = 0
    this.#carried = 0n
  }

  get value(): bigint {
    return this.#carried + BigInt(this.#small)
  }
}
