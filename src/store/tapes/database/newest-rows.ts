/**
 * The newest rows of recordings in a plain table, in order of arrival, until they form a block.
 *
 * Invariants: the rows of one market have one precision and come after all of its blocks; a commit leaves fewer of them
 * than a block has.
 */
import type Database from 'better-sqlite3'
import { MAX_BLOCK_ROWS, SIDE_BUY, SIDE_SELL } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { StoredRows } from '../blocks/block-codec.ts'

/** A recorded trade as it is stored. */
export interface NewestRow {
  /** A safe integer, or any other text: all of a market of one form. */
  readonly id: number | string
  /** Unix milliseconds. */
  readonly time: number
  /** Ticks and lots. */
  readonly price: number
  readonly qty: number
  readonly isBuyerMaker: boolean
}

type Columns = readonly [number | string, number, number, number, number]

const COLUMNS = 'trade, time, price, qty, buyer_maker'

export class NewestRows {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  append(tape: number, { pricePrecision, qtyPrecision }: TapePrecisions, rows: readonly NewestRow[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO newest (tape, ${COLUMNS}, price_precision, qty_precision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const { id, time, price, qty, isBuyerMaker } of rows) {
      insert.run(tape, id, time, price, qty, isBuyerMaker ? 1 : 0, pricePrecision, qtyPrecision)
    }
  }

  count(tape: number): number {
    return Number(this.#database.prepare('SELECT count(*) FROM newest WHERE tape = ?').pluck().get(tape))
  }

  /** The oldest of them, as many as a block has at most; undefined without any. */
  read(tape: number): StoredRows | undefined {
    const precisions = this.#database
      .prepare<[number], TapePrecisions>(
        'SELECT price_precision AS pricePrecision, qty_precision AS qtyPrecision FROM newest WHERE tape = ? LIMIT 1',
      )
      .get(tape)
    if (precisions === undefined) return undefined
    const rows = this.#database
      .prepare<[number, number], Columns>(`SELECT ${COLUMNS} FROM newest WHERE tape = ? ORDER BY id LIMIT ?`)
      .raw()
      .all(tape, MAX_BLOCK_ROWS)
    return { block: blockOf(rows), ...precisions }
  }

  /** Removes the oldest rows. */
  drop(tape: number, count: number): void {
    this.#database
      .prepare('DELETE FROM newest WHERE id IN (SELECT id FROM newest WHERE tape = ? ORDER BY id LIMIT ?)')
      .run(tape, count)
  }

  /** The last of them; undefined without any. */
  last(tape: number): { readonly id: number | string; readonly time: number } | undefined {
    return this.#database
      .prepare<[number], { readonly id: number | string; readonly time: number }>(
        'SELECT trade AS id, time FROM newest WHERE tape = ? ORDER BY newest.id DESC LIMIT 1',
      )
      .get(tape)
  }
}

function blockOf(rows: readonly Columns[]): StoredRows['block'] {
  const { length } = rows
  const ids = rows.map(([id]) => id)
  const isText = typeof ids[0] === 'string'
  return {
    length,
    time: Float64Array.from(rows, ([, time]) => time),
    price: Float64Array.from(rows, ([, , price]) => price),
    qty: Float64Array.from(rows, ([, , , qty]) => qty),
    side: Uint8Array.from(rows, ([, , , , buyerMaker]) => (buyerMaker === 1 ? SIDE_SELL : SIDE_BUY)),
    ids: isText ? ids.map(String) : Float64Array.from(ids, Number),
  }
}
