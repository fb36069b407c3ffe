/**
 * Rows that come to those that are stored: each once.
 *
 * Invariants: a trade is known by its id; one that is there already with the same content is dropped and counted, with
 * other content it is an error. Trades without ids are counted: of equal ones in one millisecond, as many are there
 * afterwards as there were on the side that had more. A candle is known by its time. Nothing that is stored is changed.
 */
import { InputError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { formatUnits } from '../../../domain/fixed-point.ts'
import { isoTime } from '../../../domain/time.ts'
import { type CandleBlock, isCandleBlock, SIDE_BUY, SIDE_UNKNOWN, type TapeBlock } from '../../../tape/tape.ts'
import type { StoredRows } from '../blocks/block-codec.ts'
import type { BlockGatherer } from '../blocks/block-gatherer.ts'
import type { RowAt, RowCursor } from './row-cursor.ts'

/**
 * Number of equal rows from both positions on, value by value, in the same order.
 *
 * Invariant: it covers whole moments, so the next row begins a moment in both blocks; integer ids among them rise. Rows
 * of a moment at the end of a block are not counted, because the next block may have more of it.
 *
 * @param one    the first row of a moment
 * @param other  the same, of a block in the same precisions
 */
export function equalRun(one: RowAt, other: RowAt): number {
  const [a, b] = [one.rows.block, other.rows.block]
  const most = Math.min(a.length - one.row, b.length - other.row)
  let count = 0
  if (isCandleBlock(a)) count = isCandleBlock(b) ? equalCandles(a, one.row, b, other.row, most) : 0
  else if (!isCandleBlock(b)) count = equalTrades(a, one.row, b, other.row, most)
  while (count > 0 && !(beginsMoment(one, count) && beginsMoment(other, count))) count -= 1
  return count
}

function beginsMoment({ rows: { block }, row }: RowAt, count: number): boolean {
  const at = row + count
  return at < block.length && block.time[at] !== block.time[at - 1]
}

function equalCandles(a: CandleBlock, atA: number, b: CandleBlock, atB: number, most: number): number {
  let count = equalColumn(a.time, atA, b.time, atB, most)
  count = equalColumn(a.open, atA, b.open, atB, count)
  count = equalColumn(a.high, atA, b.high, atB, count)
  count = equalColumn(a.low, atA, b.low, atB, count)
  count = equalColumn(a.close, atA, b.close, atB, count)
  return equalColumn(a.volume, atA, b.volume, atB, count)
}

function equalTrades(a: TapeBlock, atA: number, b: TapeBlock, atB: number, most: number): number {
  let count = equalIds(a, atA, b, atB, most)
  count = equalColumn(a.time, atA, b.time, atB, count)
  count = equalColumn(a.price, atA, b.price, atB, count)
  count = equalColumn(a.qty, atA, b.qty, atB, count)
  count = equalColumn(a.side, atA, b.side, atB, count)
  if (a.isDoubtful === undefined && b.isDoubtful === undefined) return count
  let row = 0
  while (row < count && (a.isDoubtful?.[atA + row] ?? 0) === (b.isDoubtful?.[atB + row] ?? 0)) row += 1
  return row
}

function equalIds(a: TapeBlock, atA: number, b: TapeBlock, atB: number, most: number): number {
  if (a.ids === undefined || b.ids === undefined) return a.ids === b.ids ? most : 0
  if (a.ids instanceof Float64Array) {
    return b.ids instanceof Float64Array ? rising(a.ids, atA, equalColumn(a.ids, atA, b.ids, atB, most)) : 0
  }
  let row = 0
  while (row < most && a.ids[atA + row] === b.ids[atB + row]) row += 1
  return row
}

/** Number of rows before the first id that is not above the previous one. */
function rising(ids: Float64Array, start: number, count: number): number {
  for (let row = 1; row < count; row += 1) {
    if ((ids[start + row] ?? 0) <= (ids[start + row - 1] ?? 0)) return row
  }
  return count
}

type Column = Float64Array | Uint8Array

function equalColumn<Of extends Column>(a: Of, atA: number, b: Of, atB: number, most: number): number {
  for (let row = 0; row < most; row += 1) if (a[atA + row] !== b[atB + row]) return row
  return most
}

export interface MergeCounts {
  readonly imported: number
  readonly duplicates: number
}

export interface Merge {
  /** Name of the file for errors. */
  readonly file: string
  /** Both in the same precisions. */
  readonly stored: RowCursor
  readonly incoming: RowCursor
  /** Incoming rows have been held to the law of their ids. */
  readonly isChecked: boolean
  /** Last numeric id before the first row; -1 if there is none. */
  readonly idBefore: number
  readonly into: BlockGatherer
  /**
   * Takes the time of each candle that is left out because one of its time has other figures; without it that is an
   * error.
   */
  readonly onClash?: (time: number) => void
}

/** @throws {InputError} for a row that contradicts another */
export function mergeRows(merge: Merge): MergeCounts {
  return new RowMerge(merge).run()
}

class RowMerge {
  readonly #merge: Merge
  #imported = 0
  #duplicates = 0
  /** Clashes of the present moment. */
  #clashes = 0
  #lastId: number

  constructor(merge: Merge) {
    this.#merge = merge
    this.#lastId = merge.idBefore
  }

  run(): MergeCounts {
    const { stored, incoming, isChecked } = this.#merge
    while (incoming.time < Number.POSITIVE_INFINITY || stored.time < Number.POSITIVE_INFINITY) {
      if (stored.time < incoming.time) {
        stored.takeBefore(incoming.time, (rows, start, end) => {
          this.#add(rows, start, end)
        })
      } else if (isChecked && incoming.time < stored.time) {
        incoming.takeBefore(stored.time, (rows, start, end) => {
          this.#imported += end - start
          this.#add(rows, start, end)
        })
      } else if (!this.#sameRows()) this.#moment(incoming.time)
    }
    return { imported: this.#imported, duplicates: this.#duplicates }
  }

  /**
   * Fast path for identical rows, as of a file imported again.
   *
   * @returns false if there are none
   */
  #sameRows(): boolean {
    const { stored, incoming } = this.#merge
    const [mine, theirs] = [stored.here, incoming.here]
    const count = mine === undefined || theirs === undefined ? 0 : equalRun(mine, theirs)
    if (mine === undefined || count === 0) return false
    this.#duplicates += count
    this.#add(mine.rows, mine.row, mine.row + count)
    stored.skip(count)
    incoming.skip(count)
    return true
  }

  /** All rows of one moment. */
  #moment(time: number): void {
    const stored = rowsAt(this.#merge.stored, time)
    const incoming = rowsAt(this.#merge.incoming, time)
    const known = new Map<string, RowAt[]>()
    for (const row of stored) listIn(known, keyOf(row)).push(row)
    const hasIds = stored.concat(incoming).some((row) => idOf(row) !== undefined || isCandle(row))
    const added = hasIds ? this.#unknownById(known, incoming, time) : this.#unknownByCount(known, incoming)
    this.#imported += added.length
    this.#duplicates += incoming.length - added.length - this.#clashes
    this.#clashes = 0
    const all = [...stored, ...added]
    if (typeof idOf(all[0]) === 'number') all.sort((one, other) => Number(idOf(one)) - Number(idOf(other)))
    for (const { rows, row } of all) this.#add(rows, row, row + 1)
  }

  #unknownById(known: Map<string, RowAt[]>, incoming: readonly RowAt[], time: number): readonly RowAt[] {
    const added: RowAt[] = []
    for (const row of incoming) {
      const key = keyOf(row)
      const [before] = known.get(key) ?? []
      if (before === undefined) {
        known.set(key, [row])
        added.push(row)
      } else if (contentOf(before) === contentOf(row)) {
        continue
      } else if (this.#merge.onClash !== undefined && isCandle(row)) {
        this.#clashes += 1
        this.#merge.onClash(time)
      } else {
        const what = isCandle(row) ? 'the candle' : `the trade with the id '${escapedExcerpt(String(idOf(row)))}'`
        const expected = `expected ${what} of ${isoTime(time)} as it is there already, ${reportedOf(before)}`
        throw new InputError(this.#merge.file, `${expected}; got ${reportedOf(row)}`)
      }
    }
    return added
  }

  #unknownByCount(known: ReadonlyMap<string, readonly RowAt[]>, incoming: readonly RowAt[]): readonly RowAt[] {
    const counts = new Map<string, number>()
    return incoming.filter((row) => {
      const key = keyOf(row)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count > (known.get(key)?.length ?? 0)
    })
  }

  #add(rows: StoredRows, start: number, end: number): void {
    const { block } = rows
    if (!isCandleBlock(block) && block.ids instanceof Float64Array) {
      const first = block.ids[start] ?? 0
      if (first <= this.#lastId) {
        const when = isoTime(block.time[start] ?? 0)
        throw new InputError(
          this.#merge.file,
          `expected an id above ${this.#lastId}, that of the row before, at ${when}, got ${first}`,
        )
      }
      this.#lastId = block.ids[end - 1] ?? first
    }
    this.#merge.into.add(rows, start, end)
  }
}

function rowsAt(cursor: RowCursor, time: number): RowAt[] {
  const found: RowAt[] = []
  while (cursor.time === time) {
    const row = cursor.take()
    if (row !== undefined) found.push(row)
  }
  return found
}

function listIn(lists: Map<string, RowAt[]>, key: string): RowAt[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

const isCandle = ({ rows }: RowAt): boolean => isCandleBlock(rows.block)

function idOf(at: RowAt | undefined): number | string | undefined {
  const block = at?.rows.block
  return block === undefined || isCandleBlock(block) ? undefined : block.ids?.[at?.row ?? 0]
}

/** Identity of a row within its moment: its id, otherwise its content. */
function keyOf(at: RowAt): string {
  const id = idOf(at)
  if (id !== undefined) return String(id)
  return isCandle(at) ? '' : contentOf(at)
}

function contentOf({ rows: { block }, row }: RowAt): string {
  if (isCandleBlock(block)) {
    return [block.open, block.high, block.low, block.close, block.volume].map((column) => column[row]).join(' ')
  }
  return [block.price[row], block.qty[row], block.side[row], block.isDoubtful?.[row] ?? 0].join(' ')
}

const SIDES = ['of no side', 'buy', 'sell']

function reportedOf({ rows, row }: RowAt): string {
  const { block, pricePrecision, qtyPrecision } = rows
  const price = (column: Float64Array): string => formatUnits(column[row] ?? 0, pricePrecision)
  const qty = (column: Float64Array): string => formatUnits(column[row] ?? 0, qtyPrecision)
  if (isCandleBlock(block)) {
    return `${[block.open, block.high, block.low, block.close].map(price).join(' ')} volume ${qty(block.volume)}`
  }
  const side = block.side[row] ?? SIDE_UNKNOWN
  return `${price(block.price)} x ${qty(block.qty)} ${SIDES[side] ?? String(SIDE_BUY)}`
}
