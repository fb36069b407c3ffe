/**
 * A tape as one file that every machine can read without a compiled package: blocks of rows followed by their index.
 *
 * Invariant: the blocks are in time order, and the index lists all of them.
 */
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { InputError, invariant } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import { BlockCodec, type StoredRows } from './block-codec.ts'
import { BLOCK_ENTRY, entryOf, type BlockEntry } from './block-entry.ts'
import { BlockFile, BlockFileWriter } from './block-file.ts'
import { isBookIndex } from './book-entry.ts'
import { checkedRows } from './checked-rows.ts'
import type { EncodedBlock } from './sealed-block.ts'
import { TAPE_HEAD, type StoredMarket, type TapeHead } from './stored-market.ts'

const TAPE_INDEX = z.strictObject({
  head: TAPE_HEAD,
  sha256: z.string(),
  gaps: z.array(z.strictObject({ from: z.int(), to: z.int(), why: z.string() })).optional(),
  blocks: z.array(BLOCK_ENTRY).min(1),
})

/** Writes one, block by block; it has its name once it is finished. */
export class TapeFileWriter {
  readonly #writer: BlockFileWriter
  readonly #codec = new BlockCodec()
  readonly #isCompact: boolean
  readonly #blocks: BlockEntry[] = []

  /** @throws {Error} of the file system */
  constructor(file: string, isCompact = false) {
    this.#writer = new BlockFileWriter(file)
    this.#isCompact = isCompact
  }

  add(rows: StoredRows): void {
    const encoded = this.#codec.encode(rows, this.#isCompact)
    this.addEncoded(entryOf(rows, encoded), encoded)
  }

  /** A block that was encoded before. */
  addEncoded(entry: BlockEntry, { bytes }: EncodedBlock): void {
    this.#blocks.push(entry)
    this.#writer.add(bytes)
  }

  finish(head: TapeHead, gaps?: readonly MarkedGap[]): readonly BlockEntry[] {
    const blocks = this.#blocks
    this.#writer.finish((sha256) => ({ head, sha256, gaps, blocks }))
    return blocks
  }

  /** Removes the partial file. */
  abandon(): void {
    this.#writer.abandon()
  }
}

export class TapeFile implements StoredMarket {
  readonly head: TapeHead
  readonly entries: readonly BlockEntry[]
  readonly gaps: readonly MarkedGap[] | undefined
  readonly sha256: string
  readonly #file: BlockFile<z.output<typeof TAPE_INDEX>>
  readonly #codec = new BlockCodec()

  /** @throws {InputError} for a file that is no tape, of a newer format, of another kind, or incomplete */
  constructor(file: string) {
    this.#file = new BlockFile(file, (json) => {
      if (!isBookIndex(json)) return TAPE_INDEX.parse(json)
      throw new InputError(file, 'holds a recorded book or quotes, not trades: pass it with --depth')
    })
    const { head, blocks, gaps, sha256 } = this.#file.index
    this.head = head
    this.entries = blocks
    this.gaps = gaps
    this.sha256 = sha256
  }

  close(): void {
    this.#file.close()
  }

  read(index: number): StoredRows {
    return checkedRows(this.#codec, this.#file.place(index), this.entries[index], () => this.#file.block(index))
  }

  /** The bytes of the block with that index. @throws {InputError} when they are damaged */
  encoded(index: number): EncodedBlock {
    const entry = this.entries[index]
    invariant(entry !== undefined, 'a block of the index')
    const { checksum } = entry
    const bytes = this.#file.block(index)
    if (crc32(bytes) === checksum) return { bytes, checksum }
    throw new InputError(this.#file.place(index), 'is damaged: wrong checksum')
  }
}
