/**
 * Percent range of Williams.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { PlaceInRange } from './windows/place-in-range.ts'

/**
 * Williams' %R, -100 to 0: -100 (H - c) / (H - L), where H and L are highest high and lowest low of the last n candles
 * and c the close; 0 where there is no range. First value at row n - 1. Source: Williams, as TA-Lib WILLR.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function williamsR(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('williamsR', 'n', n)
  return indicator({
    warmup: length - 1,
    start: () => {
      const place = new PlaceInRange(length)
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'williamsR')
          const percent = place.next(finite(highNumber, 'williamsR'), finite(lowNumber, 'williamsR'), close, 100)
          return percent === undefined ? undefined : percent - 100
        },
      }
    },
  })
}
