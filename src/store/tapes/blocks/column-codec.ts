/**
 * Encodes a column of integers losslessly, in the shortest of a few forms.
 *
 * Small differences are written as varints, which fits almost all columns: times that rise, prices that move by ticks,
 * quantities that are similar. Any other column is written as doubles.
 */
import { BlockFault, type ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** The first value and one step, which is the same from row to row: ids without a hole, candles without a gap. */
const STEADY = 0
/** The first value, then differences from row to row that are not negative. */
const RISING = 1
/** The first value, then differences either way: 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
const MOVING = 2
/** The least value, then what each is above it. */
const ABOVE = 3
/** Doubles. */
const PLAIN = 4

const MAX_UNSIGNED = 0xffff_ffff
const MAX_SIGNED = 0x7fff_ffff

/** Room for the differences of a block, used again for the next. */
export class ColumnCodec {
  readonly #room: Uint32Array

  /** @param mostRows  of a block */
  constructor(mostRows: number) {
    this.#room = new Uint32Array(mostRows)
  }

  /**
   * Writes the first `length` values.
   *
   * @param values  safe integers
   */
  write(values: Float64Array, length: number, out: ByteWriter): void {
    const form = formOf(values, length)
    out.byte(form)
    switch (form) {
      case STEADY:
        out.double(values[0] ?? 0)
        out.double(length > 1 ? (values[1] ?? 0) - (values[0] ?? 0) : 0)
        return
      case RISING:
        this.#writeRising(values, length, out)
        return
      case MOVING:
        this.#writeMoving(values, length, out)
        return
      case ABOVE:
        this.#writeAbove(values, length, out)
        return
      default:
        for (let row = 0; row < length; row += 1) out.double(values[row] ?? 0)
    }
  }

  /**
   * Reads `length` values.
   *
   * @throws {BlockFault} for bytes that were not written here, and for a value that is no safe integer
   */
  read(source: ByteReader, length: number, into: Float64Array): void {
    const form = source.byte()
    switch (form) {
      case STEADY:
        readSteady(source, length, into)
        break
      case RISING:
        this.#readRising(source, length, into)
        break
      case MOVING:
        this.#readMoving(source, length, into)
        break
      case ABOVE:
        this.#readAbove(source, length, into)
        break
      case PLAIN:
        for (let row = 0; row < length; row += 1) into[row] = safeInteger(source.double())
        break
      default:
        throw new BlockFault(`a column has the unknown form ${form}`)
    }
  }

  #writeRising(values: Float64Array, length: number, out: ByteWriter): void {
    const room = this.#room
    let before = values[0] ?? 0
    out.double(before)
    for (let row = 1; row < length; row += 1) {
      const value = values[row] ?? 0
      room[row - 1] = value - before
      before = value
    }
    out.varints(room, Math.max(0, length - 1))
  }

  #writeMoving(values: Float64Array, length: number, out: ByteWriter): void {
    const room = this.#room
    let before = values[0] ?? 0
    out.double(before)
    for (let row = 1; row < length; row += 1) {
      const value = values[row] ?? 0
      const difference = value - before
      room[row - 1] = difference < 0 ? -2 * difference - 1 : 2 * difference
      before = value
    }
    out.varints(room, Math.max(0, length - 1))
  }

  #writeAbove(values: Float64Array, length: number, out: ByteWriter): void {
    const room = this.#room
    const least = leastOf(values, length)
    out.double(least)
    for (let row = 0; row < length; row += 1) room[row] = (values[row] ?? 0) - least
    out.varints(room, length)
  }

  #readRising(source: ByteReader, length: number, into: Float64Array): void {
    const room = this.#room
    let value = safeInteger(source.double())
    source.varints(room, Math.max(0, length - 1))
    into[0] = value
    for (let row = 1; row < length; row += 1) {
      value += room[row - 1] ?? 0
      into[row] = value
    }
    safeInteger(value)
  }

  #readMoving(source: ByteReader, length: number, into: Float64Array): void {
    const room = this.#room
    let value = safeInteger(source.double())
    let least = value
    let largest = value
    source.varints(room, Math.max(0, length - 1))
    into[0] = value
    for (let row = 1; row < length; row += 1) {
      const moved = room[row - 1] ?? 0
      value += (moved & 1) === 0 ? moved >>> 1 : -(moved >>> 1) - 1
      if (value < least) least = value
      else if (value > largest) largest = value
      into[row] = value
    }
    safeInteger(least)
    safeInteger(largest)
  }

  #readAbove(source: ByteReader, length: number, into: Float64Array): void {
    const room = this.#room
    const least = safeInteger(source.double())
    source.varints(room, length)
    let largest = least
    for (let row = 0; row < length; row += 1) {
      const value = least + (room[row] ?? 0)
      if (value > largest) largest = value
      into[row] = value
    }
    safeInteger(largest)
  }
}

function readSteady(source: ByteReader, length: number, into: Float64Array): void {
  const first = safeInteger(source.double())
  const step = safeInteger(source.double())
  safeInteger(first + step * Math.max(0, length - 1))
  for (let row = 0; row < length; row += 1) into[row] = first + step * row
}

function safeInteger(value: number): number {
  if (!Number.isSafeInteger(value)) throw new BlockFault('a value is no safe integer')
  return value
}

/** The form that takes the fewest bytes; of equals the first. */
function formOf(values: Float64Array, length: number): number {
  let before = values[0] ?? 0
  const step = length > 1 ? (values[1] ?? 0) - before : 0
  const least = leastOf(values, length)
  let isSteady = Number.isSafeInteger(step)
  let rises = 0
  let moves = 0
  let above = varintBytes(before - least)
  for (let row = 1; row < length; row += 1) {
    const value = values[row] ?? 0
    const difference = value - before
    if (difference !== step) isSteady = false
    rises += difference < 0 || difference > MAX_UNSIGNED ? Number.POSITIVE_INFINITY : varintBytes(difference)
    const size = Math.abs(difference)
    moves += size > MAX_SIGNED ? Number.POSITIVE_INFINITY : varintBytes(2 * size)
    above += varintBytes(value - least)
    before = value
  }
  if (isSteady) return STEADY
  const bytes = Math.min(rises, moves, above, 8 * length)
  if (bytes === rises) return RISING
  if (bytes === moves) return MOVING
  return bytes === above ? ABOVE : PLAIN
}

/** Minimum of the first `length` values, at least one. */
export function leastOf(values: Float64Array, length: number): number {
  let least = values[0] ?? 0
  for (let row = 1; row < length; row += 1) {
    const value = values[row] ?? 0
    if (value < least) least = value
  }
  return least
}

/** Infinity for what no varint holds. */
function varintBytes(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x20_0000) return 3
  if (value < 0x1000_0000) return 4
  return value <= MAX_UNSIGNED ? 5 : Number.POSITIVE_INFINITY
}
