/**
 * The rows of a depth block as three streams of varints: frames, prices, lots.
 *
 * A frame has four numbers: milliseconds since the previous one, flags including the signs of its first prices, and its
 * rows per side. Prices and lots are in units of the greatest common divisor of the block, because a market may move by
 * more than its smallest unit, and one odd row elsewhere may have needed more decimals than all others.
 */
import { invariant } from '../../../domain/errors.ts'
import { ASK, BID, FRAME_END, frameEnd, GAP, SNAPSHOT, type DepthBlock } from '../../../tape/depth-block.ts'
import { greatestDivisor } from '../../../domain/greatest-divisor.ts'
import { BlockFault, type ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

const NUMBERS = 4
/** Flags in the second number, besides SNAPSHOT and GAP: the first bid, or ask, is below that of the previous frame. */
const BID_BELOW = 8
const ASK_BELOW = 16
const BEGINS = SNAPSHOT | GAP
const MAX_BEGINS = BEGINS | BID_BELOW | ASK_BELOW

/** Room for the numbers of a block, used again for the next. */
export class FrameStreams {
  #frames = new Float64Array(0)
  #prices = new Float64Array(0)

  write(given: DepthBlock, out: ByteWriter): void {
    const units = Float64Array.of(unitOf(given.price, given.length), unitOf(given.qty, given.length))
    const [priceUnit = 1, qtyUnit = 1] = units
    const block = { ...given, price: divided(given.price, priceUnit), qty: divided(given.qty, qtyUnit) }
    const { length, time, qty } = block
    this.#reserve(length)
    const frames = this.#frames
    const first = { bid: 0, ask: 0 }
    let count = 0
    let before = time[0] ?? 0
    for (let start = 0; start < length;) {
      const end = frameEnd(block, start)
      const now = time[start] ?? 0
      const middle = this.#checkedFrame(block, start, end)
      const begins = (block.flags[start] ?? 0) & BEGINS
      const below = this.#writePrices(block.price, start, middle, end, first)
      invariant(now >= before, 'a block never goes back in time')
      frames.set([now - before, begins | below, middle - start, end - middle], count * NUMBERS)
      before = now
      count += 1
      start = end
    }
    out.uint32(count)
    out.double(time[0] ?? 0)
    out.wideVarints(units, units.length)
    out.wideVarints(frames, count * NUMBERS)
    out.wideVarints(this.#prices, length)
    out.wideVarints(qty, length)
  }

  /**
   * @param length  rows
   * @throws {BlockFault} for bytes that were not written here
   */
  read(source: ByteReader, length: number): DepthBlock {
    const count = source.uint32()
    if (count < 1 || count > length) throw new BlockFault(`it has ${count} frames of ${length} rows`)
    const first = source.double()
    if (!Number.isSafeInteger(first)) throw new BlockFault('a time is no safe integer')
    // A byte of a number at least, so that a damaged length asks for no memory.
    if (count * NUMBERS + 2 * length > source.left) throw new BlockFault('it ends too early')
    const units = new Float64Array(2)
    source.wideVarints(units, units.length)
    this.#reserve(count)
    source.wideVarints(this.#frames, count * NUMBERS)
    const block = {
      length,
      time: new Float64Array(length),
      flags: new Uint8Array(length),
      side: new Uint8Array(length),
      price: new Float64Array(length),
      qty: new Float64Array(length),
    }
    source.wideVarints(block.price, length)
    source.wideVarints(block.qty, length)
    this.#readFrames(block, count, first)
    multiply(block.price, units[0] ?? 0)
    multiply(block.qty, units[1] ?? 0)
    return block
  }

  /** First row of its asks. */
  #checkedFrame({ flags, side, time, price }: DepthBlock, start: number, end: number): number {
    let middle = start
    while (middle < end && side[middle] === BID) middle += 1
    let isSound = flags[end - 1] === ((flags[end - 1] ?? 0) | FRAME_END)
    for (let row = start + 1; row < end; row += 1) {
      const step = (price[row] ?? 0) - (price[row - 1] ?? 0)
      if (row < middle ? step >= 0 : row > middle && step <= 0) isSound = false
      if (row >= middle && side[row] !== ASK) isSound = false
      if (time[row] !== time[start] || ((flags[row] ?? 0) & BEGINS) !== 0) isSound = false
    }
    invariant(isSound, 'a frame has one time, and its rows from the best outward')
    return middle
  }

  /** @returns which of its sides begin below those of the frame before */
  #writePrices(
    price: Float64Array,
    start: number,
    middle: number,
    end: number,
    first: { bid: number; ask: number },
  ): number {
    const prices = this.#prices
    for (let row = start + 1; row < end; row += 1) {
      prices[row] = Math.abs((price[row] ?? 0) - (price[row - 1] ?? 0)) - 1
    }
    let below = 0
    if (middle > start) {
      const step = (price[start] ?? 0) - first.bid
      prices[start] = Math.abs(step)
      if (step < 0) below |= BID_BELOW
      first.bid += step
    }
    if (end > middle) {
      const step = (price[middle] ?? 0) - first.ask
      prices[middle] = Math.abs(step)
      if (step < 0) below |= ASK_BELOW
      first.ask += step
    }
    return below
  }

  /** Makes prices of the steps between them, and fills in what a frame has in common. */
  #readFrames(block: DepthBlock, count: number, firstTime: number): void {
    const { length, time, flags } = block
    const frames = this.#frames
    const first = { bid: 0, ask: 0 }
    let [row, now] = [0, firstTime]
    for (let frame = 0; frame < count; frame += 1) {
      const at = frame * NUMBERS
      now += frames[at] ?? 0
      const begins = frames[at + 1] ?? 0
      const middle = row + (frames[at + 2] ?? 0)
      const end = middle + (frames[at + 3] ?? 0)
      if (end > length || end === row || begins > MAX_BEGINS || (begins & ~MAX_BEGINS) !== 0) {
        throw new BlockFault('a frame is none')
      }
      flags[row] = begins & BEGINS
      flags[end - 1] = (flags[end - 1] ?? 0) | FRAME_END
      for (let each = row; each < end; each += 1) time[each] = now
      readPrices(block, { row, middle, end }, begins, first)
      row = end
    }
    if (row !== length || !Number.isSafeInteger(now)) throw new BlockFault('a row has no time')
  }

  #reserve(rows: number): void {
    if (this.#prices.length >= rows) return
    this.#prices = new Float64Array(rows)
    this.#frames = new Float64Array(rows * NUMBERS)
  }
}

