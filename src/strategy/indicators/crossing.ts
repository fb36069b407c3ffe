/**
 * Crossings of two numbers.
 *
 * A crossing needs an earlier value on the other side: the first value is none, and neither is a touch. A touch that
 * continues to the other side crosses when it gets there.
 */
import type { MonoTypeOperatorFunction, OperatorFunction } from 'rxjs'
import { folding, type Fold } from './indicator.ts'
import { finite } from './input.ts'

/** Side to which a number crossed. */
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
