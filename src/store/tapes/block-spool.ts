/**
 * Encoded blocks of a first pass, stored so that nothing has to be read and parsed again: in memory while they fit,
 * then in a private temporary file.
 *
 * Plain data over shared memory and a descriptor of this process: another thread can use it without a copy. The
 * temporary file is unlinked as soon as it is created, so it disappears however the process ends; it is closed when the
 * blocks are no longer referenced.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invariant } from '../../domain/errors.ts'

/** An encoded block, in memory or at an offset of the temporary file. */
export interface SpooledBlock<Entry> {
  readonly entry: Entry
  /** Bytes over shared memory, or an offset in the temporary file. */
  readonly at: Uint8Array | number
}

/** Blocks of one recording. */
export interface SpooledBlocks<Entry> {
  readonly blocks: readonly SpooledBlock<Entry>[]
  /** Undefined if all blocks are in memory. */
  readonly file: TemporaryFile | undefined
}

/** Unlinked temporary file; a copy of this object in another thread refers to the same file. */
interface TemporaryFile {
  readonly descriptor: number
}

/** Room in memory for the rows of all tapes of a run. */
export interface SpoolRoom {
  bytes: number
  /** Folder of the temporary file; default: the system's. */
  readonly folder?: string | undefined
}

/** About 14 million trades, or 20 million rows of a book. What finds no room goes into a temporary file. */
export const MAX_SPOOL_BYTES = 64 * 1024 * 1024

const forgotten = new FinalizationRegistry<number>((descriptor) => {
  closeSync(descriptor)
})

/** Takes encoded blocks of one recording. */
export class BlockSpool<Entry extends { readonly bytes: number }> {
  readonly #room: SpoolRoom
  readonly #blocks: SpooledBlock<Entry>[] = []
  #file: TemporaryFile | undefined
  #fileBytes = 0
  #isFull = false

  /** @param room  memory budget, reduced by the stored blocks */
  constructor(room: SpoolRoom) {
    this.#room = room
  }

  /** True once the disk had no room for a block: nothing more is stored. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Stores a block; stops storing if the disk is full too. */
  add(entry: Entry, bytes: Uint8Array): void {
    if (this.#isFull) return
    const at = bytes.length <= this.#room.bytes ? this.#inMemory(bytes) : this.#onDisk(bytes)
    if (at === undefined) this.#isFull = true
    else this.#blocks.push({ entry, at })
  }

  /** The stored blocks; undefined if there was not enough room. */
  finish(): SpooledBlocks<Entry> | undefined {
    return this.#isFull ? undefined : { blocks: this.#blocks, file: this.#file }
  }

  #inMemory(bytes: Uint8Array): Uint8Array {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
    shared.set(bytes)
    this.#room.bytes -= bytes.length
    return shared
  }

  /** Undefined when the disk does not take it. */
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

/** The bytes of the block with that index. */
export function spooledBytes<Entry extends { readonly bytes: number }>(
  { blocks, file }: SpooledBlocks<Entry>,
  index: number,
): Uint8Array {
  const block = blocks[index]
  invariant(block !== undefined, 'a block that was kept')
  const { at, entry } = block
  if (typeof at !== 'number') return at
  invariant(file !== undefined, 'a block on the disk has a file')
  const bytes = new Uint8Array(entry.bytes)
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file.descriptor, bytes, read, bytes.length - read, at + read)
    invariant(more > 0, 'a file without a name is as it was written')
    read += more
  }
  return bytes
}
