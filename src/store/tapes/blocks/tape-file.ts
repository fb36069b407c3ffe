/**
 * A `.tape` file: the blocks of one market behind each other, and an index of them at the end, from which a window of it is read without
 * the rest.
 *
 * Invariant: the file has its name only when it is whole and on the disk. A file that was cut, or to which something was added, has no
 * index where its end says it is, and is refused; so is an index whose checksum is wrong.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { InputError } from '../../../domain/errors.ts'
import type { RecordedBlock, TapeInfo } from '../../../tape/tape.ts'
import { BlockCodec, type StoredRows } from './block-codec.ts'
import { entryOf, type BlockEntry } from './block-entry.ts'
import { BlockFault } from './byte-reader.ts'

/** How a file of this kind begins; the number goes up when its form changes. */
const HEAD = Buffer.from('papertape tape 1\n')
const HEAD_OF_ANY = HEAD.subarray(0, -2)
/** Behind the index: its checksum and its length in bytes, both of 32 bits, and the mark of a whole file. */
const END_MARK = Buffer.from('tape end')
const END_BYTES = 8 + END_MARK.length
/** No index is near it: a thousand years of blocks. */
const MOST_INDEX_BYTES = 1 << 30

/** What an index says of the market beside its blocks. */
export type TapeFacts = Omit<TapeInfo, 'file' | 'sha256' | 'gaps'>

interface TapeIndex {
  readonly facts: TapeFacts
  /** Lower-case hex SHA-256 of the blocks, one behind the other. */
  readonly sha256: string
  readonly blocks: readonly BlockEntry[]
}

const id = z.union([z.number(), z.string()]).nullable()
const blockEntry = z.strictObject({
  rows: z.int().min(1),
  ...{ first: z.int(), last: z.int(), firstId: id, lastId: id },
  bytes: z.int().min(1),
  checksum: z.int().min(0),
})
const tapeFacts = z.strictObject({
  symbol: z.string(),
  kind: z.enum(['trades', 'candles']),
  rows: z.int().min(1),
  emptyCandles: z.int().min(0),
  ...{ from: z.int(), to: z.int() },
  ...{ pricePrecision: z.int().min(0).max(12), qtyPrecision: z.int().min(0).max(12) },
  ...{ rowsAtPricePrecision: z.int().min(0), rowsAtQtyPrecision: z.int().min(0) },
  ...{ hasSides: z.boolean(), hasConditions: z.boolean() },
  intervalMs: z.int().min(1).exactOptional(),
  isAligned: z.boolean().exactOptional(),
  notices: z.array(z.string()),
})
const tapeIndex = z.strictObject({ facts: tapeFacts, sha256: z.string(), blocks: z.array(blockEntry).min(1) })

/** Writes one, block by block; it has its name once it is finished. */
export class TapeFileWriter {
  readonly #file: string
  readonly #partial: string
  readonly #descriptor: number
  readonly #codec = new BlockCodec()
  readonly #hash = createHash('sha256')
  readonly #isCompact: boolean
  readonly #blocks: BlockEntry[] = []

  /** @throws {Error} of the file system */
  constructor(file: string, isCompact = false) {
    this.#file = file
    this.#partial = `${file}.partial`
    this.#isCompact = isCompact
    this.#descriptor = openSync(this.#partial, 'w')
    this.#write(HEAD)
  }

  add(rows: StoredRows): void {
    const encoded = this.#codec.encode(rows, this.#isCompact)
    this.#blocks.push(entryOf(rows.block, encoded))
    this.#hash.update(encoded.bytes)
    this.#write(encoded.bytes)
  }

  finish(facts: TapeFacts): void {
    const index: TapeIndex = { facts, sha256: this.#hash.digest('hex'), blocks: this.#blocks }
    const text = Buffer.from(JSON.stringify(index))
    const end = Buffer.alloc(8)
    end.writeUInt32LE(crc32(text), 0)
    end.writeUInt32LE(text.length, 4)
    this.#write(Buffer.concat([text, end, END_MARK]))
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    renameSync(this.#partial, this.#file)
    // The name is on the disk only with its folder.
    const folder = openSync(dirname(this.#file), 'r')
    fsyncSync(folder)
    closeSync(folder)
  }

  /** Leaves nothing behind. */
  abandon(): void {
    closeSync(this.#descriptor)
    rmSync(this.#partial, { force: true })
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
  }
}

/** Part of a tape's time: from `from` on, up to `to`, exclusive; Unix milliseconds. */
export interface TapeStretch {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export class TapeFile {
  readonly #file: string
  readonly #descriptor: number
  readonly #offsets: readonly number[]
  readonly #codec = new BlockCodec()
  readonly index: TapeIndex

  /** @throws {InputError} for a file that is none, of a newer form, or not whole */
  constructor(file: string) {
    this.#file = file
    this.#descriptor = openSync(file, 'r')
    try {
      this.index = this.#readIndex()
      let offset = HEAD.length
      this.#offsets = this.index.blocks.map(({ bytes }) => (offset += bytes) - bytes)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** The blocks that have a row within the stretch, whole. @throws {InputError} naming a block that is damaged */
  *blocks({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeStretch = {}): Generator<StoredRows> {
    for (const [at, entry] of this.index.blocks.entries()) {
      if (entry.last >= from && entry.first < to) yield this.#block(at, entry)
    }
  }

  #block(at: number, entry: BlockEntry): StoredRows {
    const place = `${this.#file}: block ${at + 1} of ${this.index.blocks.length}`
    try {
      const rows = this.#codec.decode(this.#read(this.#offsets[at] ?? 0, entry.bytes), entry.checksum)
      if (!isOf(rows.block, entry)) throw new BlockFault('it is not the block that its index tells')
      return rows
    } catch (error) {
      if (!(error instanceof BlockFault)) throw error
      throw new InputError(place, `is damaged: ${error.message}`, { cause: error })
    }
  }

  #readIndex(): TapeIndex {
    const { size } = fstatSync(this.#descriptor)
    const head = this.#read(0, Math.min(size, HEAD.length))
    if (!head.subarray(0, HEAD_OF_ANY.length).equals(HEAD_OF_ANY)) throw new InputError(this.#file, 'is no .tape file')
    if (!head.equals(HEAD)) throw new InputError(this.#file, 'is of a newer papertape than this')
    const end = this.#read(Math.max(0, size - END_BYTES), Math.min(size, END_BYTES))
    if (size < HEAD.length + END_BYTES || !end.subarray(8).equals(END_MARK)) throw this.#notWhole()
    const length = end.readUInt32LE(4)
    const from = size - END_BYTES - length
    if (from < HEAD.length || length > MOST_INDEX_BYTES) throw this.#notWhole()
    const text = this.#read(from, length)
    if (crc32(text) !== end.readUInt32LE(0)) throw this.#notWhole()
    const index = tapeIndex.parse(JSON.parse(text.toString())) as TapeIndex
    if (index.blocks.reduce((sum, { bytes }) => sum + bytes, HEAD.length) !== from) throw this.#notWhole()
    return index
  }

  #notWhole(): InputError {
    return new InputError(this.#file, 'is not whole: its end is missing or damaged')
  }

  #read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    let at = 0
    while (at < length) {
      const read = readSync(this.#descriptor, bytes, at, length - at, from + at)
      if (read === 0) throw this.#notWhole()
      at += read
    }
    return bytes
  }
}

const isOf = ({ length, time }: RecordedBlock, { rows, first, last }: BlockEntry): boolean =>
  length === rows && time[0] === first && time[length - 1] === last
