/**
 * A tape whose rows were decoded once into memory shared by all threads of the process.
 *
 * Plain data: another thread can use it without a copy. Its columns are read-only by convention.
 */
import { isCandleBlock, type RecordedBlock, type Tape, type TapeInfo } from '../../tape/tape.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'

export interface SharedTape {
  readonly info: TapeInfo
  readonly gaps: readonly MarkedGap[] | undefined
  readonly blocks: readonly RecordedBlock[]
}

/** Room in memory for the rows of all tapes of a sweep. */
export interface SharedRoom {
  bytes: number
}

/** About 7 million trades with ids, or 11 million without; what finds no room is decoded for every run. */
export const MAX_SHARED_BYTES = 256 * 1024 * 1024

type Column = Float64Array | Uint8Array

/** Bytes of a row without what not every tape has. */
const MIN_BYTES = { trades: 3 * 8 + 1, candles: 6 * 8 } as const

/**
 * Reads a tape to its end.
 *
 * @param room  memory budget, reduced by the decoded rows
 * @returns undefined if there is not enough room, or its ids are texts, which cannot be in shared memory
 */
export async function shareTape(tape: Tape, room: SharedRoom): Promise<SharedTape | undefined> {
  const blocks: RecordedBlock[] = []
  let bytes = room.bytes
  // Not decoded in vain: it would be the most that a sweep of a large tape ever holds.
  if (tape.info.rows * MIN_BYTES[tape.info.kind] > bytes) return undefined
  for await (const block of tape.blocks()) {
    const columns = columnsOf(block)
    bytes -= columns.reduce((all, [, column]) => all + column.byteLength, 0)
    if (bytes < 0 || (!isCandleBlock(block) && Array.isArray(block.ids))) return undefined
    blocks.push({ ...block, ...Object.fromEntries(columns.map(([name, column]) => [name, shared(column)])) })
  }
  room.bytes = bytes
  return { info: tape.info, gaps: tape.gaps, blocks }
}

export const openShared = ({ info, gaps, blocks }: SharedTape): Tape => ({
  info,
  gaps,
  blocks: ({ from = -Infinity, to = Infinity } = {}) =>
    readBlocks(blocks.filter(({ time, length }) => (time[length - 1] ?? 0) >= from && (time[0] ?? 0) < to)),
})

// eslint-disable-next-line @typescript-eslint/require-await -- as every tape
async function* readBlocks(blocks: readonly RecordedBlock[]): AsyncGenerator<RecordedBlock, void, undefined> {
  yield* blocks
}

/** Columns cut to the valid rows. */
const columnsOf = (block: RecordedBlock): readonly (readonly [string, Column])[] =>
  Object.entries(block).flatMap(([name, column]: [string, unknown]): (readonly [string, Column])[] => {
    const isColumn = column instanceof Float64Array || column instanceof Uint8Array
    return isColumn ? [[name, column.subarray(0, block.length)]] : []
  })

function shared(column: Column): Column {
  const memory = new SharedArrayBuffer(column.byteLength)
  const copy = column instanceof Float64Array ? new Float64Array(memory) : new Uint8Array(memory)
  copy.set(column)
  return copy
}
