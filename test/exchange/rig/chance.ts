/**
 * Choices from a seed: the same script on every machine.
 */
import { invariant } from '../../../src/domain/errors.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

export class Chance {
  readonly #random: () => number

  /** @param seed  a 32-bit integer */
  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.#random()
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  pick<const T>(list: readonly T[]): T {
    const item = list[this.below(list.length)]
    invariant(item !== undefined, 'the list is empty')
    return item
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0
  }

  list<T>(length: number, item: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => item(index))
  }
}
