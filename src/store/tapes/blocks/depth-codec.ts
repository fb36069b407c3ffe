/**
 * Encodes changes of a recorded book: the book before them, then three streams of varints.
 *
 * Purpose: with the book before its first row, a block can be played without earlier ones; a reader that has that book
 * skips decoding it. Order removals follow in an order-level recording. The streams:
 * - Frames: time since the previous frame, flags, rows per side.
 * - Prices: the first of a side relative to the previous frame's first, the next as steps away from the best.
 * - Lots.
 *
 * Invariant: decoding gives the same rows and the same book, value by value; anything that is no valid `DepthBlock` is
 * rejected.
 * Known limitation: at most 2^20 rows per block, and no frame may have more.
 * Complexity: linear in rows and levels of the book; a compact block is a fifth smaller, and read at half the speed.
 * Source: own design, with LEB128 varints; docs/decisions/022-recorded-books.md.
 */
import { invariant } from '../../../domain/errors.ts'
import type { BookState } from '../../../tape/book/book-state.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { bookBytes, readBook } from './book-bytes.ts'
import { BlockFault, ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readFalls, writeFalls } from './fall-stream.ts'
import { FrameStreams } from './frame-streams.ts'
import { DEPTH, openedBlock, ORDERS, readHead, sealedBlock, writeHead, type EncodedBlock } from './sealed-block.ts'

/** Maximum of rows per block; its frames are complete, and no frame has more. */
const MAX_ROWS = 2 ** 20

/** Rows with the book before the first of them. */
export interface StoredDepth extends TapePrecisions {
  readonly block: DepthBlock
  readonly before: BookState
}

export class DepthCodec {
  readonly #streams = new FrameStreams()

  /** @param isCompact  a fifth smaller, and read at half the speed */
  encode({ block, before, pricePrecision, qtyPrecision }: StoredDepth, isCompact = false): EncodedBlock {
    const { length } = block
    invariant(length >= 1 && length <= MAX_ROWS, 'a block has rows, and not too many')
    const out = new ByteWriter(length * 6 + 1024)
    const kind = block.falls === undefined ? DEPTH : ORDERS
    writeHead({ kind, length, pricePrecision, qtyPrecision }, out)
    const book = bookBytes(before)
    out.uint32(book.length)
    out.raw(book)
    this.#streams.write(block, out)
    if (block.falls !== undefined) writeFalls(block.falls, block, out)
    return sealedBlock(out.taken(), isCompact)
  }

  /**
   * Rows in columns of their own.
   *
   * @throws {BlockFault} when the checksum is another, or the bytes are not of such a block
   */
  decode(bytes: Uint8Array, checksum: number): Omit<StoredDepth, 'before'> {
    const { source, length, kind, ...precisions } = opened(bytes, checksum)
    source.raw(source.uint32())
    const rows = this.#streams.read(source, length)
    const block = kind === ORDERS ? { ...rows, falls: readFalls(source, rows) } : rows
    source.end()
    return { block, ...precisions }
  }

  /**
   * The book before the first row.
   *
   * @throws {BlockFault} as `decode` does
   */
  decodeBefore(bytes: Uint8Array, checksum: number): BookState {
    const { source } = opened(bytes, checksum)
    const book = new ByteReader(source.raw(source.uint32()))
    const state = readBook(book)
    book.end()
    return state
  }
}

function opened(
  bytes: Uint8Array,
  checksum: number,
): TapePrecisions & { source: ByteReader; length: number; kind: number } {
  const source = openedBlock(bytes, checksum)
  const { kind, length, pricePrecision, qtyPrecision } = readHead(source, MAX_ROWS)
  if (kind !== DEPTH && kind !== ORDERS) throw new BlockFault('it has no changes of a book')
  return { source, length, kind, pricePrecision, qtyPrecision }
}
