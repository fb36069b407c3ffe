/**
 * Draws by lot, from an agent's own generator.
 *
 * Only comparisons and + - * / of doubles, so the draws of a seed are the same to the last bit on every machine and
 * Node version.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator'

export class Chance {
  #generator: JumpableRandomGenerator

  /** @param generator  used by this object only */
  constructor(generator: JumpableRandomGenerator) {
    this.#generator = generator
  }

  /** State of the generator; the same state gives the same draws. */
  get state(): readonly number[] {
    return this.#generator.getState()
  }

  set state(state: readonly number[]) {
    this.#generator = xoroshiro128plusFromState(state)
  }

  /** Independent random stream, so that adding or removing an agent does not affect the others. */
  split(): Chance {
    this.#generator.jump()
    return new Chance(this.#generator.clone())
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return uniformFloat64(this.#generator)
  }

  happens(probability: number): boolean {
    return this.fraction() < probability
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return uniformInt(this.#generator, min, max)
  }

  /** A bell curve cut off at -3 and 3, with mean 0 and variance 1: the sum of three uniform draws. */
  bell(): number {
    return 2 * (this.fraction() + this.fraction() + this.fraction()) - 3
  }

  /**
   * Whole milliseconds until something that happens every `meanMs` on average, whenever it happened last; at least 1.
   */
  wait(meanMs: number): number {
    return 1 + Math.floor(meanMs * this.exponential())
  }

  /**
   * Exponential with mean 1, without a logarithm: a descending run of uniform draws that starts at u has an odd length
   * with probability e^-u.
   *
   * @see von Neumann (1951), Various techniques used in connection with random digits
   */
  exponential(): number {
    for (let whole = 0; ; whole += 1) {
      const first = this.fraction()
      let isOdd = true
      let last = first
      for (let next = this.fraction(); next < last; next = this.fraction()) {
        last = next
        isOdd = !isOdd
      }
      if (isOdd) return whole + first
    }
  }

  /**
   * Heavy-tailed draw from 1 to 2^(`doublings` + 1), each doubling with probability `again`: a tail like x^(log2
   * `again`).
   */
  heavyTailed(again: number, doublings: number): number {
    let scale = 1
    for (let count = 0; count < doublings && this.happens(again); count += 1) scale *= 2
    return scale * (1 + this.fraction())
  }
}
