/**
 * Rows of a file from a first pass, stored as encoded blocks.
 *
 * Plain data, as the blocks are. Invariant: reading them gives the same integers as a second pass over the same bytes.
 */
import { invariant } from '../../domain/errors.ts'
import { greatestDivisor } from '../../domain/greatest-divisor.ts'
import { BlockCodec, type StoredRows } from './blocks/block-codec.ts'
import type { EncodedBlock } from './blocks/sealed-block.ts'
import { entryOf, type BlockEntry } from './blocks/block-entry.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { checkedRows } from './blocks/checked-rows.ts'
import type { StoredMarket, TapeHead } from './blocks/stored-market.ts'
import { BlockSpool, spooledBytes, type SpooledBlocks, type SpoolRoom } from './block-spool.ts'

export interface SpooledRows extends SpooledBlocks<BlockEntry> {
  readonly head: TapeHead
  /** Added to every time, if candles are stamped with their end. */
  readonly shiftMs: number
}

/** Takes the blocks of a first pass. */
export class RowSpool {
  readonly #codec = new BlockCodec()
  readonly #gatherer = new BlockGatherer((rows) => {
    this.#spool(rows)
  })
  readonly #blocks: BlockSpool<BlockEntry>

  /** @param room  memory budget, reduced by the stored blocks */
  constructor(room: SpoolRoom) {
    this.#blocks = new BlockSpool(room)
  }

  /** Stores the rows of a block; stops storing if the disk is full too. */
  add(rows: StoredRows): void {
    if (!this.#blocks.isFull) this.#gatherer.add(rows)
  }

  /**
   * The stored rows; undefined if there was not enough room.
   *
   * @param shiftMs  added to every time
   */
  finish(head: TapeHead, shiftMs = 0): SpooledRows | undefined {
    if (!this.#blocks.isFull) this.#gatherer.end()
    const spooled = this.#blocks.finish()
    return spooled && { head, ...spooled, shiftMs }
  }

  #spool(rows: StoredRows): void {
    if (this.#blocks.isFull) return
    const encoded = this.#codec.encode(rows)
    this.#blocks.add(entryOf(rows, encoded), encoded.bytes)
  }
}

/** Stored rows of a first pass as a market. */
export class SpooledMarket implements StoredMarket {
  readonly head: TapeHead
  readonly entries: readonly BlockEntry[]
  readonly gaps = undefined
  /** Empty, because they are not shared. */
  readonly sha256 = ''
  readonly #spooled: SpooledRows
  /** Candles with equal times are resolved later. */
  readonly #codec = new BlockCodec(0)

  constructor(spooled: SpooledRows) {
    const { head, blocks, shiftMs } = spooled
    this.#spooled = spooled
    this.head = head
    this.entries = shiftMs === 0 ? blocks.map(({ entry }) => entry) : blocks.map(({ entry }) => shifted(entry, shiftMs))
  }

  read(index: number): StoredRows {
    const spooled = this.#spooled.blocks[index]
    const rows = checkedRows(this.#codec, 'kept rows', spooled?.entry, () => spooledBytes(this.#spooled, index))
    const { time, length } = rows.block
    const { shiftMs } = this.#spooled
    if (shiftMs !== 0) for (let row = 0; row < length; row += 1) time[row] = (time[row] ?? 0) + shiftMs
    return rows
  }

  /** Its bytes as stored; undefined if its times are shifted. */
  encoded(index: number): EncodedBlock | undefined {
    const spooled = this.#spooled.blocks[index]
    invariant(spooled !== undefined, 'a block that was kept')
    if (this.#spooled.shiftMs !== 0) return undefined
    return { bytes: spooledBytes(this.#spooled, index), checksum: spooled.entry.checksum }
  }
}

const shifted = (entry: BlockEntry, shiftMs: number): BlockEntry => ({
  ...entry,
  first: entry.first + shiftMs,
  last: entry.last + shiftMs,
  firstTraded: entry.firstTraded === null ? null : entry.firstTraded + shiftMs,
  divisor: greatestDivisor(entry.divisor, Math.abs(shiftMs)),
})
