/**
 * Recorded candles in memory, so that a test can say its tape row by row.
 */
import type { CandleBlock, Tape, TapeInfo } from '../../../src/tape/tape.ts'

/** Opening time in Unix milliseconds; ticks; lots. */
export type CandleRow = readonly [time: number, open: number, high: number, low: number, close: number, volume: number]

export interface MemoryCandlesOptions extends Partial<TapeInfo> {
  /** Rows of a block, at least 1; without it, all are in one. */
  readonly blockRows?: number
}

/** A tape of BTC_USD in whole prices and quantities and candles of a minute, unless given otherwise. */
export function memoryCandles(
  rows: readonly CandleRow[],
  { blockRows = Infinity, intervalMs = 60_000, ...info }: MemoryCandlesOptions = {},
): Tape {
  return {
    info: {
      symbol: 'BTC_USD',
      kind: 'candles',
      file: 'memory',
      sha256: '',
      rows: rows.length,
      emptyCandles: rows.filter(([, , , , , volume]) => volume === 0).length,
      from: rows[0]?.[0] ?? 0,
      to: (rows.at(-1)?.[0] ?? 0) + intervalMs,
      pricePrecision: 0,
      qtyPrecision: 0,
      rowsAtPricePrecision: 0,
      rowsAtQtyPrecision: 0,
      hasSides: false,
      hasConditions: false,
      intervalMs,
      isAligned: rows.every(([time]) => time % intervalMs === 0),
      notices: [],
      ...info,
    },
    blocks: () => blocksOf(rows, blockRows),
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
async function* blocksOf(rows: readonly CandleRow[], blockRows: number): AsyncGenerator<CandleBlock, void, undefined> {
  for (let start = 0; start < rows.length; start += blockRows) yield blockOf(rows.slice(start, start + blockRows))
}

const blockOf = (rows: readonly CandleRow[]): CandleBlock => ({
  length: rows.length,
  time: Float64Array.from(rows, ([time]) => time),
  open: Float64Array.from(rows, ([, open]) => open),
  high: Float64Array.from(rows, ([, , high]) => high),
  low: Float64Array.from(rows, ([, , , low]) => low),
  close: Float64Array.from(rows, ([, , , , close]) => close),
  volume: Float64Array.from(rows, ([, , , , , volume]) => volume),
})
