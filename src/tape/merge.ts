/**
 * Several tapes merged by time, ties by the order in which they were named.
 *
 * Invariant: the rows of all runs, one after the other, never go back in time, and rows of one tape keep their order.
 */
import type { Tape, RecordedBlock } from './tape.ts'

/** Consecutive rows of one tape that come before the next row of every other. */
export interface TapeRun {
  /** Index of the tape. */
  readonly tape: number
  readonly block: RecordedBlock
  /** First row, and the one after the last; at least one row. */
  readonly start: number
  readonly end: number
  /** True for the first rows of a tape when every other tape of its market that has begun is at its end. */
  readonly followsOthers: boolean
}

/** Where the reading of one tape stands: `block` is undefined at its end. */
interface Cursor {
  readonly tape: number
  readonly blocks: AsyncIterator<RecordedBlock>
  block: RecordedBlock | undefined
  row: number
  readonly symbol: string
  /** Time of the last row of the whole tape, of which only a part may be read. */
  readonly endsAt: number
  hasBegun: boolean
}

/**
 * The rows of all tapes as the longest possible runs within a block; one tape gives a run a block.
 *
 * The runs come in stretches, each as far as the blocks in memory reach, so that only reading a block takes an await. A stretch is
 * to be taken to its end, and once, before the next one is asked for. Holds one block of each tape.
 *
 * @throws {InputError} what the tapes throw
 */
export async function* mergeTapes(tapes: readonly Tape[]): AsyncGenerator<Iterable<TapeRun>, void, undefined> {
  const cursors = tapes.map((tape, index) => cursorOf(tape, index))
  try {
    for (const cursor of cursors) await load(cursor)
    while (cursors.some(({ block }) => block !== undefined)) {
      yield runsOf(cursors)
      for (const cursor of cursors.filter(isRead)) await load(cursor)
    }
  } finally {
    for (const cursor of cursors) await cursor.blocks.return?.()
  }
}

/** The runs up to the end of the block that ends first. */
function* runsOf(cursors: readonly Cursor[]): Generator<TapeRun, void, undefined> {
  for (let next = earliest(cursors); next !== undefined; next = earliest(cursors)) {
    const { cursor, block } = next
    const start = cursor.row
    const end = endOfRun(block, cursor, cursors)
    const followsOthers = !cursor.hasBegun && isAfterOthers(cursor, cursors)
    cursor.hasBegun = true
    cursor.row = end
    yield { tape: cursor.tape, block, start, end, followsOthers }
    if (end === block.length) return
  }
}

const cursorOf = (tape: Tape, index: number): Cursor => ({
  tape: index,
  blocks: tape.blocks()[Symbol.asyncIterator](),
  block: undefined,
  row: 0,
  symbol: tape.info.symbol,
  endsAt: tape.info.to,
  hasBegun: false,
})

/** Moves to the first row of the next block that has any. */
async function load(cursor: Cursor): Promise<void> {
  cursor.row = 0
  do {
    const next = await cursor.blocks.next()
    cursor.block = next.done === true ? undefined : next.value
  } while (cursor.block?.length === 0)
}

const isRead = ({ row, block }: Cursor): boolean => row === block?.length

/**
 * True when the other tapes of the market that have begun have ended. One that is cut off by a window has not: whether it goes on is told
 * by the whole tape, so that a run up to a moment is the beginning of a longer one.
 */
const isAfterOthers = (cursor: Cursor, cursors: readonly Cursor[]): boolean =>
  cursors.every(
    (other) =>
      other === cursor ||
      other.symbol !== cursor.symbol ||
      !other.hasBegun ||
      (other.block === undefined && other.endsAt <= timeOf(cursor)),
  )

/** Time of the cursor's row; Infinity at the end of its tape. */
const timeOf = (cursor: Cursor): number => cursor.block?.time[cursor.row] ?? Infinity

/** The cursor whose row comes next, with its block. */
function earliest(cursors: readonly Cursor[]): { cursor: Cursor; block: RecordedBlock } | undefined {
  let first: Cursor | undefined
  for (const cursor of cursors) {
    if (first === undefined || timeOf(cursor) < timeOf(first)) first = cursor
  }
  return first?.block === undefined ? undefined : { cursor: first, block: first.block }
}

/** The row after the last one of `cursor` that comes before the next row of every other. */
function endOfRun(block: RecordedBlock, cursor: Cursor, cursors: readonly Cursor[]): number {
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
