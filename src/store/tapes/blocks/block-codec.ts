/**
 * Encodes a block of recorded rows as bytes, column by column, and decodes it.
 *
 * Purpose: the rows of every stored tape of trades or candles. A head (kind, number of rows, decimals of prices and
 * quantities), then one column after the other, each in the shortest of a few forms of varints. Trades: times, prices,
 * quantities, sides, doubts, ids. Candles: times, opens, highs, lows, closes, volumes.
 * Invariants: decoding gives the same rows, value by value, in the precisions in which they were written. Damaged bytes
 * are a fault and never other rows.
 * Known limitation: a block is read as a whole, and its checksum is stored outside of it.
 * Complexity: linear; a compact block is a third smaller, and read at half the speed.
 * Source: own design, with LEB128 varints.
 */
import { isUtf8 } from 'node:buffer'
import {
  isCandleBlock,
  MAX_BLOCK_ROWS,
  SIDE_SELL,
  type CandleBlock,
  type RecordedBlock,
  type TapeBlock,
} from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { BlockFault, type ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { ColumnCodec, leastOf } from './column-codec.ts'
import {
  CANDLES,
  checkRises,
  openedBlock,
  readHead,
  sealedBlock,
  TRADES,
  writeHead,
  type EncodedBlock,
} from './sealed-block.ts'

const NO_IDS = 0
const NUMERIC_IDS = 1
const TEXT_IDS = 2

/** A block with the decimals of its prices and quantities. */
export interface StoredRows extends TapePrecisions {
  readonly block: RecordedBlock
}

export class BlockCodec {
  readonly #columns = new ColumnCodec(MAX_BLOCK_ROWS)
  readonly #leastCandleStep: 0 | 1

  /** @param leastCandleStep  milliseconds; 0 for unsettled rows, two of which may have one time */
  constructor(leastCandleStep: 0 | 1 = 1) {
    this.#leastCandleStep = leastCandleStep
  }

  /** @param isCompact  a third smaller, and read at half the speed */
  encode({ block, pricePrecision, qtyPrecision }: StoredRows, isCompact = false): EncodedBlock {
    const { length } = block
    const out = new ByteWriter(length * 8 + 64)
    writeHead({ kind: isCandleBlock(block) ? CANDLES : TRADES, length, pricePrecision, qtyPrecision }, out)
    if (isCandleBlock(block)) {
      const { time, open, high, low, close, volume } = block
      for (const column of [time, open, high, low, close, volume]) this.#columns.write(column, length, out)
    } else this.#writeTrades(block, out)
    return sealedBlock(out.taken(), isCompact)
  }

  /**
   * Rows in columns of their own.
   *
   * @throws {BlockFault} when the checksum is another, or the bytes are not of a block
   */
  decode(bytes: Uint8Array, checksum: number): StoredRows {
    const source = openedBlock(bytes, checksum)
    const { kind, length, pricePrecision, qtyPrecision } = readHead(source, MAX_BLOCK_ROWS)
    if (kind !== TRADES && kind !== CANDLES) throw new BlockFault(`it has the unknown kind ${kind}`)
    const block = kind === TRADES ? this.#readTrades(source, length) : this.#readCandles(source, length)
    source.end()
    return { block, pricePrecision, qtyPrecision }
  }

  #writeTrades({ length, time, price, qty, side, isDoubtful, ids }: TapeBlock, out: ByteWriter): void {
    for (const column of [time, price, qty]) this.#columns.write(column, length, out)
    out.raw(packed(side, length, 2))
    out.byte(isDoubtful === undefined ? 0 : 1)
    if (isDoubtful !== undefined) out.raw(packed(isDoubtful, length, 1))
    out.byte(ids === undefined ? NO_IDS : ids instanceof Float64Array ? NUMERIC_IDS : TEXT_IDS)
    if (ids instanceof Float64Array) this.#columns.write(ids, length, out)
    else if (ids !== undefined) writeTexts(ids.slice(0, length), this.#columns, out)
  }

  #readTrades(source: ByteReader, length: number): TapeBlock {
    const time = this.#column(source, length)
    const price = this.#column(source, length)
    const qty = this.#column(source, length)
    checkRises(time, 0)
    checkAbove(price, 0)
    checkAbove(qty, 0)
    const side = unpacked(source.raw(packedBytes(length, 2)), length, 2)
    if (largestOf(side) > SIDE_SELL) throw new BlockFault('a side is unknown')
    const isDoubtful = readFlag(source) ? unpacked(source.raw(packedBytes(length, 1)), length, 1) : undefined
    const form = source.byte()
    if (form > TEXT_IDS) throw new BlockFault(`its ids have the unknown form ${form}`)
    const column = form === NO_IDS ? undefined : this.#column(source, length)
    const ids = column === undefined || form === NUMERIC_IDS ? column : readTexts(source, column)
    return { length, time, price, qty, side, ...(isDoubtful === undefined ? {} : { isDoubtful }), ids }
  }

  #readCandles(source: ByteReader, length: number): CandleBlock {
    const time = this.#column(source, length)
    checkRises(time, this.#leastCandleStep)
    const open = this.#column(source, length)
    const high = this.#column(source, length)
    const low = this.#column(source, length)
    const close = this.#column(source, length)
    const volume = this.#column(source, length)
    checkAbove(low, 0)
    checkAbove(volume, -1)
    for (let row = 0; row < length; row += 1) {
      const [o = 0, h = 0, l = 0, c = 0] = [open[row], high[row], low[row], close[row]]
      if (l > o || l > c || h < o || h < c) throw new BlockFault('a candle is not between its low and its high')
    }
    return { length, time, open, high, low, close, volume }
  }

  #column(source: ByteReader, length: number): Float64Array {
    const column = new Float64Array(length)
    this.#columns.read(source, length, column)
    return column
  }
}

