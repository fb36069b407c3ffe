/**
 * Merges tapes by time. At one moment trades and candles come first, then book changes, then quotes; within a kind in
 * the order of the tapes.
 *
 * Invariant: the rows of all runs, in sequence, never go back in time, and rows of one tape keep their order. A frame
 * of a book is never split, because its rows have one time.
 */
import type { RecordedBlock } from './tape.ts'

/** Rows of any kind that have a time. */
export interface TimedBlock {
  readonly length: number
  /** Unix milliseconds, never decreasing. */
  readonly time: Float64Array
}

export type TimedKind = 'trades' | 'candles' | 'depth' | 'quotes'

/** The properties of a tape that merging needs. */
export interface TimedTape<Block extends TimedBlock> {
  readonly info: {
    readonly symbol: string
    readonly kind: TimedKind
    /** End of the whole tape in Unix milliseconds, even if only a part is read. */
    readonly to: number
  }
  blocks(): AsyncIterable<Block>
}

/** Consecutive rows of one tape that come before the next row of every other. */
export interface TapeRun<Block extends TimedBlock = RecordedBlock> {
  /** Index of the tape. */
  readonly tape: number
  readonly block: Block
  /** First row, and the one after the last; at least one row. */
  readonly start: number
  readonly end: number
  /** True for the first rows of a tape when every other tape of its market and kind that has begun is at its end. */
  readonly followsOthers: boolean
}

/** Order of kinds at one moment: a trade precedes the book change that it caused. */
const RANKS: Readonly<Record<TimedKind, number>> = { trades: 0, candles: 0, depth: 1, quotes: 2 }

/** True when something comes before another thing of the same market by its time, or at one moment by its kind. */
export const isBefore = (one: Timed, other: Timed): boolean =>
  one.time === other.time ? RANKS[one.kind] < RANKS[other.kind] : one.time < other.time

interface Timed {
  readonly kind: TimedKind
  /** Unix milliseconds. */
  readonly time: number
}

/** Read position of one tape: `block` is undefined at its end. */
interface Cursor<Block extends TimedBlock> {
  readonly tape: number
  readonly rank: number
  readonly blocks: AsyncIterator<Block>
  block: Block | undefined
  row: number
  readonly symbol: string
  /** Time of the last row of the whole tape, even if only a part is read. */
  readonly endsAt: number
  hasBegun: boolean
}

/**
 * The rows of all tapes as the longest possible runs within a block; one tape gives one run per block.
 *
 * Runs come in stretches, each as far as the blocks in memory reach, so that only reading a block is asynchronous.
 * Consume each stretch completely, and once, before requesting the next. Holds one block of each tape in memory.
 *
 * @throws {InputError} what the tapes throw
 */
export async function* mergeTapes<Block extends TimedBlock>(
  tapes: readonly TimedTape<Block>[],
): AsyncGenerator<Iterable<TapeRun<Block>>, void, undefined> {
  // Sorting keeps the order of those that are alike.
  const cursors = tapes.map((tape, index) => cursorOf(tape, index)).sort((one, other) => one.rank - other.rank)
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
function* runsOf<Block extends TimedBlock>(
  cursors: readonly Cursor<Block>[],
): Generator<TapeRun<Block>, void, undefined> {
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

const cursorOf = <Block extends TimedBlock>(tape: TimedTape<Block>, index: number): Cursor<Block> => ({
  tape: index,
  rank: RANKS[tape.info.kind],
  blocks: tape.blocks()[Symbol.asyncIterator](),
  block: undefined,
  row: 0,
  symbol: tape.info.symbol,
  endsAt: tape.info.to,
  hasBegun: false,
})

/** Moves to the first row of the next block that has any. */
async function load<Block extends TimedBlock>(cursor: Cursor<Block>): Promise<void> {
  cursor.row = 0
  do {
    const next = await cursor.blocks.next()
    cursor.block = next.done === true ? undefined : next.value
  } while (cursor.block?.length === 0)
}

const isRead = ({ row, block }: Cursor<TimedBlock>): boolean => row === block?.length

/**
 * True if all other started tapes of the market have ended. A tape cut off by a window has not: the end of the whole
 * tape decides, so that a partial run is a prefix of a longer one.
 */
const isAfterOthers = (cursor: Cursor<TimedBlock>, cursors: readonly Cursor<TimedBlock>[]): boolean =>
  cursors.every(
    (other) =>
      other === cursor ||
      other.symbol !== cursor.symbol ||
      other.rank !== cursor.rank ||
      !other.hasBegun ||
      (other.block === undefined && other.endsAt <= timeOf(cursor)),
  )

/** Time of the cursor's row; Infinity at the end of its tape. */
const timeOf = (cursor: Cursor<TimedBlock>): number => cursor.block?.time[cursor.row] ?? Infinity

/** The cursor whose row comes next, with its block. */
function earliest<Block extends TimedBlock>(
  cursors: readonly Cursor<Block>[],
): { cursor: Cursor<Block>; block: Block } | undefined {
  let first: Cursor<Block> | undefined
  for (const cursor of cursors) {
    if (first === undefined || timeOf(cursor) < timeOf(first)) first = cursor
  }
  return first?.block === undefined ? undefined : { cursor: first, block: first.block }
}

/** The row after the last one of `cursor` that comes before the next row of every other. */
function endOfRun(block: TimedBlock, cursor: Cursor<TimedBlock>, cursors: readonly Cursor<TimedBlock>[]): number {
  let before = Infinity
  let upTo = Infinity
  let isBehind = true
  for (const other of cursors) {
    if (other === cursor) isBehind = false
    else if (isBehind) before = Math.min(before, timeOf(other))
    else upTo = Math.min(upTo, timeOf(other))
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
