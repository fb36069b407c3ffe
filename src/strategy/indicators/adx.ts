/**
 * Directional movement.
 */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { directionalMove } from './windows/directional-move.ts'
import { TrueRange } from './windows/true-range.ts'
import { wilderAverage, type SeededAverage } from './windows/seeded-average.ts'

/** Strength and side of a trend, each 0 to 100. */
export interface DirectionalMovement {
  /** 100 times the fraction that the one side is stronger, averaged. */
  readonly adx: number
  /** 100 times the fraction of the true range that was upward. */
  readonly plusDi: number
  /** 100 times the fraction of the true range that was downward. */
  readonly minusDi: number
}

/**
 * Average directional index, 0 to 100, with its two indicators: sums by Wilder of upward and downward movement and of
 * true range (the first n - 1 changes summed, then each sum loses 1/n and gains the new one); the indicators are 100
 * times the movements through the range, and the index the average by Wilder of 100 |plus - minus| / (plus + minus).
 * Where nothing moved the indicators are 0 and the index stays. First value of all at row 2n - 1. Source: Wilder
 * (1978), as TA-Lib ADX, PLUS_DI and MINUS_DI.
 *
 * @param n  number of changes
 * @throws {InputError} unless n is an integer of at least 2
 */
export function adx(n: number): Indicator<CandleNumbers, DirectionalMovement> {
  const length = lengthOf('adx', 'n', n, 2)
  return indicator({ warmup: 2 * length - 1, start: () => new Adx(length) })
}

class Adx implements Fold<CandleNumbers, DirectionalMovement> {
  readonly #length: number
  readonly #trueRange = new TrueRange()
  readonly #index: SeededAverage
  #changes = 0
  #high = 0
  #low = 0
  #plus = 0
  #minus = 0
  #range = 0
  #adx: number | undefined

  constructor(length: number) {
    this.#length = length
    this.#index = wilderAverage(length)
  }

  next(candle: CandleNumbers): DirectionalMovement | undefined {
    const high = finite(candle.highNumber, 'adx')
    const low = finite(candle.lowNumber, 'adx')
    const range = this.#trueRange.next(high, low, finite(candle.closeNumber, 'adx'))
    const move = directionalMove(high - this.#high, this.#low - low)
    this.#high = high
    this.#low = low
    if (range === undefined) return undefined
    this.#changes += 1
    const kept = this.#changes < this.#length ? 1 : 1 - 1 / this.#length
    this.#plus = kept * this.#plus + Math.max(0, move)
    this.#minus = kept * this.#minus + Math.max(0, -move)
    this.#range = kept * this.#range + range
    return this.#changes < this.#length ? undefined : this.#value()
  }

  #value(): DirectionalMovement | undefined {
    const moved = this.#plus + this.#minus
    const difference = Math.abs(this.#plus - this.#minus)
    if (moved > 0) this.#adx = this.#index.next((100 * difference) / moved)
    // A candle without movement has no direction: it counts as 0 in the seed, and not at all after it.
    else if (this.#adx === undefined) this.#adx = this.#index.next(0)
    if (this.#adx === undefined) return undefined
    const share = this.#range > 0 ? 100 / this.#range : 0
    return { adx: this.#adx, plusDi: share * this.#plus, minusDi: share * this.#minus }
  }
}
