/** Index entry of a block: its time span, its checksum, and its contribution to the facts of the tape. */
import { z } from 'zod'
import { MAX_PRECISION } from '../../../domain/market.ts'
import { isCandleBlock, SIDE_UNKNOWN, type CandleBlock, type TapeBlock } from '../../../tape/tape.ts'
import { greatestDivisor } from '../../../domain/greatest-divisor.ts'
import type { StoredRows } from './block-codec.ts'
import type { EncodedBlock } from './sealed-block.ts'

const count = z.int().min(0)
const id = z.union([z.number(), z.string()]).nullable()
const precision = z.int().min(0).max(MAX_PRECISION)

/** The form of an entry in a file. */
export const BLOCK_ENTRY = z.strictObject({
  rows: z.int().min(1),
  first: z.int(),
  last: z.int(),
  firstId: id,
  lastId: id,
  bytes: z.int().min(1),
  checksum: count,
  pricePrecision: precision,
  qtyPrecision: precision,
  finestPrices: count,
  finestQuantities: count,
  largestPrice: count,
  largestQty: count,
  unknownSides: count,
  emptyCandles: count,
  firstTraded: z.int().nullable(),
  leastStep: z.int().nullable(),
  divisor: count,
})

export interface BlockEntry {
  /** Rows: trades or candles. */
  readonly rows: number
  /** Unix milliseconds of the first row and of the last one, opening times for candles. */
  readonly first: number
  readonly last: number
  /** Ids as recorded; null for a tape without ids. */
  readonly firstId: number | string | null
  readonly lastId: number | string | null
  /** Length of the encoded block in bytes. */
  readonly bytes: number
  /** CRC-32 of these bytes. */
  readonly checksum: number
  /** Decimals of its rows. */
  readonly pricePrecision: number
  readonly qtyPrecision: number
  /** Rows that need all of these decimals. */
  readonly finestPrices: number
  readonly finestQuantities: number
  /** Ticks and lots. */
  readonly largestPrice: number
  readonly largestQty: number
  /** Trades without a recorded aggressor. */
  readonly unknownSides: number
  /** Candles without volume, and the open time of the first with volume; null if there is none. */
  readonly emptyCandles: number
  readonly firstTraded: number | null
  /**
   * Milliseconds: the shortest step from row to row of candles, null for one row and for trades; the greatest that
   * divides every time of candles, 0 for trades.
   */
  readonly leastStep: number | null
  readonly divisor: number
}

/** The entry of rows that were encoded. */
export function entryOf(
  { block, pricePrecision, qtyPrecision }: StoredRows,
  { bytes, checksum }: EncodedBlock,
): BlockEntry {
  const { length, time } = block
  const ids = isCandleBlock(block) ? undefined : block.ids
  return {
    rows: length,
    first: time[0] ?? 0,
    last: time[length - 1] ?? 0,
    firstId: ids?.[0] ?? null,
    lastId: ids?.[length - 1] ?? null,
    bytes: bytes.length,
    checksum,
    pricePrecision,
    qtyPrecision,
    ...(isCandleBlock(block) ? candleFigures(block) : tradeFigures(block)),
  }
}

type Figures = Pick<
  BlockEntry,
  | 'finestPrices'
  | 'finestQuantities'
  | 'largestPrice'
  | 'largestQty'
  | 'unknownSides'
  | 'emptyCandles'
  | 'firstTraded'
  | 'leastStep'
  | 'divisor'
>

function tradeFigures({ length, price, qty, side }: TapeBlock): Figures {
  let unknownSides = 0
  for (let row = 0; row < length; row += 1) if (side[row] === SIDE_UNKNOWN) unknownSides += 1
  return {
    finestPrices: finestRows(price, length),
    finestQuantities: finestRows(qty, length),
    largestPrice: largestOf(price, length),
    largestQty: largestOf(qty, length),
    unknownSides,
    emptyCandles: 0,
    firstTraded: null,
    leastStep: null,
    divisor: 0,
  }
}

function candleFigures(block: CandleBlock): Figures {
  const { length, time, high, volume } = block
  let [emptyCandles, finestPrices, divisor, step] = [0, 0, time[0] ?? 0, Number.NaN]
  let leastStep: number | null = null
  let firstTraded: number | null = null
  for (let row = 0; row < length; row += 1) {
    const at = time[row] ?? 0
    if (volume[row] === 0) emptyCandles += 1
    else firstTraded ??= at
    if (hasFinestPrice(block, row)) finestPrices += 1
    const before = step
    step = row === 0 ? before : at - (time[row - 1] ?? 0)
    if (row === 0 || step === before) continue
    divisor = greatestDivisor(divisor, step)
    leastStep = Math.min(leastStep ?? Number.POSITIVE_INFINITY, step)
  }
  return {
    finestPrices,
    finestQuantities: finestRows(volume, length),
    largestPrice: largestOf(high, length),
    largestQty: largestOf(volume, length),
    unknownSides: 0,
    emptyCandles,
    firstTraded,
    leastStep,
    divisor,
  }
}

const hasFinestPrice = ({ open, high, low, close }: CandleBlock, row: number): boolean =>
  isFinest(high[row] ?? 0) || isFinest(low[row] ?? 0) || isFinest(open[row] ?? 0) || isFinest(close[row] ?? 0)

/** Its last decimal is no zero. A remainder of doubles would cost five times as much. */
export const isFinest = (units: number): boolean => 10 * Math.floor(units / 10) !== units

/** Number of values whose last decimal is not zero. */
export function finestRows(values: Float64Array, length: number): number {
  let rows = 0
  for (let row = 0; row < length; row += 1) if (isFinest(values[row] ?? 0)) rows += 1
  return rows
}

/** 0 for none. */
export function largestOf(values: Float64Array, length: number): number {
  let most = 0
  for (let row = 0; row < length; row += 1) most = Math.max(most, values[row] ?? 0)
  return most
}
