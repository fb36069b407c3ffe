/** The tape in a database that a recording appends to, in its own transactions. */
import { InputError } from '../../domain/errors.ts'
import { GapDetector } from '../../tape/gap-detector.ts'
import { isCandleBlock, MAX_BLOCK_ROWS, SIDE_BUY, SIDE_SELL, type TapeBlock } from '../../tape/tape.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { BlockCodec, type StoredRows } from '../tapes/blocks/block-codec.ts'
import { entryOf } from '../tapes/blocks/block-entry.ts'
import { BlockGatherer } from '../tapes/blocks/block-gatherer.ts'
import { largestUnits, type StoredMarket, type TapeHead } from '../tapes/blocks/stored-market.ts'
import type { DatabaseMarket } from '../tapes/database/market-reader.ts'
import type { MarketEnd, TapeDatabase } from '../tapes/database/tape-database.ts'
import type { NewestRow } from '../tapes/database/newest-rows.ts'
import type { IncomingMarket } from '../tapes/imports/merge-market.ts'
import { mergeRowsIntoStore } from '../tapes/imports/store-target.ts'
import { RecordedOrder } from './recorded-order.ts'
import type { RecordedSymbol } from './recording.ts'

/** Wait for another writer at the start of a recording. */
const FIRST_WAIT_MS = 5_000

export interface RowsToCommit {
  readonly rows: readonly NewestRow[]
  readonly gaps: readonly MarkedGap[]
  /** True for the last rows. */
  readonly isLast: boolean
}

/** Gaps in the trade ids of a market. @throws {InputError} naming a damaged block */
export function jumpedIds(market: StoredMarket): readonly MarkedGap[] {
  // Long silences are estimated in addition to marked gaps, so only ids count here.
  const detector = new GapDetector(Number.POSITIVE_INFINITY)
  const gaps: MarkedGap[] = []
  for (const index of market.entries.keys()) {
    const { block } = market.read(index)
    if (isCandleBlock(block) || !(block.ids instanceof Float64Array)) continue
    for (let row = 0; row < block.length; row += 1) {
      const time = block.time[row] ?? 0
      if (!detector.next(0, time, block.ids[row] ?? Number.NaN, false)) continue
      gaps.push({ from: detector.timeBefore, to: time, why: 'ids are missing' })
    }
  }
  return gaps
}

export class RecordedTape {
  readonly #place: string
  readonly #store: TapeDatabase
  readonly #head: TapeHead
  readonly #precisions: TapePrecisions
  readonly #id: number
  #end: MarketEnd | undefined
  #order: RecordedOrder
  /** True if the ids of the market are strings; undefined without rows. */
  #hasTexts: boolean | undefined
  /** Gaps when it was opened. */
  readonly gaps: readonly MarkedGap[]

