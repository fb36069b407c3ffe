/**
 * True range of candles.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { TrueRange } from './windows/true-range.ts'

/**
 * True range: the largest of high - low, |high - c| and |low - c|, where c is the close before, in the quote asset.
 * First value at row 1. Source: Wilder (1978), as TA-Lib TRANGE.
 */
export function trueRange(): Indicator<CandleNumbers, number> {
  return indicator({
    warmup: 1,
    start: () => {
      const range = new TrueRange()
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) =>
          range.next(finite(highNumber, 'trueRange'), finite(lowNumber, 'trueRange'), finite(closeNumber, 'trueRange')),
      }
    },
  })
}
