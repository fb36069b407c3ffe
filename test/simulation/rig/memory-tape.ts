/**
 * Recorded markets in memory, so that a test can say its tape row by row.
 */
import type { MarkedGap } from '../../../src/tape/gap-marks.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN, type Tape, type TapeBlock, type TapeInfo } from '../../../src/tape/tape.ts'

/** Unix milliseconds, ticks, lots, and the aggressor where it was recorded. */
export type RecordedRow = readonly [time: number, price: number, qty: number, side?: 'buy' | 'sell']

export interface MemoryTapeOptions extends Partial<Omit<TapeInfo, 'gaps'>> {
  /** Rows of a block, at least 1; without it, all are in one. */
  readonly blockRows?: number
  /** Integer ids of the rows, as many. */
  readonly ids?: readonly number[] | undefined
  /** As a file of gaps marks them. */
  readonly gaps?: readonly MarkedGap[]
}

/** A tape of BTC_USD in whole prices and quantities, unless given otherwise. */
export function memoryTape(
  rows: readonly RecordedRow[],
  { blockRows = Infinity, ids, gaps, ...info }: MemoryTapeOptions = {},
): Tape {
  return {
    info: {
      symbol: 'BTC_USD',
      kind: 'trades',
      file: 'memory',
      sha256: '',
      rows: rows.length,
      emptyCandles: 0,
      from: rows[0]?.[0] ?? 0,
      to: rows.at(-1)?.[0] ?? 0,
      pricePrecision: 0,
      qtyPrecision: 0,
      rowsAtPricePrecision: 0,
      rowsAtQtyPrecision: 0,
      hasSides: false,
      hasConditions: false,
      notices: [],
      ...info,
    },
    ...(gaps !== undefined && { gaps }),
    blocks: () => blocksOf(rows, ids, blockRows),
  }
}

type Ids = readonly number[] | undefined

// eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
async function* blocksOf(
  rows: readonly RecordedRow[],
  ids: Ids,
  blockRows: number,
): AsyncGenerator<TapeBlock, void, undefined> {
  for (let start = 0; start < rows.length; start += blockRows) {
    yield blockOf(rows.slice(start, start + blockRows), ids?.slice(start, start + blockRows))
  }
}

const blockOf = (rows: readonly RecordedRow[], ids: Ids): TapeBlock => ({
  length: rows.length,
  time: Float64Array.from(rows, ([time]) => time),
  price: Float64Array.from(rows, ([, price]) => price),
  qty: Float64Array.from(rows, ([, , qty]) => qty),
  side: Uint8Array.from(rows, ([, , , side]) => sideCode(side)),
  ids: ids === undefined ? undefined : Float64Array.from(ids),
})

function sideCode(side: 'buy' | 'sell' | undefined): number {
  if (side === undefined) return SIDE_UNKNOWN
  return side === 'buy' ? SIDE_BUY : SIDE_SELL
}
