/**
 * Straight line through the last inputs.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WeightedWindow } from './windows/weighted-window.ts'

/** A line of least squares. */
export interface RegressionLine {
  /** Value of the line at the newest input, in the unit of the inputs; for prices, the quote asset. */
  readonly value: number
  /** Change from one input to the next, in the same unit as `value`. */
  readonly slope: number
}

/**
 * Linear regression: the line of least squares through the last n inputs, its value at the newest and its slope an
 * input, both in their unit. First value at row n - 1. Source: TA-Lib LINEARREG and LINEARREG_SLOPE.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 2
 */
export function linearRegression(n: number, options?: ValueOptions): Indicator<IndicatorInput, RegressionLine> {
  const length = lengthOf('linearRegression', 'n', n, 2)
  const reader = new ValueReader('linearRegression', options)
  const middle = (length + 1) / 2
  const spread = (length * (length * length - 1)) / 12
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new WeightedWindow(length)
      return {
        next: (input: IndicatorInput) => {
          window.push(reader.read(input))
          if (window.anchor === undefined) return undefined
          const slope = (window.weighted - middle * window.sum) / spread
          return { value: window.anchor + window.sum / length + slope * (length - middle), slope }
        },
      }
    },
  })
}
