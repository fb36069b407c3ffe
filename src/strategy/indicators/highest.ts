/**
 * Highest of the last inputs.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { ExtremeWindow } from './windows/extreme-window.ts'

/**
 * The highest of the last n inputs, the newest included, in their unit. First value at row n - 1. Source: TA-Lib MAX.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function highest(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('highest', 'n', n)
  const reader = new ValueReader('highest', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new ExtremeWindow(length, 1)
      return { next: (input: IndicatorInput) => window.next(reader.read(input)) }
    },
  })
}
