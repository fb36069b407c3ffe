/**
 * Short ways of decimal.js: with at most 63 digits nothing is rounded, and no operand needs to be copied.
 *
 * Invariant: the sign, exponent and words of each result are those of decimal.js, which also handles all other values.
 * decimal.js stores a number as its sign, its exponent, and words of seven digits aligned to the point (`s`, `e`, `d`).
 */
import type { Decimal } from 'decimal.js'

export const WORD_DIGITS = 7
const WORD = 1e7
/** Words of a result that is never rounded to 64 digits. */
const MAX_WORDS = 9
const MAX_EXPONENT = 1_000_000
const [MINUS, ZERO] = [45, 48] as const
export const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7] as const
/** Powers of ten that are exact doubles. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))

type Parts = { -readonly [Key in 's' | 'e' | 'd']: Decimal[Key] } & { constructor: unknown }
type Value = Decimal.Value
type Name = 'comparedTo' | 'times' | 'plus' | 'minus' | 'dividedToIntegerBy' | 'toNumber'
type Base = Pick<Decimal, Name> & { toDecimalPlaces: (digits: number, rounding: Decimal.Rounding) => Decimal }
type Make = (sign: number, exponent: number, words: number[]) => Decimal
/** How a decimal is made of what decimal.js stores. */
export type PartsConstructor = new (sign: number, exponent: number, words: number[]) => Decimal

/** The word of an exponent, counted from the point. */
const wordAt = (exponent: number): number => Math.floor(exponent / WORD_DIGITS)

const isZero = ({ d }: Decimal): boolean => (d as number[] | null) !== null && d[0] === 0

/** Finite, not zero, and short. */
const isShort = ({ d, e }: Decimal): boolean =>
  (d as number[] | null) !== null && d[0] !== 0 && d.length <= MAX_WORDS && e < MAX_EXPONENT && e > -MAX_EXPONENT

/**
 * A constructor of decimals that reads numbers and plain texts itself.
 *
 * @param Slow  reads all other values
 */
export function quickConstructor(Slow: typeof Decimal): typeof Decimal {
  function Quick(this: Parts, value: Value, exponent = 0, words?: number[]): unknown {
    if (!(this instanceof Own)) return new Own(value)
    this.constructor = Own
    if (words !== undefined) set(this, value as number, exponent, words)
    else if (Object.is(value, 0)) set(this, 1, 0, [0])
    else if (typeof value === 'number' && Number.isSafeInteger(value) && value !== 0) {
      const all = wordsOf(Math.abs(value))
      const top = all.length - 1
      while (all.at(-1) === 0) all.pop()
      set(this, value < 0 ? -1 : 1, exponentOf(all, top), all)
    } else if (typeof value === 'object' && value instanceof Own && (value.d as number[] | null) !== null)
      set(this, value.s, value.e, value.d.slice())
    else if (!readText(this, value)) {
      const { s, e, d } = new Slow(value)
      set(this, s, e, d)
    }
    return undefined
  }
  const Own = Object.assign(Quick, Slow)
  // decimal.js copies both operands.
  const extreme =
    (slow: typeof Slow.max, sign: 1 | -1) =>
    (...values: Value[]): Decimal => {
      const [one, two] = values
      if (!isOwn(one, Own) || !isOwn(two, Own) || values.length > 2) return slow(...values)
      const order = one.comparedTo(two)
      return order === -sign || (order === 0 && one.s === -sign) ? two : one
    }
  return Object.assign(Own, { max: extreme(Slow.max.bind(Own), 1), min: extreme(Slow.min.bind(Own), -1) })
}

/** A number of that constructor, which is not NaN. */
const isOwn = (value: Value | undefined, Own: typeof Decimal): value is Decimal =>
  typeof value === 'object' && value instanceof Own && !value.isNaN()

function set(parts: Parts, sign: number, exponent: number, words: number[]): void {
  parts.s = sign
  parts.e = exponent
  parts.d = words
}

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** Reads a number or a text with digits and at most one point; false for any other value, and for 0. */
function readText(parts: Parts, value: Value): boolean {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !PLAIN.test(text)) return false
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  const found = text.indexOf('.')
  const end = found < 0 ? text.length : found
  const words: number[] = []
  let word = 0
  for (let at = start; at < text.length; at += 1) {
    if (at === found) continue
    word = word * 10 + (text.charCodeAt(at) - ZERO)
    if ((at < end ? end - 1 - at : at - end) % WORD_DIGITS !== 0) continue
    words.push(word)
    word = 0
  }
  const left = found < 0 ? 0 : (text.length - 1 - found) % WORD_DIGITS
  if (left > 0) words.push(word * (POWERS_OF_TEN[WORD_DIGITS - left] ?? 1))
  const top = trim(words, Math.ceil((end - start) / WORD_DIGITS) - 1)
  if (words.length === 0) return false
  set(parts, start === 1 ? -1 : 1, exponentOf(words, top), words)
  return true
}

/** Removes words that are 0 at both ends. @returns the place of the first word, which was at `top` */
function trim(words: number[], top: number): number {
  while (words.at(-1) === 0) words.pop()
  let first = top
  while (words[0] === 0) {
    words.shift()
    first -= 1
  }
  return first
}

