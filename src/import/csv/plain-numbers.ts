/**
 * Integers and decimals read straight from bytes, when they are plain: ASCII digits and at most one point.
 *
 * Every reader assumes that the bytes end with something that is no digit, such as a line feed.
 */
import { DIGIT_0, DIGIT_9, POINT } from '../../domain/ascii.ts'
import { MAX_PRECISION } from '../../domain/market.ts'

/** Not plain, or beyond 2^53 - 1: to be read another way. */
export const UNUSUAL = -1

/** The most digits whose value is sure to fit 31 bits, where arithmetic is fastest. */
const SMALL_DIGITS = 9
const SMALL_SCALE = 1e9
/** Maximum of digits that a double always represents exactly. */
const EXACT_DIGITS = 15
/** The most digits of a safe integer. */
const MAX_DIGITS = 16

const SCALES = Float64Array.from({ length: MAX_PRECISION + 1 }, (_, exponent) => Number(`1e${exponent}`))

/** Number reader, one look per digit for at most 15 digits; it also stores details of the last number. */
export class PlainNumbers {
  /** End of the last number: the index after its last byte. */
  end = 0
  /** Its decimal digits, without trailing zeros. */
  decimals = 0
  /** True when any of the digits that were cut off was not zero. */
  hasCut = false

  /**
   * An integer without leading zeros.
   *
   * @param cutDigits  that many digits at the end do not count
   */
  integer(bytes: Uint8Array, start: number, cutDigits: number): number {
    if (cutDigits > 0) return this.#longInteger(bytes, start, cutDigits)
    const value = this.#digits(bytes, start, 0)
    const count = this.end - start
    if (count > EXACT_DIGITS) return this.#longInteger(bytes, start, 0)
    this.hasCut = false
    return count === 0 || (bytes[start] === DIGIT_0 && count > 1) ? UNUSUAL : value
  }

  /** The digits without the point: the value x 10^`decimals`. */
  decimal(bytes: Uint8Array, start: number): number {
    const whole = this.#digits(bytes, start, 0)
    const point = this.end
    if (point === start) return UNUSUAL
    this.decimals = 0
    if (bytes[point] !== POINT) return point - start > EXACT_DIGITS ? this.#longDecimal(bytes, start) : whole
    const first = point + 1
    const value = this.#digits(bytes, first, whole)
    const { end } = this
    if (end - 1 - start > EXACT_DIGITS) return this.#longDecimal(bytes, start)
    let last = end
    while (last > first && bytes[last - 1] === DIGIT_0) last -= 1
    this.decimals = last - first
    if (end === first || this.decimals > MAX_PRECISION) return UNUSUAL
    // Exact, because only zeros are cut off.
    return last === end ? value : value / (SCALES[end - last] ?? powerOf(end - last))
  }

  /** Appends the digits from `start` on to `before`; sets `end`. Exact up to EXACT_DIGITS in all. */
  #digits(bytes: Uint8Array, start: number, before: number): number {
    let value = before
    let at = start
    let digit = (bytes[at] ?? 0) - DIGIT_0
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      at += 1
      digit = (bytes[at] ?? 0) - DIGIT_0
    }
    this.end = at
    return value
  }

  #longInteger(bytes: Uint8Array, start: number, cutDigits: number): number {
    this.end = endOfDigits(bytes, start)
    const end = this.end - cutDigits
    if (end <= start || (bytes[start] === DIGIT_0 && this.end > start + 1)) return UNUSUAL
    this.hasCut = cutDigits > 0 && endOfZeros(bytes, end) < this.end
    return integer(bytes, start, end)
  }

  #longDecimal(bytes: Uint8Array, start: number): number {
    const point = endOfDigits(bytes, start)
    const whole = integer(bytes, start, point)
    this.decimals = 0
    this.end = point
    if (point === start || whole === UNUSUAL) return UNUSUAL
    if (bytes[point] !== POINT) return whole
    const first = point + 1
    this.end = endOfDigits(bytes, first)
    if (this.end === first) return UNUSUAL
    return this.#withFraction(bytes, whole, first)
  }

  #withFraction(bytes: Uint8Array, whole: number, first: number): number {
    let last = this.end
    while (last > first && bytes[last - 1] === DIGIT_0) last -= 1
    const scale = SCALES[last - first]
    if (scale === undefined) return UNUSUAL
    this.decimals = last - first
    // Exact, for each part is an integer, and a sum that is beyond 2^53 never rounds to one below it.
    const value = whole * scale + integer(bytes, first, last)
    return value > Number.MAX_SAFE_INTEGER ? UNUSUAL : value
  }
}

const powerOf = (exponent: number): number => Number(`1e${exponent}`)

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  let byte = bytes[at] ?? 0
  while (byte >= DIGIT_0 && byte <= DIGIT_9) {
    at += 1
    byte = bytes[at] ?? 0
  }
  return at
}

function endOfZeros(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] === DIGIT_0) at += 1
  return at
}

/** The value of the digits in [start, end); 0 for none. */
function integer(bytes: Uint8Array, start: number, end: number): number {
  const digits = end - start
  if (digits <= SMALL_DIGITS) return smallInteger(bytes, start, end)
  if (digits > MAX_DIGITS) return UNUSUAL
  const middle = end - SMALL_DIGITS
  const value = smallInteger(bytes, start, middle) * SMALL_SCALE + smallInteger(bytes, middle, end)
  return value > Number.MAX_SAFE_INTEGER ? UNUSUAL : value
}

function smallInteger(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at += 1) value = (value * 10 + (bytes[at] ?? 0) - DIGIT_0) | 0
  return value
}
