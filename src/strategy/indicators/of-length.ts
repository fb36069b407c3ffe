/** The frame of indicators with one length, over numbers or one value of candles. */
import { type Fold, indicator, type Indicator } from './indicator.ts'
import { type IndicatorInput, type ValueOptions, ValueReader } from './input.ts'
import { lengthOf } from './parameters.ts'

/** Rows before a window of that length is full. */
export const fillsWindow = (length: number): number => length - 1

/** Rows before one that is so far behind. */
export const reachesBack = (length: number): number => length

/**
 * @param name      of the indicator, for errors
 * @param warmupOf  number of rows before the first value, by the length
 * @param start     its `next` reads the input itself, because one more call takes as long as some indicators
 * @throws {InputError} unless n is an integer of at least 1
 */
export function ofLength<Value>(
  name: string,
  n: number,
  options: ValueOptions | undefined,
  warmupOf: (length: number) => number,
  start: (length: number, reader: ValueReader) => Fold<IndicatorInput, Value>,
): Indicator<IndicatorInput, Value> {
  const length = lengthOf(name, 'n', n)
  const reader = new ValueReader(name, options)
  return indicator({ warmup: warmupOf(length), start: () => start(length, reader) })
}
