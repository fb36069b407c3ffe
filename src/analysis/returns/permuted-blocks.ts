/**
 * A random permutation of the blocks of a series. Every element appears once.
 *
 * Blocks have the same length, and elements after the last whole block stay, so that the permutations are a group: a
 * test on them is exact for a series whose blocks are exchangeable.
 *
 * @see Hemerik and Goeman (2018), Exact testing with random permutations
 */
import { invariant } from '../../domain/errors.ts'

export class PermutedBlocks {
  readonly #block: number
  readonly #order: Float64Array

  /**
   * @param length  of the series
   * @param block   at least 1
   * @param random  in [0, 1), seeded; called once per block except the last
   */
  constructor(length: number, block: number, random: () => number) {
    invariant(Number.isSafeInteger(block) && block >= 1, `blocks of ${block}`)
    this.#block = block
    this.#order = Float64Array.from({ length: Math.floor(length / block) }, (_, index) => index)
    for (let index = this.#order.length - 1; index > 0; index -= 1) {
      const other = Math.floor(random() * (index + 1))
      const [a = 0, b = 0] = [this.#order[index], this.#order[other]]
      this.#order[index] = b
      this.#order[other] = a
    }
  }

  /** Source index of an element. @param index  from 0, below the length */
  at(index: number): number {
    const step = index % this.#block
    const from = this.#order[(index - step) / this.#block]
    return from === undefined ? index : from * this.#block + step
  }
}