/** Greatest common divisor of the first values; 1 if all are 0. */
function unitOf(values: Float64Array, length: number): number {
  let unit = 0
  for (let row = 0; row < length && unit !== 1; row += 1) unit = greatestDivisor(values[row] ?? 0, unit)
  return Math.max(1, unit)
}

const divided = (values: Float64Array, unit: number): Float64Array =>
  unit === 1 ? values : values.map((value) => value / unit)

function multiply(values: Float64Array, unit: number): void {
  if (unit === 1) return
  let largest = 0
  for (let row = 0; row < values.length; row += 1) {
    const value = (values[row] ?? 0) * unit
    values[row] = value
    if (value > largest) largest = value
  }
  if (unit === 0 || largest > Number.MAX_SAFE_INTEGER) throw new BlockFault('a value is no safe integer')
}

/** Rows of a frame: its bids, and from `middle` on its asks. */
interface FrameRows {
  readonly row: number
  readonly middle: number
  readonly end: number
}

/** Makes prices of the steps between them. @param first  of the sides of the frame before */
function readPrices(
  { side, price }: DepthBlock,
  { row, middle, end }: FrameRows,
  begins: number,
  first: { bid: number; ask: number },
): void {
  if (middle > row) {
    const step = price[row] ?? 0
    first.bid += (begins & BID_BELOW) === 0 ? step : -step
    if (!isPrice(first.bid) || lowered(price, row, middle, first.bid) < 1) throw new BlockFault('a bid is no price')
  }
  if (end > middle) {
    const step = price[middle] ?? 0
    first.ask += (begins & ASK_BELOW) === 0 ? step : -step
    side.fill(ASK, middle, end)
    if (!isPrice(first.ask) || !isPrice(raised(price, middle, end, first.ask))) {
      throw new BlockFault('an ask is no price')
    }
  }
}

const isPrice = (price: number): boolean => price >= 1 && price <= Number.MAX_SAFE_INTEGER

/** Prices that fall from a first one, of the steps between them; the last of them. */
function lowered(price: Float64Array, start: number, end: number, first: number): number {
  let before = first
  price[start] = first
  for (let row = start + 1; row < end; row += 1) {
    before -= (price[row] ?? 0) + 1
    price[row] = before
  }
  return before
}

/** The same of prices that rise. */
function raised(price: Float64Array, start: number, end: number, first: number): number {
  let before = first
  price[start] = first
  for (let row = start + 1; row < end; row += 1) {
    before += (price[row] ?? 0) + 1
    price[row] = before
  }
  return before
}
