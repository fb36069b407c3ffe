/**
 * Adaptive moving average of Kaufman.
 */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { expectFaster, lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { WindowMean } from './windows/window-mean.ts'

/** Lengths between which it adapts. */
export interface KamaOptions extends ValueOptions {
  /** Number of inputs of the EMA for a perfectly directional market. Default: 2. */
  readonly fast?: number
  /** Number of inputs of the EMA for a market without direction. Default: 30. */
  readonly slow?: number
}

/**
 * Kaufman's adaptive moving average, in the unit of the inputs: goes the share (r (f - s) + s)² of the way to each
 * input, where f and s are 2/(fast + 1) and 2/(slow + 1), and r is the efficiency ratio, the move over n inputs through
 * the sum of its single moves; 1 where nothing moved. It starts from the input before its first value. First value at
 * row n. Source: Kaufman (1995), as TA-Lib KAMA.
 *
 * @param n  number of moves in the efficiency ratio
 * @throws {InputError} unless n, fast and slow are integers of at least 1, and fast is below slow
 */
export function kama(
  n: number,
  { fast = 2, slow = 30, ...options }: KamaOptions = {},
): Indicator<IndicatorInput, number> {
  const length = lengthOf('kama', 'n', n)
  expectFaster('kama', lengthOf('kama', 'fast', fast), lengthOf('kama', 'slow', slow))
  const reader = new ValueReader('kama', options)
  const [most, least] = [2 / (fast + 1), 2 / (slow + 1)]
  return indicator({ warmup: length, start: () => new Kama({ length, most, least, reader }) })
}

interface KamaTerms {
  readonly length: number
  /** Shares of the way. */
  readonly most: number
  readonly least: number
  readonly reader: ValueReader
}

class Kama implements Fold<IndicatorInput, number> {
  readonly #terms: KamaTerms
  readonly #first: Lag
  readonly #meanMove: WindowMean
  #last: number | undefined
  #average: number | undefined

  constructor(terms: KamaTerms) {
    this.#terms = terms
    this.#first = new Lag(terms.length)
    this.#meanMove = new WindowMean(terms.length)
  }

  next(input: IndicatorInput): number | undefined {
    const { length, most, least, reader } = this.#terms
    const value = reader.read(input)
    const last = this.#last
    this.#last = value
    const first = this.#first.next(value)
    const meanMove = last === undefined ? undefined : this.#meanMove.next(Math.abs(value - last))
    if (last === undefined || first === undefined || meanMove === undefined) return undefined
    const ratio = meanMove === 0 ? 1 : Math.min(1, Math.abs(value - first) / (length * meanMove))
    const share = ratio * (most - least) + least
    const before = this.#average ?? last
    return (this.#average = before + share * share * (value - before))
  }
}
