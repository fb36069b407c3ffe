/**
 * Stochastic oscillator.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { PlaceInRange } from './windows/place-in-range.ts'
import { WindowMean } from './windows/window-mean.ts'

/** Lengths of the oscillator. */
export interface StochasticOptions {
  /** Number of candles of the range. Default: 14. */
  readonly k?: number
  /** Number of values in the average that is `k`. Default: 3. */
  readonly smooth?: number
  /** Number of values of `k` in the average that is `d`. Default: 3. */
  readonly d?: number
}

/** Place of the close in the range, and its average. */
export interface Stochastic {
  /** 100 times the fraction of the range, averaged. */
  readonly k: number
  /** The mean of the last `k`. */
  readonly d: number
}

/**
 * Slow stochastic oscillator, 0 to 100: position of the close between lowest low and highest high of the last k candles
 * (0 where there is no range), averaged by an SMA over `smooth`, and the SMA over `d` of that. First value of both at
 * row k + smooth + d - 3. Source: Lane, as TA-Lib STOCH with averages of type 0.
 *
 * @throws {InputError} unless k, smooth and d are integers of at least 1
 */
export function stochastic({ k = 14, smooth = 3, d = 3 }: StochasticOptions = {}): Indicator<
  CandleNumbers,
  Stochastic
> {
  const length = lengthOf('stochastic', 'k', k)
  const warmup = length + lengthOf('stochastic', 'smooth', smooth) + lengthOf('stochastic', 'd', d) - 3
  return indicator({
    warmup,
    start: () => {
      const [place, fast, slow] = [new PlaceInRange(length), new WindowMean(smooth), new WindowMean(d)]
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'stochastic')
          const raw = place.next(finite(highNumber, 'stochastic'), finite(lowNumber, 'stochastic'), close)
          const smoothed = raw === undefined ? undefined : fast.next(raw)
          const average = smoothed === undefined ? undefined : slow.next(smoothed)
          return smoothed === undefined || average === undefined ? undefined : { k: smoothed, d: average }
        },
      }
    },
  })
}
