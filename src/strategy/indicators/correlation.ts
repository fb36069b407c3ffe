/** Correlation of pairs. */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { finite } from './input.ts'
import { lengthOf } from './parameters.ts'
import { sumBackwards } from './windows/backward-sums.ts'

/** Two numbers of the same moment, in whatever units. */
export type NumberPair = readonly [number, number]

/**
 * Pearson's correlation of the last n pairs, -1 to 1; null if one of the two does not vary. First value at row n - 1.
 * Source: Pearson, as TA-Lib CORREL.
 *
 * @param n  number of pairs in the window
 * @throws {InputError} unless n is an integer of at least 2
 */
export function correlation(n: number): Indicator<NumberPair, number | null> {
  const length = lengthOf('correlation', 'n', n, 2)
  return indicator({ warmup: length - 1, start: () => new Correlation(length) })
}

/** Sums of distances to one pair of the window, as in WindowMoments. */
class Correlation implements Fold<NumberPair, number | null> {
  readonly #length: number
  readonly #a: Float64Array
  readonly #b: Float64Array
  readonly #aa: Float64Array
  readonly #bb: Float64Array
  readonly #ab: Float64Array
  /** Sums since the block began: a, b, aa, bb, ab. */
  readonly #new = new Float64Array(5)
  #filled = 0
  #isWarm = false
  #anchorA = 0
  #anchorB = 0

  constructor(length: number) {
    this.#length = length
    this.#a = new Float64Array(length)
    this.#b = new Float64Array(length)
    this.#aa = new Float64Array(length)
    this.#bb = new Float64Array(length)
    this.#ab = new Float64Array(length)
  }

  next([first, second]: NumberPair): number | null | undefined {
    const filled = this.#filled
    const [a, b] = [finite(first, 'correlation'), finite(second, 'correlation')]
    this.#a[filled] = a
    this.#b[filled] = b
    this.#filled = filled + 1
    if (this.#filled === this.#length) {
      this.#turn(a, b)
      return this.#value()
    }
    const [da, db] = [a - this.#anchorA, b - this.#anchorB]
    this.#add(0, da)
    this.#add(1, db)
    this.#add(2, da * da)
    this.#add(3, db * db)
    this.#add(4, da * db)
    return this.#isWarm ? this.#value() : undefined
  }

  #add(column: number, term: number): void {
    this.#new[column] = (this.#new[column] ?? 0) + term
  }

  #turn(anchorA: number, anchorB: number): void {
    for (let index = 0; index < this.#length; index += 1) {
      const [da, db] = [(this.#a[index] ?? 0) - anchorA, (this.#b[index] ?? 0) - anchorB]
      this.#aa[index] = da * da
      this.#bb[index] = db * db
      this.#ab[index] = da * db
    }
    sumBackwards(this.#a, anchorA)
    sumBackwards(this.#b, anchorB)
    for (const products of [this.#aa, this.#bb, this.#ab]) sumBackwards(products)
    this.#new.fill(0)
    this.#filled = 0
    this.#isWarm = true
    this.#anchorA = anchorA
    this.#anchorB = anchorB
  }

  #value(): number | null {
    const mean = (column: Float64Array, index: number): number =>
      ((column[this.#filled] ?? 0) + (this.#new[index] ?? 0)) / this.#length
    const [a, b] = [mean(this.#a, 0), mean(this.#b, 1)]
    const [varianceA, varianceB] = [mean(this.#aa, 2) - a * a, mean(this.#bb, 3) - b * b]
    if (varianceA <= 0 || varianceB <= 0) return null
    const ratio = (mean(this.#ab, 4) - a * b) / (Math.sqrt(varianceA) * Math.sqrt(varianceB))
    return Math.max(-1, Math.min(1, ratio))
  }
}
