/**
 * Reads a text as a tape without a file: both passes, and what came of them.
 */
import { InputError } from '../../../src/domain/errors.ts'
import { CandleRows } from '../../../src/import/csv/candle-rows.ts'
import { readRows, type ReadingWay } from '../../../src/import/csv/read-rows.ts'
import { RowIntake } from '../../../src/import/csv/row-intake.ts'
import type { RowTotals } from '../../../src/import/csv/row-sink.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { intervalOf } from '../../../src/store/tapes/candle-interval.ts'
import { wholeLines } from '../../../src/import/csv/whole-lines.ts'
import type { CandleBlock, TapeBlock } from '../../../src/tape/tape.ts'

export interface Columns {
  readonly time: number[]
  readonly price: number[]
  readonly qty: number[]
  readonly side: number[]
  /** Without it, nothing is reported of the rows' conditions. */
  readonly isDoubtful?: number[]
  readonly ids: (number | string)[] | undefined
}

/** The columns of candles. */
export type CandleColumns = Readonly<Record<keyof Omit<CandleBlock, 'length' | 'end'>, number[]>>

/** Either the message of the InputError, or what was read. */
export type Outcome =
  | { readonly error: string }
  | {
      readonly totals: RowTotals
      readonly symbolCell: string | undefined
      readonly areTimesExact: boolean
      readonly ignored: readonly string[]
      /** Empty for candles. */
      readonly columns: Columns
      /** Empty for trades. */
      readonly candles: CandleColumns
    }

export interface Reading {
  readonly way?: ReadingWay
  /** Bytes that arrive at once. */
  readonly chunkBytes?: number
}

export async function readText(
  bytes: Uint8Array,
  source: Omit<TapeSource, 'file'>,
  reading: Reading = {},
): Promise<Outcome> {
  const named = { file: 'tape.csv', ...source }
  try {
    const inspected = new RowIntake(named)
    for await (const rows of rowsOf(bytes, inspected, reading)) rows.dropBlock()
    const { sink, symbolCell, plan } = inspected
    if (sink === undefined || plan === undefined) throw new Error('a text without rows was read')
    const totals = sink instanceof CandleRows ? sink.totals(intervalOf(named, sink.steps)) : sink.totals()
    const read = await readColumns(bytes, settle(named, totals), reading)
    return { totals, symbolCell, areTimesExact: sink.time.exact, ignored: plan.ignored, ...read }
  } catch (error) {
    if (error instanceof InputError) return { error: error.message }
    throw error
  }
}

/** The rows of several blocks in one. */
export function appendBlock(columns: Columns, block: TapeBlock): void {
  for (let row = 0; row < block.length; row += 1) {
    columns.time.push(block.time[row] ?? NaN)
    columns.price.push(block.price[row] ?? NaN)
    columns.qty.push(block.qty[row] ?? NaN)
    columns.side.push(block.side[row] ?? NaN)
    columns.isDoubtful?.push(block.isDoubtful?.[row] ?? NaN)
    columns.ids?.push(block.ids?.[row] ?? NaN)
  }
}

export const emptyColumns = (hasIds: boolean, hasDoubts = false): Columns => ({
  time: [],
  price: [],
  qty: [],
  side: [],
  ...(hasDoubts ? { isDoubtful: [] } : {}),
  ids: hasIds ? [] : undefined,
})

const settle = (source: TapeSource, { pricePrecision, qtyPrecision, intervalMs }: RowTotals): TapeSource => ({
  ...source,
  pricePrecision,
  qtyPrecision,
  ...(intervalMs === undefined ? {} : { candleInterval: intervalMs }),
})

interface ReadColumns {
  readonly columns: Columns
  readonly candles: CandleColumns
}

async function readColumns(bytes: Uint8Array, source: TapeSource, reading: Reading): Promise<ReadColumns> {
  let columns: Columns | undefined
  const candles: CandleColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] }
  for await (const rows of rowsOf(bytes, new RowIntake(source), reading)) {
    const block = rows.takeBlock()
    if ('open' in block) {
      appendCandles(candles, block)
    } else {
      columns ??= emptyColumns(block.ids !== undefined, block.isDoubtful !== undefined)
      appendBlock(columns, block)
    }
  }
  return { columns: columns ?? emptyColumns(false), candles }
}

function appendCandles(candles: CandleColumns, block: CandleBlock): void {
  for (const field of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
    candles[field].push(...block[field].subarray(0, block.length))
  }
}

const rowsOf = (bytes: Uint8Array, intake: RowIntake, { way = 'fast', chunkBytes = 65_536 }: Reading) =>
  readRows('tape.csv', wholeLines('tape.csv', chunksOf(Buffer.from(bytes), chunkBytes)), intake, way)

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size))
  }
}