const exponentOf = (words: readonly number[], top: number): number => top * WORD_DIGITS + digitsOf(words[0] ?? 0) - 1

/** Methods of a prototype that has everything of `base`. */
export function quickMethods(base: Base, own: () => typeof Decimal): object {
  const make: Make = (sign, exponent, words) => new (own() as unknown as PartsConstructor)(sign, exponent, words)
  const read = (value: Value): Decimal => (value instanceof own() ? value : new (own())(value))

  const methods: Base = {
    comparedTo(this: Decimal, value: Value) {
      const other = read(value)
      if ((this.d as unknown) === null || (other.d as unknown) === null) return base.comparedTo.call(this, other)
      if (this.d[0] === 0 || other.d[0] === 0) return this.d[0] !== 0 ? this.s : other.d[0] !== 0 ? -other.s : 0
      if (this.s !== other.s) return this.s
      return this.s > 0 ? compareMagnitudes(this, other) : compareMagnitudes(other, this)
    },
    plus(this: Decimal, value: Value) {
      const other = read(value)
      return quickSum(this, other, other.s, make) ?? base.plus.call(this, other)
    },
    minus(this: Decimal, value: Value) {
      const other = read(value)
      return quickSum(this, other, -other.s, make) ?? base.minus.call(this, other)
    },
    times(this: Decimal, value: Value) {
      const other = read(value)
      if (!isShort(this) || !isShort(other) || this.d.length + other.d.length > MAX_WORDS)
        return base.times.call(this, other)
      multiplyWords(this.d, other.d)
      const top = wordAt(this.e) + wordAt(other.e) + 1
      return ofScratch(this.s * other.s, top, this.d.length + other.d.length, make)
    },
    dividedToIntegerBy(this: Decimal, value: Value) {
      const other = read(value)
      const quotient = quickQuotient(this, other)
      if (quotient === undefined) return base.dividedToIntegerBy.call(this, other)
      return this.s === other.s ? read(quotient) : read(-quotient)
    },
    toDecimalPlaces(this: Decimal, digits: number, rounding: Decimal.Rounding) {
      return quickRounded(this, digits, rounding, make) ?? base.toDecimalPlaces.call(this, digits, rounding)
    },
    toNumber(this: Decimal) {
      return doubleOf(this) ?? Number(this.valueOf())
    },
  }
  const { comparedTo, plus, minus, times, dividedToIntegerBy, toDecimalPlaces } = methods
  const short = { cmp: comparedTo, add: plus, sub: minus, mul: times, divToInt: dividedToIntegerBy }
  return { ...methods, ...short, toDP: toDecimalPlaces }
}

/** The sum of two, of which the second is taken with that sign; undefined if one is not short. */
function quickSum(one: Decimal, two: Decimal, sign: number, make: Make): Decimal | undefined {
  if (!isShort(one)) return isZero(one) && isShort(two) ? make(sign, two.e, two.d.slice()) : undefined
  if (!isShort(two)) return isZero(two) ? one : undefined
  const [topOne, topTwo] = [wordAt(one.e), wordAt(two.e)]
  const top = Math.max(topOne, topTwo)
  const length = top - Math.min(topOne - one.d.length, topTwo - two.d.length)
  if (length >= MAX_WORDS) return undefined
  const isSum = one.s === sign
  const order = isSum ? 1 : compareMagnitudes(one, two)
  if (order === 0) return make(1, 0, [0])
  const step = isSum ? 1 : -1
  if (order > 0) addWords(one.d, top - topOne, two.d, top - topTwo, length, step)
  else addWords(two.d, top - topTwo, one.d, top - topOne, length, step)
  return ofScratch(order > 0 ? one.s : sign, top + 1, length + 1, make)
}

function compareMagnitudes(one: Decimal, two: Decimal): number {
  if (one.e !== two.e) return one.e > two.e ? 1 : -1
  const [a, b] = [one.d, two.d]
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference > 0 ? 1 : -1
  }
  return Math.sign(a.length - b.length)
}

const wordOf = (words: readonly number[], at: number): number => (at >= 0 && at < words.length ? (words[at] ?? 0) : 0)

/** Words of the result that is being computed, the highest first. */
const scratch = new Int32Array(2 * MAX_WORDS)

/** The decimal of the first words of `scratch`, without those that are 0 at both ends. */
function ofScratch(sign: number, top: number, length: number, make: Make): Decimal {
  let [first, end] = [0, length]
  while (scratch[end - 1] === 0) end -= 1
  while (scratch[first] === 0) first += 1
  const words = wordsOfScratch(first, end)
  return make(sign, exponentOf(words, top - first), words)
}

/** Literals have just the room that they need. */
function wordsOfScratch(first: number, end: number): number[] {
  const [a = 0, b = 0, c = 0] = [scratch[first], scratch[first + 1], scratch[first + 2]]
  switch (end - first) {
    case 1:
      return [a]
    case 2:
      return [a, b]
    case 3:
      return [a, b, c]
    default:
      return Array.from(scratch.subarray(first, end))
  }
}

