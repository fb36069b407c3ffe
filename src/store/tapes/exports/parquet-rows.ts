/**
 * The rows of a tape as Parquet: a group of rows a few blocks, prices and quantities as exact decimals, times as
 * timestamps.
 */
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { isCandleBlock, type RecordedBlock, type TapeBlock, type TapeInfo } from '../../../tape/tape.ts'
import { sideWord } from './csv-rows.ts'

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]
type Column = Parameters<ParquetWriter['write']>[0]['columnData'][number]

/** Digits of 2^53 and more, as many as 64 bits hold. */
const DECIMAL_DIGITS = 18

const required = (
  name: string,
  type: 'INT64' | 'BYTE_ARRAY',
  more: Pick<SchemaElement, 'converted_type'>,
): SchemaElement => ({ name, type, repetition_type: 'REQUIRED' as const, ...more })

const decimal = (name: string, scale: number): SchemaElement => ({
  ...required(name, 'INT64', { converted_type: 'DECIMAL' }),
  scale,
  precision: DECIMAL_DIGITS,
})
const text = (name: string): SchemaElement => required(name, 'BYTE_ARRAY', { converted_type: 'UTF8' })
const moment = (name: string): SchemaElement => required(name, 'INT64', { converted_type: 'TIMESTAMP_MILLIS' })

/** Writes the file; it is complete when it returns. */
export async function writeParquet(
  file: string,
  info: TapeInfo,
  blocks: AsyncIterable<RecordedBlock>,
): Promise<number> {
  const writer = fileWriter(file)
  let parquet: ParquetWriter | undefined
  let rows = 0
  for await (const block of blocks) {
    parquet ??= new ParquetWriter({ writer, schema: schemaOf(block, info) })
    const pending = parquet.write({ columnData: columnsOf(block, info), rowGroupSize: block.length })
    if (pending !== undefined) await pending
    rows += block.length
  }
  await parquet?.finish()
  return rows
}

function schemaOf(block: RecordedBlock, { pricePrecision, qtyPrecision }: TapeInfo): SchemaElement[] {
  const columns = isCandleBlock(block)
    ? [
        moment('time'),
        ...['open', 'high', 'low', 'close'].map((name) => decimal(name, pricePrecision)),
        decimal('volume', qtyPrecision),
      ]
    : [
        ...(block.ids === undefined ? [] : [text('id')]),
        moment('createdAt'),
        text('symbol'),
        text('side'),
        decimal('price', pricePrecision),
        decimal('qty', qtyPrecision),
      ]
  return [{ name: 'root', num_children: columns.length }, ...columns]
}

function columnsOf(block: RecordedBlock, info: TapeInfo): Column[] {
  const whole = (column: Float64Array): bigint[] => Array.from(column.subarray(0, block.length), BigInt)
  if (!isCandleBlock(block)) return tradeColumns(block, info, whole)
  const { time, open, high, low, close, volume } = block
  const columns = { time, open, high, low, close, volume }
  return Object.entries(columns).map(([name, column]) => ({ name, data: whole(column) }))
}

function tradeColumns(
  { length, time, price, qty, side, ids }: TapeBlock,
  { symbol }: TapeInfo,
  whole: (column: Float64Array) => bigint[],
): Column[] {
  const rows = Array.from({ length }, (_, row) => row)
  return [
    ...(ids === undefined ? [] : [{ name: 'id', data: rows.map((row) => String(ids[row] ?? '')) }]),
    { name: 'createdAt', data: whole(time) },
    { name: 'symbol', data: rows.map(() => symbol) },
    { name: 'side', data: rows.map((row) => sideWord(side[row])) },
    { name: 'price', data: whole(price) },
    { name: 'qty', data: whole(qty) },
  ]
}
