/**
 * On-balance volume.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { Lag } from './windows/lag.ts'
import { LongSum } from './windows/long-sum.ts'

/**
 * On-balance volume, in the base asset: begins with the first volume, and gains that of each candle that closes higher
 * than the one before, loses that of each that closes lower. First value at row 0. Source: Granville (1963), as TA-Lib
 * OBV.
 */
export function obv(): Indicator<CandleNumbers, number> {
  return indicator({
    warmup: 0,
    start: () => {
      const [last, total] = [new Lag(1), new LongSum()]
      return {
        next: ({ closeNumber, volumeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'obv')
          const volume = finite(volumeNumber, 'obv')
          const before = last.next(close)
          if (before === undefined || close > before) total.add(volume)
          else if (close < before) total.add(-volume)
          return total.value
        },
      }
    },
  })
}
