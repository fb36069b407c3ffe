/**
 * Frames that reproduce a recorded book at one moment.
 *
 * A snapshot covers its side up to its last level, so levels behind the reach of the book's own last snapshot follow in
 * a second frame. Invariant: a book that has applied the frames equals the state.
 */
import { ASK, BID, FRAME_END, SNAPSHOT, type DepthBlock, type DepthSide } from '../depth-block.ts'
import type { BookState, SideState } from './book-state.ts'

interface Row {
  readonly side: DepthSide
  readonly price: number
  readonly qty: number
}

/** A frame without any level. */
const NOTHING: Row = { side: BID, price: 1, qty: 0 }

/** @param time  Unix milliseconds of the frames @param state  known, in the units that are wanted */
export function snapshotOfState({ bids, asks }: BookState, time: number): DepthBlock {
  const shown = [...shownRows(BID, bids), ...shownRows(ASK, asks)]
  const behind = [...rowsBehind(BID, bids), ...rowsBehind(ASK, asks)]
  const snapshot = shown.length === 0 ? [NOTHING] : shown
  const rows = [...snapshot, ...behind]
  const flags = new Uint8Array(rows.length)
  flags[0] = SNAPSHOT
  for (const last of [snapshot.length - 1, rows.length - 1]) flags[last] = (flags[last] ?? 0) | FRAME_END
  return {
    length: rows.length,
    time: new Float64Array(rows.length).fill(time),
    flags,
    side: Uint8Array.from(rows, ({ side }) => side),
    price: Float64Array.from(rows, ({ price }) => price),
    qty: Float64Array.from(rows, ({ qty }) => qty),
  }
}

const rowsOf = (side: DepthSide, { price, qty }: SideState): readonly Row[] =>
  Array.from(price, (each, at) => ({ side, price: each, qty: qty[at] ?? 0 }))

const isBehind = ({ side, price }: Row, shownTo: number): boolean =>
  shownTo === 0 || (side === BID ? price < shownTo : price > shownTo)

/**
 * Rows up to the reach of the last snapshot, whose end a row of no lots may mark: if no level is left, the second of
 * two.
 */
function shownRows(side: DepthSide, state: SideState): readonly Row[] {
  const { shownTo } = state
  const rows = rowsOf(side, state).filter((row) => !isBehind(row, shownTo))
  const end: Row = { side, price: shownTo, qty: 0 }
  const last = rows.at(-1)
  if (last !== undefined) return last.price === shownTo ? rows : [...rows, end]
  const better = side === BID ? shownTo + 1 : shownTo - 1
  return shownTo === 0 || better < 1 ? [] : [{ ...end, price: better }, end]
}

const rowsBehind = (side: DepthSide, state: SideState): readonly Row[] =>
  rowsOf(side, state).filter((row) => isBehind(row, state.shownTo))
