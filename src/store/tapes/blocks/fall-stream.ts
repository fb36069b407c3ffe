/**
 * Encodes order removals of a depth block as varints: row offset, side and kind, price difference to the one before,
 * age of the order, and lots.
 */
import { invariant } from '../../../domain/errors.ts'
import { ASK, BID, SEEN_TO_COME, TRADED, type DepthBlock, type OrderFalls } from '../../../tape/depth-block.ts'
import { BlockFault, type ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

const NUMBERS = 5
/** Flags in the second varint. */
const OF_ASK = 1
const BELOW = 2
/** And the kind of what went, so many bits on. */
const KIND_BITS = 2
const MAX_KIND = TRADED | SEEN_TO_COME
const MAX_BITS = OF_ASK | BELOW | (MAX_KIND << KIND_BITS)

/** @param block  whose frames they are of */
export function writeFalls(falls: OrderFalls, { time, length: rows }: DepthBlock, out: ByteWriter): void {
  const { length, row, side, price, since, lots } = falls
  const numbers = new Float64Array(length * NUMBERS)
  let [beforeRow, beforePrice] = [0, 0]
  for (let at = 0; at < length; at += 1) {
    const [own = 0, ticks = 0] = [row[at], price[at]]
    const age = (time[own] ?? Number.NaN) - (since[at] ?? Number.NaN)
    invariant(own >= beforeRow && own < rows && age >= 0 && (lots[at] ?? 0) > 0, 'what went of an order, in order')
    const kind = falls.kind[at] ?? 0
    const bits = (side[at] === ASK ? OF_ASK : 0) | (ticks < beforePrice ? BELOW : 0) | (kind << KIND_BITS)
    numbers.set([own - beforeRow, bits, Math.abs(ticks - beforePrice), age, lots[at] ?? 0], at * NUMBERS)
    beforeRow = own
    beforePrice = ticks
  }
  out.uint32(length)
  out.wideVarints(numbers, numbers.length)
}

const numbersOf = (
  numbers: Float64Array,
  at: number,
): readonly [rowStep: number, bits: number, priceStep: number, age: number, lots: number] => {
  const number = (which: number): number => numbers[at * NUMBERS + which] ?? 0
  return [number(0), number(1), number(2), number(3), number(4)]
}

/** @param block  whose frames they are of @throws {BlockFault} for bytes that were not written here */
export function readFalls(source: ByteReader, { time, length: rows }: DepthBlock): OrderFalls {
  const length = source.uint32()
  // A byte of a number at least, so that a damaged length asks for no memory.
  if (length * NUMBERS > source.left) throw new BlockFault('it ends too early')
  const numbers = new Float64Array(length * NUMBERS)
  source.wideVarints(numbers, numbers.length)
  const falls = {
    length,
    row: new Float64Array(length),
    side: new Uint8Array(length),
    price: new Float64Array(length),
    since: new Float64Array(length),
    lots: new Float64Array(length),
    kind: new Uint8Array(length),
  }
  let [row, price] = [0, 0]
  for (let at = 0; at < length; at += 1) {
    const [rowStep, bits, priceStep, age, lots] = numbersOf(numbers, at)
    row += rowStep
    price += (bits & BELOW) === 0 ? priceStep : -priceStep
    const since = (time[row] ?? Number.NaN) - age
    const isSound = row < rows && bits <= MAX_BITS && price >= 1 && lots >= 1
    if (!isSound || ![price, since, lots].every(Number.isSafeInteger))
      throw new BlockFault('what went of an order is none')
    falls.row[at] = row
    falls.side[at] = (bits & OF_ASK) === 0 ? BID : ASK
    falls.price[at] = price
    falls.since[at] = since
    falls.lots[at] = lots
    falls.kind[at] = bits >> KIND_BITS
  }
  return falls
}
