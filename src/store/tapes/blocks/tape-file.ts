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
import { InputError, invariant } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import { WITHOUT_WAITING } from '../../csv/file-bytes.ts'
import { BlockCodec, type StoredRows } from './block-codec.ts'
import type { EncodedBlock } from './sealed-block.ts'
import { BLOCK_ENTRY, entryOf, type BlockEntry } from './block-entry.ts'
import { checkedRows } from './checked-rows.ts'
import { TAPE_HEAD, type StoredMarket, type TapeHead } from './stored-market.ts'

/** How a file of this kind begins; the number goes up when its form changes. */
export const TAPE_FILE_START = Buffer.from('papertape tape ')
const HEAD = Buffer.concat([TAPE_FILE_START, Buffer.from('1\n')])
/** Behind the index: its checksum and its length in bytes, both of 32 bits, and the mark of a whole file. */
const END_MARK = Buffer.from('tape end')
const END_BYTES = 8 + END_MARK.length
/** No index is near it: a thousand years of blocks. */
const MOST_INDEX_BYTES = 1 << 30

const TAPE_INDEX = z.strictObject({
  head: TAPE_HEAD,
  sha256: z.string(),
  gaps: z.array(z.strictObject({ from: z.int(), to: z.int(), why: z.string() })).optional(),
  blocks: z.array(BLOCK_ENTRY).min(1),
})

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
    this.#partial = `${file}.${process.pid}.partial`
    this.#isCompact = isCompact
    this.#descriptor = openSync(this.#partial, 'w')
    this.#write(HEAD)
  }

  add(rows: StoredRows): void {
    const encoded = this.#codec.encode(rows, this.#isCompact)
    this.#blocks.push(entryOf(rows, encoded))
    this.#hash.update(encoded.bytes)
    this.#write(encoded.bytes)
  }

  /** A block that was encoded before. */
  addEncoded(entry: BlockEntry, { bytes }: EncodedBlock): void {
    this.#blocks.push(entry)
    this.#hash.update(bytes)
    this.#write(bytes)
  }

  finish(head: TapeHead, gaps?: readonly MarkedGap[]): readonly BlockEntry[] {
    const blocks = this.#blocks
    const text = Buffer.from(JSON.stringify({ head, sha256: this.#hash.digest('hex'), gaps, blocks }))
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
    return blocks
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

export class TapeFile implements StoredMarket {
  readonly head: TapeHead
  readonly entries: readonly BlockEntry[]
  readonly gaps: readonly MarkedGap[] | undefined
  readonly sha256: string
  readonly #file: string
  readonly #descriptor: number
  readonly #offsets: readonly number[]
  readonly #codec = new BlockCodec()

  /** @throws {InputError} for a file that is none, of a newer form, or not whole */
  constructor(file: string) {
    this.#file = file
    this.#descriptor = openSync(file, WITHOUT_WAITING)
    try {
      const { head, blocks, gaps, sha256 } = this.#readIndex()
      this.head = head
      this.entries = blocks
      this.gaps = gaps
      this.sha256 = sha256
      let offset = HEAD.length
      this.#offsets = blocks.map(({ bytes }) => (offset += bytes) - bytes)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  read(index: number): StoredRows {
    const place = `${this.#file}: block ${index + 1} of ${this.entries.length}`
    return checkedRows(this.#codec, place, this.entries[index], ({ bytes }) =>
      this.#bytes(this.#offsets[index] ?? 0, bytes),
    )
  }

  /** The bytes of the block with that index. @throws {InputError} when they are damaged */
  encoded(index: number): EncodedBlock {
    const entry = this.entries[index]
    invariant(entry !== undefined, 'a block of the index')
    const { bytes: length, checksum } = entry
    const bytes = this.#bytes(this.#offsets[index] ?? 0, length)
    if (crc32(bytes) === checksum) return { bytes, checksum }
    throw new InputError(
      `${this.#file}: block ${index + 1} of ${this.entries.length}`,
      'is damaged: its checksum is another',
    )
  }

  #readIndex(): z.output<typeof TAPE_INDEX> {
    const { size } = fstatSync(this.#descriptor)
    const head = this.#bytes(0, Math.min(size, HEAD.length))
    if (!head.subarray(0, TAPE_FILE_START.length).equals(TAPE_FILE_START)) {
      throw new InputError(this.#file, 'is no .tape file')
    }
    if (!head.equals(HEAD)) throw new InputError(this.#file, 'is of a newer papertape than this')
    const end = this.#bytes(Math.max(0, size - END_BYTES), Math.min(size, END_BYTES))
    if (size < HEAD.length + END_BYTES || !end.subarray(8).equals(END_MARK)) throw this.#notWhole()
    const length = end.readUInt32LE(4)
    const from = size - END_BYTES - length
    if (from < HEAD.length || length > MOST_INDEX_BYTES) throw this.#notWhole()
    const text = this.#bytes(from, length)
    if (crc32(text) !== end.readUInt32LE(0)) throw this.#notWhole()
    const index = TAPE_INDEX.parse(JSON.parse(text.toString()))
    if (index.blocks.reduce((sum, { bytes }) => sum + bytes, HEAD.length) !== from) throw this.#notWhole()
    return index
  }

  #notWhole(): InputError {
    return new InputError(this.#file, 'is not whole: its end is missing or damaged')
  }

  #bytes(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length;) {
      const read = readSync(this.#descriptor, bytes, at, length - at, from + at)
      if (read === 0) throw this.#notWhole()
      at += read
    }
    return bytes
  }
}
