/**
 * Growing byte buffer for little-endian numbers and varints.
 *
 * A varint has 7 bits per byte, the lowest first, with the highest bit set on all bytes except the last.
 */

/** Maximum length of a varint below 2^32. */
export const MAX_VARINT_BYTES = 5
/** Maximum length of a varint up to 2^53 - 1. */
export const MAX_WIDE_BYTES = 8

export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  #length = 0

  /** @param capacity  bytes to begin with */
  constructor(capacity = 65_536) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#length
  }

  /** Copy of the bytes written. */
  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** @param value  0 to 255 */
  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length] = value
    this.#length += 1
  }

  /** @param value  0 to 2^32 - 1 */
  uint32(value: number): void {
    this.#reserve(4)
    this.#view.setUint32(this.#length, value, true)
    this.#length += 4
  }

  double(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /**
   * Varints of the first `count` values.
   *
   * @param values  0 to 2^32 - 1
   */
  varints(values: Uint32Array, count: number): void {
    this.#reserve(count * MAX_VARINT_BYTES)
    const bytes = this.#bytes
    let at = this.#length
    for (let row = 0; row < count; row += 1) {
      let value = values[row] ?? 0
      while (value > 0x7f) {
        bytes[at] = (value & 0x7f) | 0x80
        at += 1
        value >>>= 7
      }
      bytes[at] = value
      at += 1
    }
    this.#length = at
  }

  /**
   * Varints of the first `count` values.
   *
   * @param values  safe integers, >= 0
   */
  wideVarints(values: Float64Array, count: number): void {
    this.#reserve(count * MAX_WIDE_BYTES)
    const bytes = this.#bytes
    let at = this.#length
    for (let row = 0; row < count; row += 1) {
      let value = values[row] ?? 0
      while (value > 0x7f) {
        bytes[at] = (value & 0x7f) | 0x80
        at += 1
        value = Math.floor(value / 0x80)
      }
      bytes[at] = value
      at += 1
    }
    this.#length = at
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
