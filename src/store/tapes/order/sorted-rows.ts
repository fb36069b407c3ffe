/**
 * Merges blocks, each in time order, into one time order.
 *
 * A block is read when its first row is reached, so a nearly sorted file, or one in descending order, needs the memory
 * of a few blocks. Known limit: if every block spans the whole time, all of them are in memory.
 */
import type { StoredRows } from '../blocks/block-codec.ts'
import type { StoredMarket } from '../blocks/stored-market.ts'
import { RowCursor } from './row-cursor.ts'

type OnRows = (rows: StoredRows, start: number, end: number) => void

interface OpenBlock {
  readonly cursor: RowCursor
  /** Tie-break: at one moment the lower place comes first. */
  readonly place: number
}

interface Waiting {
  readonly first: number
  readonly index: number
}

/**
 * Passes sorted runs of rows to `onRows`; rows of one moment by numeric id, otherwise in block order, reversed for
 * trades in descending order.
 */
export function sortRows(market: Pick<StoredMarket, 'head' | 'entries' | 'read'>, onRows: OnRows): void {
  const { entries, head } = market
  const areCandles = head.kind === 'candles'
  const isBackwards =
    !areCandles && entries.every(({ first }, at) => at === 0 || first <= (entries[at - 1]?.first ?? first))
  const waiting = entries.map(({ first }, index): Waiting => ({ first, index }))
  if (isBackwards) waiting.reverse()
  // Stable sort: blocks that begin at one moment keep their order.
  waiting.sort((one, other) => one.first - other.first)
  const open: OpenBlock[] = []
  let next = 0
  for (;;) {
    const time = open.reduce((least, { cursor }) => Math.min(least, cursor.time), Number.POSITIVE_INFINITY)
    const due = waiting[next]
    if (due !== undefined && due.first <= time) {
      open.push({ cursor: new RowCursor([market.read(due.index)]), place: areCandles ? due.index : next })
      next += 1
      continue
    }
    const least = leastOf(open)
    if (least === undefined) return
    takeRun(least.cursor, open, due?.first ?? Number.POSITIVE_INFINITY, onRows)
    if (least.cursor.time === Number.POSITIVE_INFINITY) open.splice(open.indexOf(least), 1)
  }
}

/** The one whose row comes next. */
function leastOf(open: readonly OpenBlock[]): OpenBlock | undefined {
  let [least] = open
  for (const each of open) if (least === undefined || isBefore(each, least)) least = each
  return least
}

function isBefore(one: OpenBlock, other: OpenBlock): boolean {
  if (one.cursor.time !== other.cursor.time) return one.cursor.time < other.cursor.time
  const [id, otherId] = [one.cursor.id ?? 0, other.cursor.id ?? 0]
  return id === otherId ? one.place < other.place : id < otherId
}

/** Rows up to the next of another block; one row where another has the same time. */
function takeRun(cursor: RowCursor, open: readonly OpenBlock[], due: number, onRows: OnRows): void {
  let until = due
  for (const other of open) if (other.cursor !== cursor) until = Math.min(until, other.cursor.time)
  if (until > cursor.time) {
    cursor.takeBefore(until, onRows)
    return
  }
  const taken = cursor.take()
  if (taken !== undefined) onRows(taken.rows, taken.row, taken.row + 1)
}
