/** Decimal values as a strategy sees them. Nothing in the exchange, and no loop per event, uses them. */
import { Decimal as AnyDecimal } from 'decimal.js'
import { invariant } from './errors.ts'
import { formatUnits, parseAmount, parseUnits } from './fixed-point.ts'

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
function withoutOperators<Base extends Coercible>(base: Base): Base {
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
    toNumber(this: Base): number {
      return Number(this.valueOf())
    },
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
  const Own = AnyDecimal.clone({ precision: 64, toExpNeg: -64, toExpPos: 64, defaults: true })
  // All constructors of decimal.js share one prototype; a prototype of its own distinguishes papertape's decimals.
  Object.defineProperty(Own, 'prototype', { value: withoutOperators(Own.prototype) })
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

// decimal.js stores a number as its sign, its exponent, and words of seven digits aligned to the point (its `s`, `e`,
// `d`).
const WORD_DIGITS = 7
const WORD = 1e7
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7] as const

type Parts = { -readonly [Key in 's' | 'e' | 'd']: Decimal[Key] }

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
  const decimal = new Decimal(1)
  const parts: Parts = decimal
  parts.s = units < 0 ? -1 : 1
  parts.e = whole > 0 ? digitsOf(whole) - 1 : digitsOf(fraction) - 1 - WORD_DIGITS
  parts.d = words
  return decimal
}

/** A safe integer in words, the highest first; none for zero. By `| 0` they are small integers to the engine, too. */
function wordsOf(whole: number): number[] {
  if (whole === 0) return []
  if (whole < WORD) return [whole | 0]
  const high = Math.floor(whole / WORD)
  const low = whole - high * WORD
  return high < WORD ? [high | 0, low | 0] : [(high / WORD) | 0, (high % WORD) | 0, low | 0]
}

function digitsOf(integer: number): number {
  let digits = 1
  for (let power = 10; power <= integer; power *= 10) digits += 1
  return digits
}
