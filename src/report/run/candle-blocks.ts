/**
 * candle-blocks.csv: all candles of a market with more candles than candles.csv has room for, one row per block of
 * candles.
 *
 * A block is base64 of three little-endian doubles (its first time, its first open in ticks, its largest volume in
 * lots) and of six packed columns: time after the one before less the interval, open less the close before, high above
 * and low below the body, close less open, and volume in 127ths of the largest. A chart decodes only the blocks that it
 * shows. Known limit: volumes are for the height of a bar; exact ones are in candles.csv.
 */
import { invariant } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import type { MarketCandles } from '../../runtime/figures/market-candles.ts'
import { base64, bytesOf } from '../folded-data.ts'
import { csvField, csvRow } from './csv-row.ts'

const GROUP = 128
const MAX_BITS = 32
/** Flags a group that starts with its least value; the others are stored as what they are above it. */
const HAS_BASE = 64
const BASE_BYTES = 3
/** A value is packed as its lowest 24 bits and the rest, so that each part fits the integers of bit operations. */
const LOW = 2 ** 24

/** Bytes of packed columns, as many as were appended. */
export class PackedBytes {
  #bytes = new Uint8Array(4_096)
  #length = 0
  readonly #low = new Float64Array(GROUP)
  readonly #high = new Float64Array(GROUP)

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** @param values  integers from 0 to 2^53 - 1 */
  appendColumn(values: Float64Array): void {
    const [low, high] = [this.#low, this.#high]
    for (let from = 0; from < values.length; from += GROUP) {
      const count = Math.min(GROUP, values.length - from)
      let highest = 0
      for (let at = 0; at < count; at += 1) {
        const value = values[from + at] ?? 0
        invariant(value >= 0 && Number.isSafeInteger(value), 'packed integers are from 0 to 2^53 - 1')
        const above = Math.floor(value / LOW)
        high[at] = above
        low[at] = value - above * LOW
        if (above > highest) highest = above
      }
      this.#appendGroup(low, count)
      if (highest === 0) this.append(NO_BITS)
      else this.#appendGroup(high, count)
    }
  }

  #appendGroup(values: Float64Array, count: number): void {
    // A base has three bytes; high parts may be larger.
    let [least, most] = [LOW - 1, 0]
    for (let at = 0; at < count; at += 1) {
      const value = values[at] ?? 0
      if (value < least) least = value
      if (value > most) most = value
    }
    const hasBase = (bitsOf(most) - bitsOf(most - least)) * count > BASE_BYTES * 8
    const base = hasBase ? least : 0
    const bits = bitsOf(most - base)
    const head = [hasBase ? bits | HAS_BASE : bits, base & 0xff, (base >>> 8) & 0xff, base >>> 16]
    this.append(Uint8Array.from(hasBase ? head : head.slice(0, 1)))
    if (bits > 0) this.#appendBits(values, { count, base, bits })
  }

  #appendBits(values: Float64Array, { count, base, bits }: Readonly<Record<'count' | 'base' | 'bits', number>>): void {
    this.#reserve(Math.ceil((count * bits) / 8))
    const bytes = this.#bytes
    let [at, held, used] = [this.#length, 0, 0]
    for (let index = 0; index < count; index += 1) {
      const value = (values[index] ?? 0) - base
      for (let bit = 0; bit < bits; bit += MAX_TAKEN) {
        const taken = Math.min(MAX_TAKEN, bits - bit)
        held |= ((value >>> bit) & ((1 << taken) - 1)) << used
        for (used += taken; used >= 8; used -= 8) {
          bytes[at] = held
          at += 1
          held >>>= 8
        }
      }
    }
    if (used > 0) {
      bytes[at] = held
      at += 1
    }
    this.#length = at
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const bytes = new Uint8Array(2 * (this.#length + count))
    bytes.set(this.bytes)
    this.#bytes = bytes
  }
}

const NO_BITS = new Uint8Array(1)
/** With the seven bits of an unfinished byte no more than 32. */
const MAX_TAKEN = 24
const bitsOf = (value: number): number => 32 - Math.clz32(value)

/**
 * Reads columns of one length, one after the other, from where they begin.
 *
 * @see Lemire and Boytsov (2015), Decoding billions of integers per second through vectorization
 */
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
        const head = this.#bytes[this.#at] ?? MAX_BITS + 1
        const bits = head & ~HAS_BASE
        if (bits > MAX_BITS) return false
        this.#at += (head === bits ? 1 : 1 + BASE_BYTES) + Math.ceil((Math.min(GROUP, length - from) * bits) / 8)
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
    const bits = (this.#bytes[this.#at] ?? 0) & ~HAS_BASE
    const base = this.#base()
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
      values[index] = (values[index] ?? 0) + ((value >>> 0) + base) * unit
    }
    if (used > 0) this.#at += 1
  }

  /** Reads the head of a group. */
  #base(): number {
    const [head = 0, low = 0, middle = 0, high = 0] = this.#bytes.subarray(this.#at, this.#at + 1 + BASE_BYTES)
    const hasBase = (head & HAS_BASE) !== 0
    this.#at += hasBase ? 1 + BASE_BYTES : 1
    return hasBase ? low | (middle << 8) | (high << 16) : 0
  }
}

