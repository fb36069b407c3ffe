/**
 * Envelope of every stored block: a byte for the compression, a separate checksum, and the first bytes inside, which
 * give the kind of rows.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { MAX_PRECISION } from '../../../domain/market.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { BlockFault, ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** The first byte of a block: as it is, or with the rest deflated. */
const VARINT = 1
const DEFLATED = 2

/** Kinds of rows in a block. */
export const TRADES = 0
export const CANDLES = 1
export const DEPTH = 2
export const QUOTES = 3
/** Changes of a book, followed by order removals. */
export const ORDERS = 4

export interface EncodedBlock {
  readonly bytes: Uint8Array
  /** CRC-32 of the bytes. */
  readonly checksum: number
}

/** Header before the rows. */
export interface BlockHead extends TapePrecisions {
  readonly kind: number
  readonly length: number
}

/** @param isCompact  a third smaller, and read at half the speed */
export function sealedBlock(written: Uint8Array, isCompact: boolean): EncodedBlock {
  const body = isCompact ? deflateRawSync(written) : written
  const bytes = new Uint8Array(body.length + 1)
  bytes[0] = isCompact ? DEFLATED : VARINT
  bytes.set(body, 1)
  return { bytes, checksum: crc32(bytes) }
}

/** @throws {BlockFault} when the checksum is another, or the bytes are packed in an unknown way */
export function openedBlock(bytes: Uint8Array, checksum: number): ByteReader {
  if (crc32(bytes) !== checksum) throw new BlockFault('its checksum is wrong')
  return new ByteReader(bodyOf(bytes))
}

export function writeHead({ kind, length, pricePrecision, qtyPrecision }: BlockHead, out: ByteWriter): void {
  out.byte(kind)
  out.byte(pricePrecision)
  out.byte(qtyPrecision)
  out.uint32(length)
}

/** @throws {BlockFault} when it is none of a block of so many rows */
export function readHead(source: ByteReader, mostRows: number): BlockHead {
  const kind = source.byte()
  const pricePrecision = precision(source.byte())
  const qtyPrecision = precision(source.byte())
  const length = source.uint32()
  if (length < 1 || length > mostRows) throw new BlockFault(`it has ${length} rows`)
  return { kind, length, pricePrecision, qtyPrecision }
}

/** @param least  of a step from row to row @throws {BlockFault} when one is less */
export function checkRises(time: Float64Array, least: number): void {
  let isRising = true
  for (let row = 1; row < time.length; row += 1) {
    if ((time[row] ?? 0) - (time[row - 1] ?? 0) < least) isRising = false
  }
  if (!isRising) throw new BlockFault('its times are not in order')
}

function bodyOf(bytes: Uint8Array): Uint8Array {
  const form = bytes[0]
  const body = bytes.subarray(1)
  if (form === VARINT) return body
  if (form !== DEFLATED) throw new BlockFault(`it has the unknown codec ${form ?? 'of nothing'}`)
  try {
    return inflateRawSync(body)
  } catch (error) {
    throw new BlockFault('it cannot be inflated', { cause: error })
  }
}

function precision(digits: number): number {
  if (digits > MAX_PRECISION) throw new BlockFault(`it has ${digits} decimals`)
  return digits
}
