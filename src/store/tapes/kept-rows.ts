/**
 * The rows of a file as a first pass found them, kept in memory so that nothing has to be read and parsed again.
 *
 * Plain data over shared memory: it can be given to another thread without a copy. Columns of integers lie as differences from their
 * least value, in 32 bits where those fit: 17 bytes a trade. Invariant: what is given out are the same integers that a second
 * reading of the same bytes would give.
 */
import { invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { isCandleBlock, type CandleBlock, type RecordedBlock, type TapeBlock } from '../../tape/tape.ts'
import type { TapePrecisions } from '../tape-precisions.ts'

/** The value of a row is `base` + its entry. */
export interface KeptColumn {
  readonly base: number
  readonly values: Int32Array | Float64Array
}

/** Rows in the precisions that the file had shown by their end. */
export interface KeptBlock extends TapePrecisions {
  readonly length: number
  /** As the file has it. */
  readonly time: KeptColumn
  /** One of trades; open, high, low and close of candles. */
  readonly prices: readonly KeptColumn[]
  /** Quantities or volumes. */
  readonly qty: KeptColumn
  /** Undefined for candles. */
  readonly side: Uint8Array | undefined
  readonly isDoubtful: Uint8Array | undefined
  readonly ids: KeptColumn | readonly string[] | undefined
}

export interface KeptRows {
  readonly blocks: readonly KeptBlock[]
  /** Units in the precisions of the whole file. */
  readonly largestPrice: number
  readonly largestQty: number
}

/** Room for the rows of all tapes of a run. */
export interface KeptRoom {
  bytes: number
}

/** 15 million trades. Tapes that need more are read again from their files. */
export const MOST_KEPT_BYTES = 256 * 1024 * 1024

/** An id as text, with the line that it was cut out of. */
const TEXT_ID_BYTES = 200
/** Of the file, before it is guessed whether its rows will find room. */
const BYTES_THAT_TELL = 4 * 1024 * 1024
const INT32_MAX = 0x7fff_ffff

const scaleOf = (exponent: number): number => Number(powerOfTen(exponent))

/** Takes the blocks of a first pass, as long as there is room. */
export class RowKeeper {
  readonly #room: KeptRoom
  #blocks: KeptBlock[] | undefined = []
  #bytes = 0

  /** @param room  what is kept is taken from it */
  constructor(room: KeptRoom) {
    this.#room = room
  }

  /**
   * Copies a block, or gives up once the file is sure not to fit.
   *
   * @param share  part of the file that has been read, above 0 and up to 1
   */
  add(block: RecordedBlock, precisions: TapePrecisions, bytesRead: number, share: number): void {
    if (this.#blocks === undefined) return
    const kept = keptBlock(block, precisions)
    this.#blocks.push(kept)
    this.#bytes += bytesOf(kept)
    const expected = bytesRead < BYTES_THAT_TELL ? this.#bytes : this.#bytes / share / 2
    if (Math.max(this.#bytes, expected) > this.#room.bytes) this.#blocks = undefined
  }

  /** What was kept, whose room is now taken; undefined when there was too little. */
  finish(largestPrice: number, largestQty: number): KeptRows | undefined {
    if (this.#blocks === undefined) return undefined
    this.#room.bytes -= this.#bytes
    return { blocks: this.#blocks, largestPrice, largestQty }
  }
}

function keptBlock(block: RecordedBlock, { pricePrecision, qtyPrecision }: TapePrecisions): KeptBlock {
  const { length } = block
  const column = (values: Float64Array): KeptColumn => keptColumn(values, length)
  const shared = { length, pricePrecision, qtyPrecision, time: column(block.time) }
  if (isCandleBlock(block)) {
    const prices = [column(block.open), column(block.high), column(block.low), column(block.close)]
    return { ...shared, prices, qty: column(block.volume), side: undefined, isDoubtful: undefined, ids: undefined }
  }
  const { price, qty, side, isDoubtful, ids } = block
  return {
    ...shared,
    prices: [column(price)],
    qty: column(qty),
    side: keptBytes(side, length),
    isDoubtful: isDoubtful && keptBytes(isDoubtful, length),
    ids: ids instanceof Float64Array ? column(ids) : ids?.slice(0, length),
  }
}

/** @param values  safe integers */
function keptColumn(values: Float64Array, length: number): KeptColumn {
  let least = values[0] ?? 0
  let largest = least
  for (let row = 1; row < length; row += 1) {
    const value = values[row] ?? 0
    if (value < least) least = value
    else if (value > largest) largest = value
  }
  // A difference of safe integers that is below 2^31 is exact.
  if (largest - least > INT32_MAX) {
    const copy = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT))
    copy.set(values.subarray(0, length))
    return { base: 0, values: copy }
  }
  const differences = new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
  for (let row = 0; row < length; row += 1) differences[row] = (values[row] ?? 0) - least
  return { base: least, values: differences }
}

function keptBytes(values: Uint8Array, length: number): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(length))
  copy.set(values.subarray(0, length))
  return copy
}

function bytesOf({ time, prices, qty, side, isDoubtful, ids }: KeptBlock): number {
  const columns = [time, ...prices, qty, ...(ids !== undefined && 'base' in ids ? [ids] : [])]
  const numbers = columns.reduce((bytes, { values }) => bytes + values.byteLength, 0)
  const texts = ids === undefined || 'base' in ids ? 0 : ids.length * TEXT_ID_BYTES
  return numbers + texts + (side?.byteLength ?? 0) + (isDoubtful?.byteLength ?? 0)
}

/** False when a value would have too many units in these precisions, which are at least those of the file. */
export function fitsPrecisions(kept: KeptRows, of: TapePrecisions, wanted: TapePrecisions): boolean {
  const price = kept.largestPrice * scaleOf(wanted.pricePrecision - of.pricePrecision)
  const qty = kept.largestQty * scaleOf(wanted.qtyPrecision - of.qtyPrecision)
  return Math.max(price, qty) <= Number.MAX_SAFE_INTEGER
}

/**
 * The rows of a block, in columns of its own.
 *
 * @param wanted   precisions, at least those of the block
 * @param shiftMs  added to every time
 */
export function givenBlock(kept: KeptBlock, wanted: TapePrecisions, shiftMs: number): RecordedBlock {
  const priceScale = scaleOf(wanted.pricePrecision - kept.pricePrecision)
  const { length, side, isDoubtful, ids, prices } = kept
  const [price, high, low, close] = prices.map((column) => givenColumn(column, priceScale, 0))
  const time = givenColumn(kept.time, 1, shiftMs)
  const qty = givenColumn(kept.qty, scaleOf(wanted.qtyPrecision - kept.qtyPrecision), 0)
  invariant(price !== undefined, 'rows have a price')
  if (side === undefined) {
    invariant(high !== undefined && low !== undefined && close !== undefined, 'candles have four prices')
    return { length, time, open: price, high, low, close, volume: qty } satisfies CandleBlock
  }
  return {
    length,
    time,
    price,
    qty,
    side,
    ...(isDoubtful === undefined ? {} : { isDoubtful }),
    ids: ids !== undefined && 'base' in ids ? givenColumn(ids, 1, 0) : ids,
  } satisfies TapeBlock
}

function givenColumn({ base, values }: KeptColumn, scale: number, shift: number): Float64Array {
  const given = new Float64Array(values.length)
  const first = base * scale + shift
  for (let row = 0; row < given.length; row += 1) given[row] = (values[row] ?? 0) * scale + first
  return given
}
