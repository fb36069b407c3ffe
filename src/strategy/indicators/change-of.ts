/**
 * Moments at which something is another than before.
 */
import type { MonoTypeOperatorFunction } from 'rxjs'
import { folding } from './indicator.ts'

/**
 * Passes a value when `of` returns something different than for the previous value; the first is no change.
 *
 * @param of  reads the watched property, such as the direction of a trend; compared with Object.is
 */
export const changeOf = <Value>(of: (value: Value) => unknown): MonoTypeOperatorFunction<Value> =>
  folding(() => {
    let before: readonly [unknown] | undefined
    return {
      next: (value: Value) => {
        const now = of(value)
        const isChange = before !== undefined && !Object.is(before[0], now)
        if (before === undefined || isChange) before = [now]
        return isChange ? value : undefined
      },
    }
  })
