/**
 * Simple moving average.
 */
import { Observable, type OperatorFunction } from 'rxjs'
import { InputError } from '../../domain/errors.ts'

/**
 * The mean of the last `period` values, from the `period`-th value on.
 *
 * The window is summed anew for each value, so that no rounding error is carried along.
 *
 * @param period  number of values in the window, an integer of at least 1
 * @throws {InputError} for any other period
 */
export function sma(period: number): OperatorFunction<number, number> {
  if (!Number.isInteger(period) || period < 1) {
    throw new InputError('sma', `expected a period of at least 1, got ${period}`)
  }
  return (source) =>
    new Observable((subscriber) => {
      const window: number[] = []
      return source.subscribe({
        next: (value) => {
          window.push(value)
          if (window.length > period) window.shift()
          if (window.length === period) subscriber.next(window.reduce((sum, each) => sum + each, 0) / period)
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          subscriber.complete()
        },
      })
    })
}
