/**
 * Convergence and divergence of two moving averages.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { expectFaster, lengthOf } from './parameters.ts'
import { SeededAverage } from './windows/seeded-average.ts'

/** Lengths of its averages. */
export interface MacdOptions extends ValueOptions {
  /** Number of inputs of the fast EMA. Default: 12. */
  readonly fast?: number
  /** Number of inputs of the slow EMA. Default: 26. */
  readonly slow?: number
  /** Number of values of the EMA over the difference. Default: 9. */
  readonly signal?: number
}

/** The difference of two averages, its own average, and how far they are apart. */
export interface Macd {
  /** Fast EMA less slow EMA, in the unit of the inputs, for prices the quote asset. */
  readonly macd: number
  /** EMA of `macd`. */
  readonly signal: number
  /** `macd` less `signal`. */
  readonly histogram: number
}

/**
 * MACD: fast EMA less slow EMA, the EMA of that over `signal` values, and their difference, in the unit of the inputs.
 * The fast EMA is seeded by the `fast` inputs up to the slow one's first value, so that both begin there. First value
 * of all three at row slow + signal - 2. Source: Appel, as TA-Lib MACD.
 *
 * @throws {InputError} unless fast, slow and signal are integers of at least 1, and fast is below slow
 */
export function macd({ fast = 12, slow = 26, signal = 9, ...options }: MacdOptions = {}): Indicator<
  IndicatorInput,
  Macd
> {
  expectFaster('macd', lengthOf('macd', 'fast', fast), lengthOf('macd', 'slow', slow))
  const warmup = slow + lengthOf('macd', 'signal', signal) - 2
  const reader = new ValueReader('macd', options)
  return indicator({
    warmup,
    start: () => {
      const [near, far, smooth] = [new SeededAverage(fast), new SeededAverage(slow), new SeededAverage(signal)]
      let early = slow - fast
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const slowAverage = far.next(value)
          if (early > 0) {
            early -= 1
            return undefined
          }
          const fastAverage = near.next(value)
          if (fastAverage === undefined || slowAverage === undefined) return undefined
          const difference = fastAverage - slowAverage
          const average = smooth.next(difference)
          return average === undefined
            ? undefined
            : { macd: difference, signal: average, histogram: difference - average }
        },
      }
    },
  })
}
