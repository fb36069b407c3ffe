/** Decimal values as a strategy sees them. Nothing in the exchange, and no loop per event, uses them. */
import { Decimal as AnyDecimal } from 'decimal.js'
import { invariant } from './errors.ts'
import { formatUnits, parseAmount, parseUnits } from './fixed-point.ts'
import {
  digitsOf,
  type PartsConstructor,
  POWERS_OF_TEN,
  quickConstructor,
  quickMethods,
  WORD_DIGITS,
  wordsOf,
} from './quick-decimal.ts'

const MESSAGE =
  'a Decimal has no + - * / < > or ==: use plus, minus, times, div, lessThan, greaterThan, equals; ' +
  'toNumber() for a double, a template for a text'

/** Methods in which decimal.js itself converts a decimal to a double for a first guess, or to a text for an error. */
const COERCING = [
  ...(['squareRoot', 'sqrt', 'cubeRoot', 'cbrt', 'toPower', 'pow'] as const),
  ...(['clampedTo', 'clamp', 'toFraction'] as const),
]

type Method = (this: unknown, ...args: unknown[]) => unknown

/** A decimal, as far as it matters here. */
type Coercible = Readonly<Record<(typeof COERCING)[number], unknown>> & { valueOf(): string; toString(): string }

/**
 * A prototype that has everything of `base`, and whose objects throw a TypeError when an operator is used on them.
 *
 * Templates, `String(x)` and JSON are as before. A new prototype, because that of decimal.js is one for all its
 * constructors.
 *
 * Known limit: `===`, and `==` between two decimals, compare object identity; no object can prevent that.
 */
function withoutOperators<Base extends Coercible>(base: Base, quick: object): Base {
  let depth = 0
  const allowing = (method: Method): Method =>
    function (...args) {
      depth += 1
      try {
        return method.apply(this, args)
      } finally {
        depth -= 1
      }
    }
  const own = {
    ...Object.fromEntries(COERCING.map((name) => [name, allowing(base[name] as Method)])),
    ...quick,
    [Symbol.toPrimitive](this: Base, hint: string): string {
      if (hint === 'string') return this.toString()
      if (depth > 0) return this.valueOf()
      throw new TypeError(MESSAGE)
    },
  }
  return Object.create(base, Object.getOwnPropertyDescriptors(own)) as Base
}

/**
 * An immutable decimal number with 64 significant digits.
 *
 * Use its methods, such as `a.plus(b)` and `a.lessThan(b)`: operators throw a TypeError.
 */
export type Decimal = AnyDecimal

/** Input of a decimal: a string such as `'0.05'`, a Decimal, or a number, which is taken as it prints. */
export type DecimalInput = string | number | Decimal

type RoundingMode = `ROUND_${'UP' | 'DOWN' | 'CEIL' | 'FLOOR' | `HALF_${'UP' | 'DOWN' | 'EVEN' | 'CEIL' | 'FLOOR'}`}`

/** Constructor of decimals, with the rounding modes of `toDecimalPlaces` and similar methods. */
export interface DecimalConstructor extends Pick<typeof AnyDecimal, 'max' | 'min' | 'sum' | RoundingMode> {
  new (value: DecimalInput): Decimal
  (value: DecimalInput): Decimal
}

/**
 * Creates a decimal: `new Decimal('1.5')`, or `Decimal('1.5')`.
 *
 * @throws {Error} if the value is not a number
 */
export const Decimal: DecimalConstructor = ownConstructor()

function ownConstructor(): DecimalConstructor {
  // 64 digits hold every product of a price and a quantity; exponents would hide digits from a reader.
  const Slow = AnyDecimal.clone({ precision: 64, toExpNeg: -64, toExpPos: 64, defaults: true })
  const Own = quickConstructor(Slow)
  // All constructors of decimal.js share one prototype; a prototype of its own distinguishes papertape's decimals.
  const quick = quickMethods(Slow.prototype, () => Own)
  Object.defineProperty(Own, 'prototype', { value: withoutOperators(Slow.prototype, quick) })
  const refuse = (): never => {
    throw new Error('the digits of a Decimal cannot be set: all decimals of a run have the same')
  }
  return Object.assign(Own, { set: refuse, config: refuse })
}

export const ZERO = new Decimal(0)
export const ONE = new Decimal(1)
export const HUNDRED = new Decimal(100)

/** Exact decimal of an integer of units with `decimals` decimal digits. */
export function decimalOf(units: number | bigint, decimals: number): Decimal {
  if (units === 0 || units === 0n) return ZERO
  const isSafe = units <= Number.MAX_SAFE_INTEGER && units >= Number.MIN_SAFE_INTEGER
  return (isSafe ? ofWords(Number(units), decimals) : undefined) ?? new Decimal(formatUnits(units, decimals))
}

/**
 * Decimals are immutable, so papertape's own need no copy.
 *
 * @throws {Error} if it is not a number
 */
export const toDecimal = (value: DecimalInput): Decimal =>
  typeof value === 'object' && value.constructor === Decimal ? value : new Decimal(value)

/**
 * Price in ticks or quantity in lots, in [0, 2^53 - 1].
 *
 * @throws {InvariantError} if it has more digits or is out of range
 */
export function stepsOf(value: Decimal, decimals: number): number {
  const parsed = parseUnits(value.toFixed(), decimals)
  invariant(parsed.ok, `${value.toFixed()} does not fit ${decimals} digits`)
  return parsed.value
}

/**
 * Amount in ledger units, which may be negative.
 *
 * @throws {InvariantError} if it has more digits
 */
export function unitsOf(amount: Decimal, scale: number): bigint {
  if (amount.isZero()) return 0n
  const parsed = parseAmount(amount.abs().toFixed(), scale)
  invariant(parsed.ok, `${amount.toFixed()} does not fit ${scale} digits`)
  return amount.isNegative() ? -parsed.value : parsed.value
}

/**
 * Fast path without a string, which is the most expensive step; undefined for 0 and for numbers that are not safe
 * integers.
 */
function ofWords(units: number, decimals: number): Decimal | undefined {
  const unit = POWERS_OF_TEN[decimals]
  const factor = POWERS_OF_TEN[WORD_DIGITS - decimals]
  if (units === 0 || !Number.isSafeInteger(units) || unit === undefined || factor === undefined) return undefined
  const magnitude = Math.abs(units)
  const whole = Math.floor(magnitude / unit)
  const words = wordsOf(whole)
  const fraction = (magnitude - whole * unit) * factor
  words.push(fraction | 0)
  while (words.at(-1) === 0) words.pop()
  const exponent = whole > 0 ? digitsOf(whole) - 1 : digitsOf(fraction) - 1 - WORD_DIGITS
  return new (Decimal as unknown as PartsConstructor)(units < 0 ? -1 : 1, exponent, words)
}
