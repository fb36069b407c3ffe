/** Bytes read from their beginning: the other side of `ByteWriter`. */
import { MAX_VARINT_BYTES, MAX_WIDE_BYTES } from './byte-writer.ts'

/** Corrupt bytes. The caller adds the name of the block. */
export class BlockFault extends Error {
  override readonly name = 'BlockFault'
}

export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Bytes that were not read. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** @throws {BlockFault} as the others do: at the end of the bytes */
  byte(): number {
    return this.#view.getUint8(this.#take(1))
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true)
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }

  /** A view of the next bytes. */
  raw(count: number): Uint8Array {
    const at = this.#take(count)
    return this.#bytes.subarray(at, at + count)
  }

  /** Reads `count` varints. */
  varints(into: Uint32Array, count: number): void {
    const bytes = this.#bytes
    let at = this.#at
    // Beyond the end the fast loop would read zeros, so the last values are read with bounds checks.
    const safe = bytes.length - MAX_VARINT_BYTES
    let row = 0
    for (; row < count && at <= safe; row += 1) {
      const byte = bytes[at] ?? 0
      const next = bytes[at + 1] ?? 0
      if (byte <= 0x7f) {
        at += 1
        into[row] = byte
      } else if (next <= 0x7f) {
        at += 2
        into[row] = (byte & 0x7f) | (next << 7)
      } else {
        this.#at = at
        into[row] = this.#carefulVarint()
        at = this.#at
      }
    }
    this.#at = at
    for (; row < count; row += 1) into[row] = this.#carefulVarint()
  }

  /** Reads `count` varints of up to 2^53 - 1. */
  wideVarints(into: Float64Array, count: number): void {
    const bytes = this.#bytes
    let at = this.#at
    const safe = bytes.length - MAX_WIDE_BYTES
    let row = 0
    for (; row < count && at <= safe; row += 1) {
      const byte = bytes[at] ?? 0
      const second = bytes[at + 1] ?? 0
      const third = bytes[at + 2] ?? 0
      if (byte <= 0x7f) {
        at += 1
        into[row] = byte
      } else if (second <= 0x7f) {
        at += 2
        into[row] = (byte & 0x7f) | (second << 7)
      } else if (third <= 0x7f) {
        at += 3
        into[row] = (byte & 0x7f) | ((second & 0x7f) << 7) | (third << 14)
      } else {
        this.#at = at
        into[row] = this.#carefulWide()
        at = this.#at
      }
    }
    this.#at = at
    for (; row < count; row += 1) into[row] = this.#carefulWide()
  }

  /** @throws {BlockFault} when bytes are left */
  end(): void {
    if (this.left > 0) throw new BlockFault(`${this.left} bytes are left`)
  }

  /** Reads a varint of any length with bounds checks. */
  #carefulVarint(): number {
    let value = 0
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.byte()
      if (shift === 28 && byte > 0x0f) break
      value |= (byte & 0x7f) << shift
      if (byte <= 0x7f) return value >>> 0
    }
    throw new BlockFault('a number is too long')
  }

  #carefulWide(): number {
    let value = 0
    let factor = 1
    for (let byte = 0; byte < MAX_WIDE_BYTES; byte += 1) {
      const bits = this.byte()
      value += (bits & 0x7f) * factor
      if (bits <= 0x7f && value <= Number.MAX_SAFE_INTEGER) return value
      factor *= 0x80
    }
    throw new BlockFault('a number is too long')
  }

  #take(count: number): number {
    const at = this.#at
    if (at + count > this.#bytes.length) throw new BlockFault('it ends too early')
    this.#at = at + count
    return at
  }
}
