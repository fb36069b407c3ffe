/**
 * Price levels outside the window of a book's side: keys in a sorted array, each with the number of its level.
 *
 * Known limit: a new level moves those better than it. With 100 000 levels here, one at the worst end costs 40 microseconds.
 */
import { NONE } from './order-slots.ts'

export class FarLevels {
  /** Worst first, so that the best is added and removed at the end. */
  readonly #keys: number[] = []
  readonly #levels: number[] = []

  get best(): number {
    return this.#levels.at(-1) ?? NONE
  }

  get bestKey(): number {
    return this.#keys.at(-1) ?? Number.NEGATIVE_INFINITY
  }

  /** The level of a key; NONE when it has none. */
  find(key: number): number {
    const index = this.#indexOf(key)
    return this.#keys[index] === key ? (this.#levels[index] ?? NONE) : NONE
  }

  /** The best level that is worse than `key`. */
  below(key: number): number {
    return this.#levels[this.#indexOf(key) - 1] ?? NONE
  }

  insert(key: number, level: number): void {
    const index = this.#indexOf(key)
    this.#keys.splice(index, 0, key)
    this.#levels.splice(index, 0, level)
  }

  remove(key: number): void {
    const index = key === this.bestKey ? this.#keys.length - 1 : this.#indexOf(key)
    this.#keys.splice(index, 1)
    this.#levels.splice(index, 1)
  }

  /** Where `key` is, or would be inserted. */
  #indexOf(key: number): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? key) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