/**
 * The sum below a word for the carry, or the difference of the larger and a smaller one.
 *
 * @param skipA  words that the result has above those of `a`
 * @param step   1 for the sum, -1 for the difference
 */
function addWords(
  a: readonly number[],
  skipA: number,
  b: readonly number[],
  skipB: number,
  length: number,
  step: 1 | -1,
): void {
  let carry = 0
  for (let at = length - 1; at >= 0; at -= 1) {
    const word = wordOf(a, at - skipA) + step * wordOf(b, at - skipB) + carry
    carry = word >= WORD ? 1 : word < 0 ? -1 : 0
    scratch[at + 1] = word - carry * WORD
  }
  scratch[0] = carry
}

function multiplyWords(a: readonly number[], b: readonly number[]): void {
  scratch.fill(0, 0, a.length + b.length)
  for (let low = b.length - 1; low >= 0; low -= 1) {
    const factor = b[low] ?? 0
    let carry = 0
    for (let at = a.length - 1; at >= 0; at -= 1) {
      const product = (scratch[at + low + 1] ?? 0) + factor * (a[at] ?? 0) + carry
      carry = (product / WORD) | 0
      scratch[at + low + 1] = product - carry * WORD
    }
    scratch[low] = carry
  }
}

/** The whole part of a quotient; undefined if a double is too coarse to be sure of it. */
function quickQuotient(one: Decimal, two: Decimal): number | undefined {
  if (!isShort(one) || !isShort(two)) return undefined
  const power = (wordAt(one.e) - wordAt(two.e)) * WORD_DIGITS
  const factor = EXACT_POWERS[Math.abs(power)]
  if (factor === undefined) return undefined
  const ratio = leading(one.d) / leading(two.d)
  const quotient = power < 0 ? ratio / factor : ratio * factor
  const whole = Math.floor(quotient)
  const isSure = quotient >= 1 && quotient < MAX_SURE && quotient - whole > 0.01 && quotient - whole < 0.99
  return isSure ? whole : undefined
}

/** Quotients below it have an error below 0.01. */
const MAX_SURE = 2 ** 40

/** About the value of words, if the first is the whole part. */
const leading = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number => a + (b + (c + d / WORD) / WORD) / WORD

const isUpTo = (value: number, limit: number): boolean => Number.isInteger(value) && value >= 0 && value <= limit

/** Rounded up, down, to the ceiling or to the floor (0 to 3); undefined for other roundings, and for 0. */
function quickRounded(value: Decimal, digits: number, rounding: number, make: Make): Decimal | undefined {
  if (!isUpTo(digits, WORD_DIGITS * MAX_WORDS) || !isUpTo(rounding, 3) || !isShort(value)) return undefined
  const { s, d, e } = value
  const lastWord = wordAt(-digits)
  const top = wordAt(e)
  const last = top - lastWord
  const unit = wordOf(POWERS_OF_TEN, -digits - lastWord * WORD_DIGITS)
  const rest = wordOf(d, last) % unit
  if (last < 0 || (last === 0 && d[0] === rest)) return undefined
  if (last >= d.length || (rest === 0 && last === d.length - 1)) return value
  scratch[0] = 0
  for (let at = 0; at <= last; at += 1) scratch[at + 1] = wordOf(d, at)
  scratch[last + 1] = wordOf(d, last) - rest
  if (rounding === 0 || rounding === (s < 0 ? 3 : 2)) increase(last + 1, unit)
  return ofScratch(s, top + 1, last + 2, make)
}

/** Adds a unit of a word of `scratch`; the first word takes the carry. */
function increase(last: number, unit: number): void {
  let [at, sum] = [last, (scratch[last] ?? 0) + unit]
  while (sum >= WORD) {
    scratch[at] = sum - WORD
    at -= 1
    sum = (scratch[at] ?? 0) + 1
  }
  scratch[at] = sum
}

/** The nearest double, if the digits and the power of ten are exact doubles. */
function doubleOf({ s, e, d }: Decimal): number | undefined {
  if ((d as number[] | null) === null || d.length > 3) return undefined
  const power = (wordAt(e) - d.length + 1) * WORD_DIGITS
  let integer = 0
  for (const word of d) integer = integer * WORD + word
  const factor = EXACT_POWERS[Math.abs(power)]
  if (factor === undefined || integer > Number.MAX_SAFE_INTEGER || integer === 0) return undefined
  return s * (power < 0 ? integer / factor : integer * factor)
}

/** A safe integer in words, the highest first; none for zero. By `| 0` they are small integers to the engine, too. */
export function wordsOf(whole: number): number[] {
  if (whole === 0) return []
  if (whole < WORD) return [whole | 0]
  const high = Math.floor(whole / WORD)
  const low = whole - high * WORD
  return high < WORD ? [high | 0, low | 0] : [(high / WORD) | 0, (high % WORD) | 0, low | 0]
}

export function digitsOf(integer: number): number {
  let digits = 1
  for (let power = 10; power <= integer; power *= 10) digits += 1
  return digits
}
