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
import { greatestDivisor } from '../greatest-divisor.ts'
import { BlockCodec, type StoredRows } from './blocks/block-codec.ts'
import type { EncodedBlock } from './blocks/sealed-block.ts'
import { entryOf, type BlockEntry } from './blocks/block-entry.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { checkedRows } from './blocks/checked-rows.ts'
import type { StoredMarket, TapeHead } from './blocks/stored-market.ts'

/** An encoded block: in memory, or where it lies in the temporary file. */
export interface KeptBlock {
  readonly entry: BlockEntry
  /** Bytes over shared memory, or an offset in the temporary file. */
  readonly at: Uint8Array | number
}

export interface KeptRows {
  readonly head: TapeHead
  readonly blocks: readonly KeptBlock[]
  /** Undefined where all blocks are in memory. */
  readonly file: TemporaryFile | undefined
  /** Added to every time: where candles are told by their end. */
  readonly shiftMs: number
}

/** Without a name; a copy in another thread is the same file. */
interface TemporaryFile {
  readonly descriptor: number
}

/** Room in memory for the rows of all tapes of a run. */
export interface KeptRoom {
  bytes: number
  /** Of the temporary file; default: where the system has those. */
  readonly folder?: string | undefined
}

/** About 14 million trades. What finds no room goes into a temporary file. */
export const MOST_KEPT_BYTES = 64 * 1024 * 1024

const forgotten = new FinalizationRegistry<number>((descriptor) => {
  closeSync(descriptor)
})

/** Takes the blocks of a first pass. */
export class RowKeeper {
  readonly #room: KeptRoom
  readonly #codec = new BlockCodec()
  readonly #gatherer = new BlockGatherer((rows) => {
    this.#keep(rows)
  })
  readonly #blocks: KeptBlock[] = []
  #file: TemporaryFile | undefined
  #fileBytes = 0
  #isFull = false

  /** @param room  what is kept in memory is taken from it */
  constructor(room: KeptRoom) {
    this.#room = room
  }

  /** Keeps the rows of a block; gives up where the disk has no room for them either. */
  add(rows: StoredRows): void {
    if (!this.#isFull) this.#gatherer.add(rows)
  }

  /**
   * What was kept; undefined when there was no room.
   *
   * @param shiftMs  added to every time
   */
  finish(head: TapeHead, shiftMs = 0): KeptRows | undefined {
    if (!this.#isFull) this.#gatherer.end()
    return this.#isFull ? undefined : { head, blocks: this.#blocks, file: this.#file, shiftMs }
  }

  #keep(rows: StoredRows): void {
    if (this.#isFull) return
    const encoded = this.#codec.encode(rows)
    const { bytes } = encoded
    const at = bytes.length <= this.#room.bytes ? this.#inMemory(bytes) : this.#onDisk(bytes)
    if (at === undefined) this.#isFull = true
    else this.#blocks.push({ entry: entryOf(rows, encoded), at })
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
      this.#file ??= temporaryFile(this.#room.folder)
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

function temporaryFile(place = tmpdir()): TemporaryFile {
  const folder = mkdtempSync(join(place, '.papertape-'))
  const path = join(folder, 'rows')
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  rmdirSync(folder)
  const file = { descriptor }
  forgotten.register(file, descriptor)
  return file
}

/** Kept rows as a stored market. */
export class KeptMarket implements StoredMarket {
  readonly head: TapeHead
  readonly entries: readonly BlockEntry[]
  readonly gaps = undefined
  /** Nobody else has them. */
  readonly sha256 = ''
  readonly #kept: KeptRows
  readonly #codec = new BlockCodec()

  constructor(kept: KeptRows) {
    const { head, blocks, shiftMs } = kept
    this.#kept = kept
    this.head = head
    this.entries = shiftMs === 0 ? blocks.map(({ entry }) => entry) : blocks.map(({ entry }) => shifted(entry, shiftMs))
  }

  read(index: number): StoredRows {
    const kept = this.#kept.blocks[index]
    invariant(kept !== undefined, 'a block that was kept')
    const rows = checkedRows(this.#codec, 'kept rows', kept.entry, () => this.#bytesOf(kept))
    const { time, length } = rows.block
    const { shiftMs } = this.#kept
    if (shiftMs !== 0) for (let row = 0; row < length; row += 1) time[row] = (time[row] ?? 0) + shiftMs
    return rows
  }

  /** Its bytes as they are kept; undefined where its times are moved. */
  encoded(index: number): EncodedBlock | undefined {
    const kept = this.#kept.blocks[index]
    invariant(kept !== undefined, 'a block that was kept')
    return this.#kept.shiftMs === 0 ? { bytes: this.#bytesOf(kept), checksum: kept.entry.checksum } : undefined
  }

  #bytesOf({ at, entry }: KeptBlock): Uint8Array {
    if (typeof at !== 'number') return at
    const { file } = this.#kept
    invariant(file !== undefined, 'a block on the disk has a file')
    const bytes = new Uint8Array(entry.bytes)
    for (let read = 0; read < bytes.length;) {
      const more = readSync(file.descriptor, bytes, read, bytes.length - read, at + read)
      invariant(more > 0, 'a file without a name is as it was written')
      read += more
    }
    return bytes
  }
}

const shifted = (entry: BlockEntry, shiftMs: number): BlockEntry => ({
  ...entry,
  first: entry.first + shiftMs,
  last: entry.last + shiftMs,
  firstTraded: entry.firstTraded === null ? null : entry.firstTraded + shiftMs,
  divisor: greatestDivisor(entry.divisor, Math.abs(shiftMs)),
})
