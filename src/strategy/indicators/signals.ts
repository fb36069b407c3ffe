/** Operators that pass the moments at which something changes. */
import { asyncScheduler, type MonoTypeOperatorFunction, type OperatorFunction } from 'rxjs'
import { InputError } from '../../domain/errors.ts'
import { type Fold, folding } from './indicator.ts'
import { finite } from './input.ts'

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

/**
 * Side to which a number crossed.
 *
 * A crossing needs an earlier value on the other side: the first value is none, and neither is a touch. A touch that
 * continues to the other side crosses when it gets there.
 */
export interface Crossing {
  /** `'up'`: from below 0 to above it. */
  readonly direction: 'up' | 'down'
}

/** A number of a value, or one that is always the same. */
export type NumberOf<Value> = number | ((value: Value) => number)

/**
 * Passes a value when its number crosses 0, with the direction: `{ direction, ...value }`.
 *
 * @param difference  the watched number, in any unit, such as a fast average less a slow one
 * @throws {InputError} on the stream, for a difference that is not finite
 */
export const crossing = <Value extends object>(
  difference: (value: Value) => number,
): OperatorFunction<Value, Value & Crossing> =>
  folding(() => {
    const sides = new Sides('crossing')
    return {
      next: (value: Value) => {
        const side = sides.crossedTo(difference(value))
        return side === undefined ? undefined : { ...value, direction: side }
      },
    }
  })

/**
 * Passes a value when `a` goes from below `b` to above it.
 *
 * @param a  read from a value, or a constant, in units of your choice
 * @param b  as `a`, in the same units
 * @throws {InputError} on the stream, for numbers that are not finite
 */
export const crossOver = <Value>(a: NumberOf<Value>, b: NumberOf<Value>): MonoTypeOperatorFunction<Value> =>
  folding(() => new Crossed('crossOver', a, b, 'up'))

/**
 * Passes a value when `a` goes from above `b` to below it.
 *
 * @param a  read from a value, or a constant, in units of your choice
 * @param b  as `a`, in the same units
 * @throws {InputError} on the stream, for numbers that are not finite
 */
export const crossUnder = <Value>(a: NumberOf<Value>, b: NumberOf<Value>): MonoTypeOperatorFunction<Value> =>
  folding(() => new Crossed('crossUnder', a, b, 'down'))

/** Remembers the last side that was not 0. */
class Sides {
  readonly #name: string
  #side: Crossing['direction'] | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** Undefined if nothing is crossed. */
  crossedTo(difference: number): Crossing['direction'] | undefined {
    if (finite(difference, this.#name) === 0) return undefined
    const [before, side] = [this.#side, difference > 0 ? ('up' as const) : ('down' as const)]
    this.#side = side
    return before === undefined || before === side ? undefined : side
  }
}

class Crossed<Value> implements Fold<Value, Value> {
  readonly #name: string
  readonly #a: NumberOf<Value>
  readonly #b: NumberOf<Value>
  readonly #direction: Crossing['direction']
  readonly #sides: Sides

  constructor(name: string, a: NumberOf<Value>, b: NumberOf<Value>, direction: Crossing['direction']) {
    this.#name = name
    this.#a = a
    this.#b = b
    this.#direction = direction
    this.#sides = new Sides(name)
  }

  next(value: Value): Value | undefined {
    const difference = this.#read(this.#a, value) - this.#read(this.#b, value)
    return this.#sides.crossedTo(difference) === this.#direction ? value : undefined
  }

  #read(of: NumberOf<Value>, value: Value): number {
    return finite(typeof of === 'number' ? of : of(value), this.#name)
  }
}
