/**
 * Columns of small integers in few bits: groups of 128 values, each in as many bits as its largest takes, as in
 * frame-of-reference packing.
 *
 * @see Lemire and Boytsov (2015), Decoding billions of integers per second through vectorization
 */
import { invariant } from '../../domain/errors.ts'

const GROUP = 128
const MAX_BITS = 32
/** A value is packed as its lowest 24 bits and the rest, so that each part fits the integers of bit operations. */
const LOW = 2 ** 24

/** Appends the bytes of a column. @param values  integers from 0 to 2^53 - 1 */
export function packIntegers(values: Float64Array, out: number[]): void {
  invariant(
    values.every((value) => value >= 0 && Number.isSafeInteger(value)),
    'packed integers are from 0 to 2^53 - 1',
  )
  for (let from = 0; from < values.length; from += GROUP) {
    const group = values.subarray(from, from + GROUP)
    packGroup(
      group.map((value) => value % LOW),
      out,
    )
    packGroup(
      group.map((value) => Math.floor(value / LOW)),
      out,
    )
  }
}

function packGroup(values: Float64Array, out: number[]): void {
  const bits = 32 - Math.clz32(values.reduce((most, value) => Math.max(most, value), 0))
  out.push(bits)
  let [byte, used] = [0, 0]
  for (const value of values) {
    for (let bit = 0; bit < bits;) {
      const taken = Math.min(8 - used, bits - bit)
      byte |= ((value >>> bit) & ((1 << taken) - 1)) << used
      bit += taken
      used += taken
      if (used < 8) continue
      out.push(byte)
      byte = 0
      used = 0
    }
  }
  if (used > 0) out.push(byte)
}

/** Reads columns of one length, one after the other, from where they begin. */
export class PackedIntegers {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes
    this.#at = from
  }

  /** Skips a column. @returns false if the bytes are not of one */
  skip(length: number): boolean {
    for (let from = 0; from < length; from += GROUP) {
      for (let part = 0; part < 2; part += 1) {
        const bits = this.#bytes[this.#at] ?? MAX_BITS + 1
        if (bits > MAX_BITS) return false
        this.#at += 1 + Math.ceil((Math.min(GROUP, length - from) * bits) / 8)
      }
    }
    return this.#at <= this.#bytes.length
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  column(length: number): Float64Array {
    const values = new Float64Array(length)
    for (let from = 0; from < length; from += GROUP) {
      const group = values.subarray(from, from + GROUP)
      this.#addGroup(group, 1)
      this.#addGroup(group, LOW)
    }
    return values
  }

  #addGroup(values: Float64Array, unit: number): void {
    const bits = this.#bytes[this.#at] ?? 0
    this.#at += 1
    let used = 0
    for (let index = 0; index < values.length; index += 1) {
      let value = 0
      for (let bit = 0; bit < bits;) {
        const taken = Math.min(8 - used, bits - bit)
        value |= (((this.#bytes[this.#at] ?? 0) >>> used) & ((1 << taken) - 1)) << bit
        bit += taken
        used += taken
        if (used < 8) continue
        this.#at += 1
        used = 0
      }
      values[index] = (values[index] ?? 0) + (value >>> 0) * unit
    }
    if (used > 0) this.#at += 1
  }
}