function readFlag(source: ByteReader): boolean {
  const flag = source.byte()
  if (flag > 1) throw new BlockFault(`a flag is ${flag}`)
  return flag === 1
}

function checkAbove(values: Float64Array, bound: number): void {
  if (leastOf(values, values.length) <= bound) throw new BlockFault(`a value is not above ${bound}`)
}

function largestOf(values: Uint8Array): number {
  let largest = values[0] ?? 0
  for (let row = 1; row < values.length; row += 1) largest = Math.max(largest, values[row] ?? 0)
  return largest
}

const packedBytes = (length: number, bits: number): number => Math.ceil((length * bits) / 8)

/** @param bits  of a value: 1 or 2 */
function packed(values: Uint8Array, length: number, bits: 1 | 2): Uint8Array {
  const bytes = new Uint8Array(packedBytes(length, bits))
  for (let row = 0; row < length; row += 1) {
    const bit = row * bits
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | ((values[row] ?? 0) << (bit & 7))
  }
  return bytes
}

function unpacked(bytes: Uint8Array, length: number, bits: 1 | 2): Uint8Array {
  const values = new Uint8Array(length)
  const mask = (1 << bits) - 1
  for (let row = 0; row < length; row += 1) {
    const bit = row * bits
    values[row] = ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & mask
  }
  return values
}

/** Writes the lengths of the texts, then the texts. */
function writeTexts(texts: readonly string[], columns: ColumnCodec, out: ByteWriter): void {
  columns.write(
    Float64Array.from(texts, (text) => text.length),
    texts.length,
    out,
  )
  const bytes = new TextEncoder().encode(texts.join(''))
  out.uint32(bytes.length)
  out.raw(bytes)
}

function readTexts(source: ByteReader, lengths: Float64Array): readonly string[] {
  const bytes = source.raw(source.uint32())
  if (!isUtf8(bytes)) throw new BlockFault('its ids are no text')
  const all = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let end = 0
  const texts = Array.from(lengths, (length) => all.slice(end, (end += Math.max(0, length))))
  if (end !== all.length) throw new BlockFault('its ids are not as long as they should be')
  return texts
}
