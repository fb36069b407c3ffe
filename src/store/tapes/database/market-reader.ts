/**
 * Reads the markets of a store: their indexes, and single blocks.
 *
 * Rows of a recording that are not in a block yet are encoded as a last block when the market is requested.
 */
import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import { InputError } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import type { BlockCodec, StoredRows } from '../blocks/block-codec.ts'
import type { EncodedBlock } from '../blocks/sealed-block.ts'
import { BLOCK_ENTRY, entryOf, type BlockEntry } from '../blocks/block-entry.ts'
import { checkedRows } from '../blocks/checked-rows.ts'
import type { StoredMarket, TapeHead } from '../blocks/stored-market.ts'
import type { NewestRows } from './newest-rows.ts'

/** A market of a store, whose blocks are read one by one. */
export interface DatabaseMarket extends StoredMarket {
  /** Its number in the store. */
  readonly id: number
  /** Numbers of its blocks, one per entry; negative for rows not in a block yet. */
  readonly blockIds: readonly number[]
  readonly seen: SeenMarket
}

/**
 * State of a market as a reader saw it, while it may grow: plain data with which another reader finds the same rows.
 */
export interface SeenMarket {
  /** Number of the last block that was made. */
  readonly lastBlock: number
  /** Rows after the blocks. */
  readonly newest: SeenRows | undefined
  readonly gaps: readonly MarkedGap[] | undefined
}

interface SeenRows {
  readonly entry: BlockEntry
  readonly encoded: EncodedBlock
}

/** Row of the table. */
export interface TapeRow {
  readonly id: number
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  readonly interval: number | null
  readonly conditions: number
  readonly marked: number
}

export class MarketReader {
  readonly #file: string
  readonly #database: Database.Database
  readonly #codec: BlockCodec
  readonly #newest: NewestRows
  readonly #readBytes: Database.Statement<[number], { readonly bytes: Buffer }>

  constructor(file: string, database: Database.Database, codec: BlockCodec, newest: NewestRows) {
    this.#file = file
    this.#database = database
    this.#codec = codec
    this.#newest = newest
    this.#readBytes = database.prepare('SELECT bytes FROM block WHERE id = ?')
  }

  /** @param was  as another reader saw it */
  marketOf({ id, symbol, kind, interval, conditions, marked }: TapeRow, was?: SeenMarket): DatabaseMarket {
    const blocks = this.#database
      .prepare<[number, number], { readonly id: number; readonly entry: string }>(
        'SELECT id, entry FROM block WHERE tape = ? AND id <= ? ORDER BY first, last, id',
      )
      .all(id, was?.lastBlock ?? Number.MAX_SAFE_INTEGER)
    const seen = was ?? {
      lastBlock: blocks.reduce((last, block) => Math.max(last, block.id), 0),
      newest: this.#seenNewest(id),
      gaps: marked === 1 ? gapsOf(this.#database, id) : undefined,
    }
    const { newest, gaps } = seen
    const made = blocks.map(({ id: block, entry }) => this.entryOf(block, entry))
    const entries = newest === undefined ? made : [...made, newest.entry]
    const head = { symbol, kind, intervalMs: interval, hasConditions: conditions === 1 }
    const blockIds = blocks.map((block) => block.id)
    return {
      id,
      head,
      entries,
      gaps,
      seen,
      blockIds: newest === undefined ? blockIds : [...blockIds, -id],
      sha256: createHash('sha256')
        .update(JSON.stringify([head, entries, gaps]))
        .update(newest?.encoded.bytes ?? '')
        .digest('hex'),
      read: (index) => this.#read(head, entries, index, () => this.#bytesOf(blockIds[index], newest)),
    }
  }

  #seenNewest(tape: number): SeenRows | undefined {
    const rows = this.#newest.read(tape)
    if (rows === undefined) return undefined
    const encoded = this.#codec.encode(rows)
    return { entry: entryOf(rows, encoded), encoded }
  }

  /** @throws {InputError} when it is damaged */
  entryOf(block: number, text: string): BlockEntry {
    try {
      return BLOCK_ENTRY.parse(JSON.parse(text))
    } catch (error) {
      throw new InputError(this.#file, `is damaged: the index has no valid entry for block ${block}`, { cause: error })
    }
  }

  #read(
    { symbol }: TapeHead,
    entries: readonly BlockEntry[],
    index: number,
    bytesOf: () => Uint8Array | undefined,
  ): StoredRows {
    const place = `${this.#file}: block ${index + 1} of ${entries.length} of ${symbol}`
    const bytes = bytesOf()
    if (bytes === undefined) throw new InputError(place, 'is missing: the database changed meanwhile')
    return checkedRows(this.#codec, place, entries[index], () => bytes)
  }

  /** @param id  of a block; undefined for the rows after the last */
  #bytesOf(id: number | undefined, newest: SeenRows | undefined): Uint8Array | undefined {
    return id === undefined ? newest?.encoded.bytes : withFaultsNamed(this.#file, () => this.#readBytes.get(id))?.bytes
  }
}

/** Marked gaps of a market, oldest first. */
export function gapsOf(database: Database.Database, tape: number): readonly MarkedGap[] {
  return database
    .prepare<[number], MarkedGap>(
      'SELECT start AS "from", stop AS "to", why FROM gap WHERE tape = ? ORDER BY start, stop',
    )
    .all(tape)
}
