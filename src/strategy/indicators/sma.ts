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
      let values: number[] = []
      let start = 0
      return source.subscribe({
        next: (value) => {
          values.push(value)
          if (values.length < start + period) return
          let sum = 0
          for (let index = start; index < values.length; index += 1) sum += values[index] ?? 0
          start += 1
          if (start === period) {
            values = values.slice(start)
            start = 0
          }
          subscriber.next(sum / period)
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
