/**
 * Tapes made by hand, for tests.
 */
import { SIDE_UNKNOWN, type Tape, type TapeBlock, type TapeInfo } from '../../../src/tape/tape.ts'

/** A block whose rows are distinguished by their price. */
export const blockOf = (
  times: readonly number[],
  prices: readonly number[] = times.map((_, row) => row + 1),
): TapeBlock => ({
  length: times.length,
  time: Float64Array.from(times),
  price: Float64Array.from(prices),
  qty: new Float64Array(times.length).fill(1),
  side: new Uint8Array(times.length).fill(SIDE_UNKNOWN),
  ids: undefined,
})

export const INFO: TapeInfo = {
  symbol: 'BTC_USD',
  kind: 'trades',
  file: 'tape.csv',
  sha256: '0'.repeat(64),
  rows: 0,
  emptyCandles: 0,
  from: 0,
  to: 0,
  pricePrecision: 0,
  qtyPrecision: 0,
  rowsAtPricePrecision: 0,
  rowsAtQtyPrecision: 0,
  hasSides: false,
  hasConditions: false,
  notices: [],
}

/** @param onEnd  called when the reading of the blocks ends, early or not */
export function tapeOf(blocks: readonly TapeBlock[], onEnd: () => void = () => undefined): Tape {
  async function* read(): AsyncGenerator<TapeBlock> {
    try {
      for (const block of blocks) yield await Promise.resolve(block)
    } finally {
      onEnd()
    }
  }
  return { info: INFO, blocks: read }
}
