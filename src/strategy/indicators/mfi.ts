/**
 * Money flow index.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, typicalPrice, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { WindowMean } from './windows/window-mean.ts'

/**
 * Money flow index, 0 to 100: the share of the money that flowed on a higher typical price (high + low + close) / 3
 * than that of the candle before in all that flowed on another one, over n candles; money is typical price times
 * volume. 0 where less than 1 flowed. First value at row n. Source: Quong and Soudack (1989), as TA-Lib MFI.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function mfi(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('mfi', 'n', n)
  return indicator({
    warmup: length,
    start: () => {
      const [last, rising, falling] = [new Lag(1), new WindowMean(length), new WindowMean(length)]
      return {
        next: (candle: CandleNumbers) => {
          const price = typicalPrice(candle, 'mfi')
          const flow = price * finite(candle.volumeNumber, 'mfi')
          const before = last.next(price)
          if (before === undefined) return undefined
          const up = rising.next(price > before ? flow : 0)
          const down = falling.next(price < before ? flow : 0)
          if (up === undefined || down === undefined) return undefined
          return length * (up + down) < 1 ? 0 : (100 * up) / (up + down)
        },
      }
    },
  })
}
