/**
 * The rows of a file as a first pass found them, kept as encoded blocks.
 *
 * Plain data, as the blocks are. Invariant: what is given out are the same integers that a second reading of the same
 * bytes would give.
 */
import { invariant } from '../../domain/errors.ts'
import { greatestDivisor } from '../../domain/greatest-divisor.ts'
import { BlockCodec, type StoredRows } from './blocks/block-codec.ts'
import type { EncodedBlock } from './blocks/sealed-block.ts'
import { entryOf, type BlockEntry } from './blocks/block-entry.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { checkedRows } from './blocks/checked-rows.ts'
import type { StoredMarket, TapeHead } from './blocks/stored-market.ts'
import { BlockKeeper, keptBytes, type KeptBlocks, type KeptRoom } from './kept-bytes.ts'

export interface KeptRows extends KeptBlocks<BlockEntry> {
  readonly head: TapeHead
  /** Added to every time: where candles are told by their end. */
  readonly shiftMs: number
}

/** Takes the blocks of a first pass. */
export class RowKeeper {
  readonly #codec = new BlockCodec()
  readonly #gatherer = new BlockGatherer((rows) => {
    this.#keep(rows)
  })
  readonly #blocks: BlockKeeper<BlockEntry>

  /** @param room  what is kept in memory is taken from it */
  constructor(room: KeptRoom) {
    this.#blocks = new BlockKeeper(room)
  }

  /** Keeps the rows of a block; gives up where the disk has no room for them either. */
  add(rows: StoredRows): void {
    if (!this.#blocks.isFull) this.#gatherer.add(rows)
  }

  /**
   * What was kept; undefined when there was no room.
   *
   * @param shiftMs  added to every time
   */
  finish(head: TapeHead, shiftMs = 0): KeptRows | undefined {
    if (!this.#blocks.isFull) this.#gatherer.end()
    const kept = this.#blocks.finish()
    return kept && { head, ...kept, shiftMs }
  }

  #keep(rows: StoredRows): void {
    if (this.#blocks.isFull) return
    const encoded = this.#codec.encode(rows)
    this.#blocks.add(entryOf(rows, encoded), encoded.bytes)
  }
}

/** Kept rows as a stored market. */
export class KeptMarket implements StoredMarket {
  readonly head: TapeHead
  readonly entries: readonly BlockEntry[]
  readonly gaps = undefined
  /** Nobody else has them. */
  readonly sha256 = ''
  readonly #kept: KeptRows
  /** Candles of one time are told apart later. */
  readonly #codec = new BlockCodec(0)

  constructor(kept: KeptRows) {
    const { head, blocks, shiftMs } = kept
    this.#kept = kept
    this.head = head
    this.entries = shiftMs === 0 ? blocks.map(({ entry }) => entry) : blocks.map(({ entry }) => shifted(entry, shiftMs))
  }

  read(index: number): StoredRows {
    const kept = this.#kept.blocks[index]
    const rows = checkedRows(this.#codec, 'kept rows', kept?.entry, () => keptBytes(this.#kept, index))
    const { time, length } = rows.block
    const { shiftMs } = this.#kept
    if (shiftMs !== 0) for (let row = 0; row < length; row += 1) time[row] = (time[row] ?? 0) + shiftMs
    return rows
  }

  /** Its bytes as they are kept; undefined where its times are moved. */
  encoded(index: number): EncodedBlock | undefined {
    const kept = this.#kept.blocks[index]
    invariant(kept !== undefined, 'a block that was kept')
    if (this.#kept.shiftMs !== 0) return undefined
    return { bytes: keptBytes(this.#kept, index), checksum: kept.entry.checksum }
  }
}

const shifted = (entry: BlockEntry, shiftMs: number): BlockEntry => ({
  ...entry,
  first: entry.first + shiftMs,
  last: entry.last + shiftMs,
  firstTraded: entry.firstTraded === null ? null : entry.firstTraded + shiftMs,
  divisor: greatestDivisor(entry.divisor, Math.abs(shiftMs)),
})