  /** @throws {InputError} if its rows cannot be continued, or if another process is writing */
  constructor(place: string, store: TapeDatabase, { symbol, pricePrecision, qtyPrecision }: RecordedSymbol) {
    this.#place = place
    this.#store = store
    this.#precisions = { pricePrecision, qtyPrecision }
    this.#head = { symbol, kind: 'trades', intervalMs: null, hasConditions: false }
    if (!store.begin(FIRST_WAIT_MS))
      throw new InputError(place, 'another process is writing to the database: wait until it has finished')
    const { id } = store.ensure(this.#head)
    this.#id = id
    // Left by a killed process, possibly with other precisions.
    store.sealNewest(id)
    // From now on gaps are marked instead of estimated: mark the estimated ones first.
    const before = store.ensure(this.#head)
    store.addGaps(id, before.gaps === undefined ? jumpedIds(before) : [])
    joinLast(store, store.ensure(this.#head))
    const market = store.ensure(this.#head)
    this.#check(market)
    this.gaps = market.gaps ?? []
    this.#order = orderOf(market)
    this.#remember(market)
    store.commit()
  }

  get order(): RecordedOrder {
    return this.#order
  }

  /** An id in the type of the tape. */
  idOf(id: string): number | string {
    this.#hasTexts ??= this.#order.idForm !== 'number'
    return this.#hasTexts ? id : Number(id)
  }

  /**
   * Commits rows that follow the earlier ones, and gaps, atomically.
   *
   * @returns false if another process is writing for longer than the wait
   * @throws {InputError} if they contradict rows of others, or cannot be written
   */
  commit({ rows, gaps, isLast }: RowsToCommit, waitMs: number): boolean {
    const store = this.#store
    if (!store.begin(waitMs)) return false
    try {
      if (store.idOf(this.#head) !== this.#id) throw new InputError(this.#place, 'was removed from the database')
      const isOurs = sameEnd(store.endOf(this.#id), this.#end)
      if (rows.length > 0 && isOurs) store.appendNewest(this.#id, this.#precisions, rows)
      else if (rows.length > 0) mergeRowsIntoStore(store, this.#place, incomingOf(this.#head, this.#precisions, rows))
      if (isLast) store.sealNewest(this.#id)
      if (gaps.length > 0) store.addGaps(this.#id, gaps)
      if (rows.length > 0 && !isOurs) this.#remember(store.ensure(this.#head))
      else if (rows.length > 0) this.#end = store.endOf(this.#id)
      store.commit()
      return true
    } catch (error) {
      store.rollback()
      throw error
    }
  }

  close(): void {
    this.#store.close()
  }

  #remember(market: DatabaseMarket): void {
    this.#order = orderOf(market)
    this.#end = this.#store.endOf(market.id)
    const firstId = market.entries[0]?.firstId
    this.#hasTexts = firstId === undefined ? undefined : typeof firstId === 'string'
  }

  #check({ entries }: DatabaseMarket): void {
    const [first] = entries
    if (first === undefined) return
    if (first.firstId === null) {
      throw new InputError(
        this.#place,
        'the database has trades without ids, so recording cannot continue there: use another database',
      )
    }
    const precisions = entries.reduce(
      (finest, entry) => ({
        pricePrecision: Math.max(finest.pricePrecision, entry.pricePrecision),
        qtyPrecision: Math.max(finest.qtyPrecision, entry.qtyPrecision),
      }),
      this.#precisions,
    )
    const { price, qty } = largestUnits(entries, precisions)
    if (Math.max(price, qty) <= Number.MAX_SAFE_INTEGER) return
    throw new InputError(
      this.#place,
      'its prices and quantities are too large for the decimals of the market: use another database',
    )
  }
}

const sameEnd = (one: MarketEnd | undefined, other: MarketEnd | undefined): boolean =>
  one?.id === other?.id && one?.time === other?.time

/** Merges the last two blocks if they fit into one: short recordings would leave many small blocks. */
function joinLast(store: TapeDatabase, market: DatabaseMarket): void {
  const { entries, blockIds, id } = market
  const [one, other] = entries.slice(-2)
  if (one === undefined || other === undefined || one.rows + other.rows > MAX_BLOCK_ROWS) return
  if (one.pricePrecision !== other.pricePrecision || one.qtyPrecision !== other.qtyPrecision) return
  const into = new BlockGatherer((rows) => {
    store.addBlock(id, rows)
  })
  for (const index of [entries.length - 2, entries.length - 1]) {
    into.add(market.read(index))
    store.dropBlock(blockIds[index] ?? -1)
  }
  into.end()
}

function orderOf(market: DatabaseMarket): RecordedOrder {
  const rows: { readonly id: string; readonly createdAt: number }[] = []
  const time = market.entries.at(-1)?.last
  for (let index = market.entries.length - 1; market.entries[index]?.last === time && index >= 0; index -= 1) {
    const { block } = market.read(index)
    if (isCandleBlock(block)) break
    for (let row = block.length - 1; row >= 0 && block.time[row] === time; row -= 1) {
      rows.unshift({ id: String(block.ids?.[row] ?? ''), createdAt: time ?? 0 })
    }
  }
  const firstId = market.entries[0]?.firstId
  return new RecordedOrder(firstId === undefined ? undefined : String(firstId), rows)
}

/** Rows as a market to merge into another. */
function incomingOf(head: TapeHead, precisions: TapePrecisions, rows: readonly NewestRow[]): IncomingMarket {
  const codec = new BlockCodec()
  const blocks = Array.from({ length: Math.ceil(rows.length / MAX_BLOCK_ROWS) }, (_, at) => {
    const stored: StoredRows = {
      block: blockOf(rows.slice(at * MAX_BLOCK_ROWS, (at + 1) * MAX_BLOCK_ROWS)),
      ...precisions,
    }
    const encoded = codec.encode(stored)
    return { encoded, entry: entryOf(stored, encoded) }
  })
  return {
    head,
    entries: blocks.map(({ entry }) => entry),
    gaps: undefined,
    sha256: '',
    encoded: (index) => blocks[index]?.encoded,
    read: (index) => {
      const { bytes = new Uint8Array(), checksum = 0 } = blocks[index]?.encoded ?? {}
      return codec.decode(bytes, checksum)
    },
  }
}

function blockOf(rows: readonly NewestRow[]): TapeBlock {
  const ids = rows.map(({ id }) => id)
  return {
    length: rows.length,
    time: Float64Array.from(rows, ({ time }) => time),
    price: Float64Array.from(rows, ({ price }) => price),
    qty: Float64Array.from(rows, ({ qty }) => qty),
    side: Uint8Array.from(rows, ({ isBuyerMaker }) => (isBuyerMaker ? SIDE_SELL : SIDE_BUY)),
    ids: typeof ids[0] === 'string' ? ids.map(String) : Float64Array.from(ids, Number),
  }
}
