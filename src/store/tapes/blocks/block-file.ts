/**
 * File of blocks followed by their index: the container of every `.tape` file, whatever its rows.
 *
 * Invariant: the file gets its name when it is complete, and an index is read only if its checksum is right.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { InputError, invariant } from '../../../domain/errors.ts'
import { WITHOUT_WAITING } from '../../../import/file-bytes.ts'
import { unfinished } from '../../unfinished.ts'

/** Magic bytes of the format; the number rises when the format changes. */
export const TAPE_FILE_START = Buffer.from('papertape tape ')
const HEAD = Buffer.concat([TAPE_FILE_START, Buffer.from('1\n')])
/** Trailer after the index: its checksum and its length in bytes, both of 32 bits, and the mark of a complete file. */
const END_MARK = Buffer.from('tape end')
const END_BYTES = 8 + END_MARK.length
/** No index is near it: a thousand years of blocks. */
const MAX_INDEX_BYTES = 1 << 30

/** Writes one, block by block; it has its name once it is finished. */
export class BlockFileWriter {
  readonly #file: string
  readonly #partial: string
  readonly #descriptor: number
  readonly #hash = createHash('sha256')

  /** @throws {Error} of the file system */
  constructor(file: string) {
    this.#file = file
    this.#partial = unfinished(`${file}.${process.pid}.partial`)
    this.#descriptor = openSync(this.#partial, 'w')
    try {
      this.#write(HEAD)
    } catch (error) {
      this.abandon()
      throw error
    }
  }

  /** Appends a block. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#write(bytes)
  }

  /** @param indexOf  plain JSON, of the lower-case hex SHA-256 over all blocks */
  finish(indexOf: (sha256: string) => object): void {
    const text = Buffer.from(JSON.stringify(indexOf(this.#hash.digest('hex'))))
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

  /** Removes the partial file. */
  abandon(): void {
    closeSync(this.#descriptor)
    rmSync(this.#partial, { force: true })
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
  }
}

interface IndexOfBlocks {
  readonly blocks: readonly { readonly bytes: number }[]
}

/** Reads one. */
export class BlockFile<Index extends IndexOfBlocks> {
  readonly index: Index
  readonly #file: string
  readonly #descriptor: number
  readonly #offsets: readonly number[]

  /**
   * @param parse  validates the index after JSON parsing
   * @throws {InputError} for a file that is no tape, of a newer format, or incomplete
   */
  constructor(file: string, parse: (json: unknown) => Index) {
    this.#file = file
    if (!statSync(file).isFile()) throw new InputError(file, 'is not a file')
    this.#descriptor = openSync(file, WITHOUT_WAITING)
    try {
      this.index = this.#readIndex(parse)
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

  /** The block with that index, for errors. */
  place(index: number): string {
    return `${this.#file}: block ${index + 1} of ${this.index.blocks.length}`
  }

  /** The bytes of the block with that index. */
  block(index: number): Buffer {
    const entry = this.index.blocks[index]
    invariant(entry !== undefined, 'a block of the index')
    return this.#bytes(this.#offsets[index] ?? 0, entry.bytes)
  }

  #readIndex(parse: (json: unknown) => Index): Index {
    const { size } = fstatSync(this.#descriptor)
    const head = this.#bytes(0, Math.min(size, HEAD.length))
    if (!head.subarray(0, TAPE_FILE_START.length).equals(TAPE_FILE_START)) {
      throw new InputError(this.#file, 'is not a .tape file')
    }
    if (!head.equals(HEAD)) throw new InputError(this.#file, 'was written by a newer version of papertape')
    const end = this.#bytes(Math.max(0, size - END_BYTES), Math.min(size, END_BYTES))
    if (size < HEAD.length + END_BYTES || !end.subarray(8).equals(END_MARK)) throw this.#notWhole()
    const length = end.readUInt32LE(4)
    const from = size - END_BYTES - length
    if (from < HEAD.length || length > MAX_INDEX_BYTES) throw this.#notWhole()
    const text = this.#bytes(from, length)
    if (crc32(text) !== end.readUInt32LE(0)) throw this.#notWhole()
    const index = parse(JSON.parse(text.toString()))
    if (index.blocks.reduce((sum, { bytes }) => sum + bytes, HEAD.length) !== from) throw this.#notWhole()
    return index
  }

  #notWhole(): InputError {
    return new InputError(this.#file, 'is incomplete: its end is missing or damaged')
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
