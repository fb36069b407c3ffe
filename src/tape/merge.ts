/**
 * Several tapes merged by time, ties by the order in which they were named.
 *
 * Invariant: the rows of all runs, one after the other, never go back in time, and rows of one tape keep their order.
 */
import type { Tape, TapeBlock } from './tape.ts'

/** Consecutive rows of one tape that come before the next row of every other. */
export interface TapeRun {
  /** Index of the tape. */
  readonly tape: number
  readonly block: TapeBlock
  /** First row, and the one after the last; at least one row. */
  readonly start: number
  readonly end: number
}

/** Where the reading of one tape stands: `block` is undefined at its end. */
interface Cursor {
  readonly tape: number
  readonly blocks: AsyncIterator<TapeBlock>
  block: TapeBlock | undefined
  row: number
}

/**
 * The rows of all tapes as the longest possible runs within a block; one tape gives a run a block.
 *
 * Holds one block of each tape.
 *
 * @throws {InputError} what the tapes throw
 */
export async function* mergeTapes(tapes: readonly Tape[]): AsyncGenerator<TapeRun, void, undefined> {
  const cursors = tapes.map((tape, index) => cursorOf(tape, index))
  try {
    for (const cursor of cursors) await load(cursor)
    for (;;) {
      const next = earliest(cursors)
      if (next === undefined) return
      const end = endOfRun(next.block, next.cursor, cursors)
      yield { tape: next.cursor.tape, block: next.block, start: next.cursor.row, end }
      next.cursor.row = end
      if (end === next.block.length) await load(next.cursor)
    }
  } finally {
    for (const cursor of cursors) await cursor.blocks.return?.()
  }
}

const cursorOf = (tape: Tape, index: number): Cursor => ({
  tape: index,
  blocks: tape.blocks()[Symbol.asyncIterator](),
  block: undefined,
  row: 0,
})

/** Moves to the first row of the next block that has any. */
async function load(cursor: Cursor): Promise<void> {
  cursor.row = 0
  do {
    const next = await cursor.blocks.next()
    cursor.block = next.done === true ? undefined : next.value
  } while (cursor.block?.length === 0)
}

/** Time of the cursor's row; Infinity at the end of its tape. */
const timeOf = (cursor: Cursor): number => cursor.block?.time[cursor.row] ?? Infinity

/** The cursor whose row comes next, with its block. */
function earliest(cursors: readonly Cursor[]): { cursor: Cursor; block: TapeBlock } | undefined {
  let first: Cursor | undefined
  for (const cursor of cursors) {
    if (first === undefined || timeOf(cursor) < timeOf(first)) first = cursor
  }
  return first?.block === undefined ? undefined : { cursor: first, block: first.block }
}

/** The row after the last one of `cursor` that comes before the next row of every other. */
function endOfRun(block: TapeBlock, cursor: Cursor, cursors: readonly Cursor[]): number {
  let before = Infinity
  let upTo = Infinity
  for (const other of cursors) {
    if (other.tape < cursor.tape) before = Math.min(before, timeOf(other))
    else if (other !== cursor) upTo = Math.min(upTo, timeOf(other))
  }
  if (before === Infinity && upTo === Infinity) return block.length
  let row = cursor.row
  while (row < block.length) {
    const time = block.time[row] ?? Infinity
    if (time >= before || time > upTo) break
    row += 1
  }
  return row
}
