/**
 * Writes JSON byte by byte, for responses with many thousands of numbers.
 *
 * Invariant: never writes more than was reserved.
 */
import { DIGIT_0, POINT } from '../domain/ascii.ts'
import { formatUnits } from '../domain/fixed-point.ts'

const MAX_SMALL = 0x7fff_ffff

/** Text that JSON does not escape. */
const PLAIN = /^[\w-]*$/

export class TextWriter {
  #bytes: Buffer
  #length = 0

  /** @param bytes  as many as are expected */
  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafe(bytes)
  }

  /** Everything so far, until it is cleared. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  /** Ensures capacity. Writers must call it first. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }

  ascii(text: string): void {
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index += 1, at += 1) bytes[at] = text.charCodeAt(index)
    this.#length = at
  }

  /** A JSON string; reserves what it needs. */
  json(text: string): void {
    if (!PLAIN.test(text)) {
      const bytes = Buffer.from(JSON.stringify(text))
      this.reserve(bytes.length)
      this.bytes(bytes)
      return
    }
    this.reserve(text.length + 2)
    this.ascii('"')
    this.ascii(text)
    this.ascii('"')
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Like `formatUnits`. */
  units(units: number | bigint, decimals: number): void {
    if (typeof units === 'bigint' || !Number.isSafeInteger(units) || units < 0) {
      this.ascii(formatUnits(units, decimals))
      return
    }
    const bytes = this.#bytes
    const end = this.#length + Math.max(digitsOf(units), decimals + 1) + (decimals === 0 ? 0 : 1)
    const point = decimals === 0 ? end : end - decimals - 1
    let at = end - 1
    let rest = units
    // Decimal digits first. Dividing a small integer is several times as fast as a double.
    for (; rest > MAX_SMALL; at -= 1) {
      if (at === point) at -= 1
      const left = Math.floor(rest / 10)
      bytes[at] = DIGIT_0 + (rest - left * 10)
      rest = left
    }
    for (let small = rest | 0; at >= this.#length; at -= 1) {
      if (at === point) continue
      const left = (small / 10) | 0
      bytes[at] = DIGIT_0 + (small - left * 10)
      small = left
    }
    if (point < end) bytes[point] = POINT
    this.#length = end
  }

  /** Like `formatTrimmed`. */
  trimmed(units: number | bigint, decimals: number): void {
    this.units(units <= MAX_EXACT && units >= 0 ? Number(units) : units, decimals)
    if (decimals === 0) return
    while (this.#bytes[this.#length - 1] === DIGIT_0) this.#length -= 1
    if (this.#bytes[this.#length - 1] === POINT) this.#length -= 1
  }
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

function digitsOf(integer: number): number {
  let digits = 1
  for (let bound = 10; integer >= bound; bound *= 10) digits += 1
  return digits
}
