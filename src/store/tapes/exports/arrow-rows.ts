/**
 * The rows of a tape as an Arrow file (Feather version 2), uncompressed: a record batch per block, prices and
 * quantities as exact decimals, times as timestamps in UTC. Known limit: rows wait in memory for a slow disk.
 */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type * as Arrow from 'apache-arrow'
import { invariant } from '../../../domain/errors.ts'
import { importArrow } from '../../../import/zip/arrow-text.ts'
import { isCandleBlock, type RecordedBlock, type TapeInfo } from '../../../tape/tape.ts'
import { sideWord } from './csv-rows.ts'

/** Digits of 2^53 and more, as in Parquet. */
const DECIMAL_DIGITS = 18
const WORD = 2 ** 32

/** Writes the file; it is complete when it returns. */
export async function writeArrow(file: string, info: TapeInfo, blocks: AsyncIterable<RecordedBlock>): Promise<void> {
  const api = await importArrow('--out')
  const writer = new api.RecordBatchFileWriter()
  const written = pipeline(writer.toNodeStream(), createWriteStream(file))
  const filled = (async (): Promise<void> => {
    for await (const block of blocks) writer.write(batchOf(api, block, info))
    writer.finish()
  })()
  await Promise.all([written, filled])
}

function batchOf(api: typeof Arrow, block: RecordedBlock, info: TapeInfo): Arrow.RecordBatch {
  const { makeData, Struct, RecordBatch, Field, Schema } = api
  const columns = Object.entries(columnsOf(api, block, info))
  const fields = columns.map(([name, { type }]) => new Field(name, type, false))
  const children = columns.map(([, data]) => data)
  return new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length: block.length, nullCount: 0, children }),
  )
}

function columnsOf(
  api: typeof Arrow,
  block: RecordedBlock,
  { symbol, pricePrecision, qtyPrecision }: TapeInfo,
): Record<string, Arrow.Data> {
  const { length } = block
  const time = (column: Float64Array): Arrow.Data =>
    api.makeData({
      type: new api.TimestampMillisecond('UTC'),
      length,
      nullCount: 0,
      data: BigInt64Array.from(column.subarray(0, length), BigInt),
    })
  const decimal = (column: Float64Array, scale: number): Arrow.Data => {
    const data = new Uint32Array(4 * length)
    for (let row = 0; row < length; row += 1) {
      const units = column[row] ?? 0
      data[4 * row] = units % WORD
      data[4 * row + 1] = Math.floor(units / WORD)
    }
    return api.makeData({ type: new api.Decimal(scale, DECIMAL_DIGITS, 128), length, nullCount: 0, data })
  }
  const text = (of: (row: number) => string): Arrow.Data => {
    const vector = api.vectorFromArray(
      Array.from({ length }, (_, row) => of(row)),
      new api.Utf8(),
    )
    const [data] = vector.data
    invariant(data !== undefined, 'a column in one chunk')
    return data
  }
  if (isCandleBlock(block)) {
    const { open, high, low, close, volume } = block
    const price = (column: Float64Array): Arrow.Data => decimal(column, pricePrecision)
    const prices = { open: price(open), high: price(high), low: price(low), close: price(close) }
    return { time: time(block.time), ...prices, volume: decimal(volume, qtyPrecision) }
  }
  const { ids, side } = block
  return {
    ...(ids !== undefined && { id: text((row) => String(ids[row] ?? '')) }),
    createdAt: time(block.time),
    symbol: text(() => symbol),
    side: text((row) => sideWord(side[row])),
    price: decimal(block.price, pricePrecision),
    qty: decimal(block.qty, qtyPrecision),
  }
}
