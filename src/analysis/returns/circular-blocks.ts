/**
 * Circular block bootstrap: each block starts at a random index, continues in order, and wraps around at the end.
 *
 * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
 */
import { invariant } from '../../domain/errors.ts'

export class CircularBlocks {
  readonly #length: number
  readonly #block: number
  readonly #starts: Float64Array

  /**
   * @param length  of the series and of the resample; 0 for an empty one
   * @param block   at least 1
   * @param random  in [0, 1), seeded; called once per block
   */
  constructor(length: number, block: number, random: () => number) {
    invariant(Number.isSafeInteger(block) && block >= 1, `blocks of ${block}`)
    this.#length = length
    this.#block = block
    this.#starts = new Float64Array(Math.ceil(length / block))
    for (let index = 0; index < this.#starts.length; index += 1) this.#starts[index] = Math.floor(random() * length)
  }

  /** The resample of a series of that length: the element that `at` draws for each index. */
  of(values: readonly number[]): readonly number[] {
    const drawn: number[] = []
    for (let first = 0; first < this.#length; first += this.#block) {
      let from = this.at(first)
      for (let index = first; index < Math.min(first + this.#block, this.#length); index += 1) {
        drawn.push(values[from] ?? 0)
        from = from + 1 === this.#length ? 0 : from + 1
      }
    }
    return drawn
  }

  /**
   * Source index of a drawn element.
   *
   * @param index  from 0, below the length
   */
  at(index: number): number {
    const step = index % this.#block
    return ((this.#starts[(index - step) / this.#block] ?? 0) + step) % this.#length
  }
}

/**
 * Block length of a series: the cube root of its length, rounded up, at least 1. Integer arithmetic, because a float's
 * cube root may be slightly too large.
 */
export function blockLength(length: number): number {
  let block = 1
  while (block ** 3 < length) block += 1
  return block
}