export const BLOCK_ROWS = 4_096
const VOLUME_STEPS = 127
const HEAD_BYTES = 24
const COLUMNS = 6

export const CANDLE_BLOCKS_HEADER = csvRow([
  'symbol',
  'interval_ms',
  'from_ms',
  'to_ms',
  'candles',
  'price_decimals',
  'qty_decimals',
  'block',
])

/** Candles of one length as columns; prices and volumes in the units of the market, as doubles. */
export interface BlockColumns {
  readonly times: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Rows of candle-blocks.csv, oldest first. */
export function* candleBlockRows(candles: MarketCandles, market: Market): Generator<string> {
  for (const [times, ...values] of candles.blocks(BLOCK_ROWS)) {
    if (times === undefined) continue
    const largest = (values[4] ?? times).reduce((most, volume) => Math.max(most, volume), 0)
    const head = new DataView(new ArrayBuffer(HEAD_BYTES))
    const firsts = [times[0] ?? 0, values[0]?.[0] ?? 0, largest]
    firsts.forEach((first, index) => head.setFloat64(index * 8, first, true))
    const packed = new PackedBytes()
    packed.append(new Uint8Array(head.buffer))
    for (const column of differences(times, values, candles.intervalMs, largest)) packed.appendColumn(column)
    const form = `${market.pricePrecision},${market.qtyPrecision}`
    yield `${csvField(market.symbol)},${candles.intervalMs},${times[0]},${times.at(-1)},${times.length},${form},${base64(packed.bytes)}\n`
  }
}

/** Small integers from 0. */
function differences(
  times: Float64Array,
  [opens = times, highs = times, lows = times, closes = times, volume = times]: readonly Float64Array[],
  intervalMs: number,
  largest: number,
): readonly Float64Array[] {
  const column = (): Float64Array => new Float64Array(times.length)
  const [late, gap, above, below, body] = [column(), column(), column(), column(), column()]
  for (let row = 0; row < times.length; row += 1) {
    const [open, close] = [opens[row] ?? 0, closes[row] ?? 0]
    if (row > 0) {
      late[row] = unsigned((times[row] ?? 0) - (times[row - 1] ?? 0) - intervalMs)
      gap[row] = unsigned(open - (closes[row - 1] ?? 0))
    }
    above[row] = (highs[row] ?? 0) - Math.max(open, close)
    below[row] = Math.min(open, close) - (lows[row] ?? 0)
    body[row] = unsigned(close - open)
  }
  return [late, gap, above, below, body, volumeSteps(volume, largest)]
}

/** Each with what rounding left of the one before, so that the sum of many is right. */
function volumeSteps(volume: Float64Array, largest: number): Float64Array {
  let left = 0
  return volume.map((lots) => {
    const exact = largest === 0 ? 0 : (lots / largest) * VOLUME_STEPS + left
    const steps = Math.max(0, Math.round(exact))
    left = exact - steps
    return steps
  })
}

/** 0, -1, 1, -2 and so on as 0, 1, 2, 3. */
const unsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** Description of a block, from its row. */
export interface BlockForm {
  readonly rows: number
  readonly intervalMs: number
  readonly priceDecimals: number
  readonly qtyDecimals: number
}

/** Whether a text is that of a block of so many candles. */
export function isCandleBlock(text: string, rows: number): boolean {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return false
  const bytes = bytesOf(text)
  const packed = new PackedIntegers(bytes, HEAD_BYTES)
  for (let column = 0; column < COLUMNS; column += 1) if (!packed.skip(rows)) return false
  return bytes.length >= HEAD_BYTES && packed.isAtEnd
}

/** The candles of a block. @param text  as `candleBlockRows` wrote it */
export function candleBlock(text: string, { rows, intervalMs, priceDecimals, qtyDecimals }: BlockForm): BlockColumns {
  const bytes = bytesOf(text)
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES)
  const [time, price, largest] = [0, 8, 16].map((from) => head.getFloat64(from, true))
  const packed = new PackedIntegers(bytes, HEAD_BYTES)
  const [times, open, high] = [packed.column(rows), packed.column(rows), packed.column(rows)]
  const [low, close, volume] = [packed.column(rows), packed.column(rows), packed.column(rows)]
  const [tick, lot] = [10 ** priceDecimals, 10 ** qtyDecimals]
  let [opens, before] = [(time ?? 0) - intervalMs, price ?? 0]
  for (let row = 0; row < rows; row += 1) {
    opens += intervalMs + signed(times[row] ?? 0)
    const o = before + signed(open[row] ?? 0)
    const c = o + signed(close[row] ?? 0)
    before = c
    times[row] = opens
    high[row] = (Math.max(o, c) + (high[row] ?? 0)) / tick
    low[row] = (Math.min(o, c) - (low[row] ?? 0)) / tick
    open[row] = o / tick
    close[row] = c / tick
    volume[row] = ((volume[row] ?? 0) / VOLUME_STEPS) * ((largest ?? 0) / lot)
  }
  return { times, open, high, low, close, volume }
}
