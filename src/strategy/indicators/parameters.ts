/** Validation of indicator parameters. */
import { InputError } from '../../domain/errors.ts'

/** Eighty megabytes for a column of a window. */
const LONGEST = 10_000_000

/**
 * A number of inputs.
 *
 * @throws {InputError} of the indicator, naming the parameter, unless it is an integer of `least` to ten million
 */
export function lengthOf(indicator: string, name: string, value: number, least = 1): number {
  if (Number.isInteger(value) && value >= least && value <= LONGEST) return value
  throw new InputError(indicator, `expected ${name} to be an integer of ${least} to ${LONGEST}, got ${String(value)}`)
}

/**
 * A factor.
 *
 * @throws {InputError} of the indicator, naming the parameter, unless it is above 0 and at most `most`
 */
export function factorOf(indicator: string, name: string, value: number, most = 1e6): number {
  if (typeof value === 'number' && value > 0 && value <= most) return value
  throw new InputError(indicator, `expected ${name} to be a number above 0 and at most ${most}, got ${String(value)}`)
}

/** @throws {InputError} of the indicator unless `fast` is below `slow` */
export function expectFaster(indicator: string, fast: number, slow: number): void {
  if (fast < slow) return
  throw new InputError(indicator, `expected fast to be smaller than slow, got fast ${fast} and slow ${slow}`)
}
