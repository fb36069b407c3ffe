/**
 * The rows of a file as a first pass found them, kept as encoded blocks so that nothing has to be read and parsed again: in memory while
 * they fit, then in a private temporary file.
 *
 * Plain data over shared memory and a descriptor of this process: it can be given to another thread without a copy. Invariant: what is
 * given out are the same integers that a second reading of the same bytes would give. The temporary file has no name from the moment
 * on in which it is made, so nothing of it is left, however the process ends; it is closed when nobody holds the rows any more.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { isCandleBlock, type RecordedBlock } from '../../tape/tape.ts'
import type { TapePrecisions } from '../tape-precisions.ts'
import { BlockCodec, STORED_BLOCK_ROWS } from './blocks/block-codec.ts'
import { blockSlice } from './blocks/block-slice.ts'

/** An encoded block: in memory, or where it lies in the temporary file. */
export interface KeptBlock {
  readonly checksum: number
  /** Bytes of it. */
  readonly length: number
  /** Bytes over shared memory, or an offset in the temporary file. */
  readonly at: Uint8Array | number
}

export interface KeptRows {
  readonly blocks: readonly KeptBlock[]
  /** Undefined where all blocks are in memory. */
  readonly file: TemporaryFile | undefined
  /** Units in the precisions of the whole file. */
  readonly largestPrice: number
  readonly largestQty: number
}

/** Without a name; a copy in another thread is the same file. */
interface TemporaryFile {
  readonly descriptor: number
}

/** Room in memory for the rows of all tapes of a run. */
export interface KeptRoom {
  bytes: number
}

/** About 14 million trades. What finds no room goes into a temporary file. */
export const MOST_KEPT_BYTES = 64 * 1024 * 1024

const scaleOf = (exponent: number): number => Number(powerOfTen(exponent))

const forgotten = new FinalizationRegistry<number>((descriptor) => {
  closeSync(descriptor)
})

/** Takes the blocks of a first pass. */
export class RowKeeper {
  readonly #room: KeptRoom
  readonly #codec = new BlockCodec()
  readonly #blocks: KeptBlock[] = []
  #file: TemporaryFile | undefined
  #fileBytes = 0
  #isFull = false

  /** @param room  what is kept in memory is taken from it */
  constructor(room: KeptRoom) {
    this.#room = room
  }

  /** Keeps the rows of a block; gives up where the disk has no room for them either. */
  add(block: RecordedBlock, precisions: TapePrecisions): void {
    for (let start = 0; start < block.length && !this.#isFull; start += STORED_BLOCK_ROWS) {
      const part = blockSlice(block, start, Math.min(block.length, start + STORED_BLOCK_ROWS))
      const { bytes, checksum } = this.#codec.encode({ block: part, ...precisions })
      const at = bytes.length <= this.#room.bytes ? this.#inMemory(bytes) : this.#onDisk(bytes)
      if (at === undefined) this.#isFull = true
      else this.#blocks.push({ checksum, length: bytes.length, at })
    }
  }

  /** What was kept; undefined when there was no room. */
  finish(largestPrice: number, largestQty: number): KeptRows | undefined {
    if (this.#isFull) return undefined
    return { blocks: this.#blocks, file: this.#file, largestPrice, largestQty }
  }

  #inMemory(bytes: Uint8Array): Uint8Array {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
    shared.set(bytes)
    this.#room.bytes -= bytes.length
    return shared
  }

  /** Undefined when the disk does not take it: then the tape's own file is read again. */
  #onDisk(bytes: Uint8Array): number | undefined {
    try {
      this.#file ??= temporaryFile()
      const at = this.#fileBytes
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#file.descriptor, bytes, written, bytes.length - written, at + written)
      }
      this.#fileBytes += bytes.length
      return at
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) return undefined
      throw error
    }
  }
}

function temporaryFile(): TemporaryFile {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-'))
  const path = join(folder, 'rows')
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  rmdirSync(folder)
  const file = { descriptor }
  forgotten.register(file, descriptor)
  return file
}

/** False when a value would have too many units in these precisions, which are at least those of the file. */
export function fitsPrecisions(kept: KeptRows, of: TapePrecisions, wanted: TapePrecisions): boolean {
  const price = kept.largestPrice * scaleOf(wanted.pricePrecision - of.pricePrecision)
  const qty = kept.largestQty * scaleOf(wanted.qtyPrecision - of.qtyPrecision)
  return Math.max(price, qty) <= Number.MAX_SAFE_INTEGER
}

/** Gives the rows of kept blocks, in columns of their own. */
export class KeptRowReader {
  readonly #kept: KeptRows
  readonly #codec = new BlockCodec()

  constructor(kept: KeptRows) {
    this.#kept = kept
  }

  /**
   * @param wanted   precisions, at least those of the block
   * @param shiftMs  added to every time
   */
  read(block: KeptBlock, wanted: TapePrecisions, shiftMs: number): RecordedBlock {
    const rows = this.#codec.decode(this.#bytesOf(block), block.checksum)
    return scaledBlock(rows.block, rows, wanted, shiftMs)
  }

  #bytesOf({ at, length }: KeptBlock): Uint8Array {
    if (typeof at !== 'number') return at
    const { file } = this.#kept
    invariant(file !== undefined, 'a block on the disk has a file')
    const bytes = new Uint8Array(length)
    for (let read = 0; read < length;) {
      const more = readSync(file.descriptor, bytes, read, length - read, at + read)
      invariant(more > 0, 'a file without a name is as it was written')
      read += more
    }
    return bytes
  }
}

/**
 * The same rows in finer precisions, written over what is given.
 *
 * @param of       the precisions that it has
 * @param wanted   at least as many digits
 * @param shiftMs  added to every time
 */
export function scaledBlock(
  block: RecordedBlock,
  of: TapePrecisions,
  wanted: TapePrecisions,
  shiftMs = 0,
): RecordedBlock {
  const prices = isCandleBlock(block) ? [block.open, block.high, block.low, block.close] : [block.price]
  const qty = isCandleBlock(block) ? block.volume : block.qty
  for (const price of prices) scale(price, wanted.pricePrecision - of.pricePrecision)
  scale(qty, wanted.qtyPrecision - of.qtyPrecision)
  if (shiftMs !== 0) for (let row = 0; row < block.length; row += 1) block.time[row] = (block.time[row] ?? 0) + shiftMs
  return block
}

function scale(values: Float64Array, digits: number): void {
  if (digits === 0) return
  const factor = scaleOf(digits)
  for (let row = 0; row < values.length; row += 1) values[row] = (values[row] ?? 0) * factor
}
