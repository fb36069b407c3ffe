/**
 * Rows of blocks, each of which is in the order of time, in the order of time as a whole.
 *
 * A block is read when its first row is due, so a file that is nearly in order, or that begins with the newest, takes the memory of a few
 * blocks. Known limit: where every block spans the whole time all of them are held.
 */
import type { StoredRows } from '../blocks/block-codec.ts'
import type { StoredMarket } from '../blocks/stored-market.ts'
import { RowCursor } from './row-cursor.ts'

type OnRows = (rows: StoredRows, start: number, end: number) => void

interface Waiting {
  readonly first: number
  readonly index: number
}

/** Gives runs of rows to `onRows`; rows of one moment by their numeric ids, else as their blocks follow each other. */
export function sortRows(market: Pick<StoredMarket, 'entries' | 'read'>, onRows: OnRows): void {
  const { entries } = market
  const isBackwards = entries.every(({ first }, at) => at === 0 || first <= (entries[at - 1]?.first ?? first))
  const waiting = entries.map(({ first }, index): Waiting => ({ first, index }))
  if (isBackwards) waiting.reverse()
  // Stable: blocks that begin at one moment stay as they stood.
  waiting.sort((one, other) => one.first - other.first)
  const open: RowCursor[] = []
  let next = 0
  for (;;) {
    const time = open.reduce((least, cursor) => Math.min(least, cursor.time), Number.POSITIVE_INFINITY)
    const due = waiting[next]
    if (due !== undefined && due.first <= time) {
      open.push(new RowCursor([market.read(due.index)]))
      next += 1
      continue
    }
    const cursor = leastOf(open)
    if (cursor === undefined) return
    takeRun(cursor, open, due?.first ?? Number.POSITIVE_INFINITY, onRows)
    if (cursor.time === Number.POSITIVE_INFINITY) open.splice(open.indexOf(cursor), 1)
  }
}

/** The one whose row comes next. */
function leastOf(open: readonly RowCursor[]): RowCursor | undefined {
  let least = open[0]
  for (const cursor of open) {
    if (least === undefined || cursor.time < least.time) least = cursor
    else if (cursor.time === least.time && (cursor.id ?? 0) < (least.id ?? 0)) least = cursor
  }
  return least
}

/** Rows up to the next of another block; one row where another has the same time. */
function takeRun(cursor: RowCursor, open: readonly RowCursor[], due: number, onRows: OnRows): void {
  let until = due
  for (const other of open) if (other !== cursor) until = Math.min(until, other.time)
  if (until > cursor.time) {
    cursor.takeBefore(until, onRows)
    return
  }
  const taken = cursor.take()
  if (taken !== undefined) onRows(taken.rows, taken.row, taken.row + 1)
}
