/** Pause after each value that passes. */
import { asyncScheduler, type MonoTypeOperatorFunction } from 'rxjs'
import { InputError } from '../../domain/errors.ts'
import { folding } from './indicator.ts'

/**
 * Passes a value, and then none for a time: the next that passes is the first that comes at least `ms` later, by the
 * time of the market.
 *
 * @param ms  milliseconds, at least 0
 * @throws {InputError} for any other time
 */
export function cooldown<Value>(ms: number): MonoTypeOperatorFunction<Value> {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new InputError('cooldown', `expected ms to be a number of at least 0, got ${String(ms)}`)
  }
  return folding(() => {
    let openFrom = -Infinity
    return {
      next: (value: Value) => {
        const now = asyncScheduler.now()
        if (now < openFrom) return undefined
        openFrom = now + ms
        return value
      },
    }
  })
}
