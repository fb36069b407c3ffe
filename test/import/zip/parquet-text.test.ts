import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { parquetText } from '../../../src/import/zip/parquet-text.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

type Columns = Parameters<typeof parquetWriteBuffer>[0]['columnData']

function parquetOf(
  name: string,
  columnData: Columns,
  more: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {},
): string {
  const file = join(folder, name)
  writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData, ...more })))
  return file
}

async function textOf(file: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of parquetText(file)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** A frame of Zstandard with one block as it is. */
function storedZstd(bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(12)
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0xa0])
  frame.writeUInt32LE(bytes.length, 5)
  frame.writeUIntLE((bytes.length << 3) | 1, 9, 3)
  return Buffer.concat([frame, bytes])
}

/** A block of LZ4 that has literals only. */
function storedLz4(bytes: Uint8Array): Buffer {
  const rest = bytes.length - 15
  const length = rest < 0 ? [bytes.length << 4] : [0xf0, ...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
  return Buffer.concat([Buffer.from(length), bytes])
}

describe('a Parquet file', () => {
  it('is written out as lines, numbers in the digits that give them back', async () => {
    const file = parquetOf(
      'kinds.parquet',
      [
        { name: 'time', data: [1n, 1_704_067_200_000n], type: 'INT64' },
        { name: 'close', data: [0.1, 42_000.25], type: 'DOUBLE' },
        { name: 'narrow', data: [0.1, 16_777_216], type: 'FLOAT' },
        { name: 'note', data: ['a, "b"', 'c'], type: 'STRING' },
        { name: 'volume', data: [1.5, null], type: 'DOUBLE', nullable: true },
      ],
      { rowGroupSize: 1 },
    )
    expect(await textOf(file)).toBe(
      'time,close,narrow,note,volume\n1,0.1,0.1,"a, ""b""",1.5\n1704067200000,42000.25,16777216,c,\n',
    )
  })

  it('keeps decimals as they are, and times in their unit', async () => {
    const required = { repetition_type: 'REQUIRED' } as const
    const file = parquetOf(
      'decimals.parquet',
      [
        { name: 'time', data: [1_704_067_200_000_000n] },
        { name: 'price', data: [3n] },
        { name: 'size', data: [12_345n] },
      ],
      {
        schema: [
          { name: 'root', num_children: 3 },
          { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...required },
          { name: 'price', type: 'INT64', converted_type: 'DECIMAL', scale: 1, precision: 18, ...required },
          // As a newer file may name it, without the older way beside it.
          { name: 'size', type: 'INT64', logical_type: { type: 'DECIMAL', precision: 18, scale: 2 }, ...required },
        ],
      },
    )
    // As floats three times a tenth is 0.30000000000000004.
    expect(await textOf(file)).toBe('time,price,size\n1704067200000000,0.3,123.45\n')
  })

  it.each([
    { codec: 'GZIP', compress: gzipSync, why: 'pandas with compression="gzip"' },
    { codec: 'BROTLI', compress: brotliCompressSync, why: 'pandas with compression="brotli"' },
    { codec: 'ZSTD', compress: storedZstd, why: 'the default of polars' },
    { codec: 'LZ4_RAW', compress: storedLz4, why: 'pandas with compression="lz4"' },
  ] as const)('is read when its pages are compressed with $codec ($why)', async ({ codec, compress }) => {
    const compressors = { [codec]: (bytes: Uint8Array) => new Uint8Array(compress(bytes)) }
    const data = Array.from({ length: 3 }, (_, row) => BigInt(row))
    const file = parquetOf(`${codec}.parquet`, [{ name: 'time', data, type: 'INT64' }], { codec, compressors })
    expect(await textOf(file)).toBe('time\n0\n1\n2\n')
  })

  it('is a tape like any other file', async () => {
    const day = 86_400_000
    const times = [0, 1, 2].map((index) => BigInt(Date.UTC(2024, 0, 1) + index * day))
    const prices = [13.2, 13.1, 14]
    const file = parquetOf('A_USD.parquet', [
      { name: '__index_level_0__', data: times, type: 'INT64' },
      ...['Open', 'High', 'Low', 'Close'].map((name) => ({ name, data: prices, type: 'DOUBLE' as const })),
      { name: 'Volume', data: [10, 20, 30], type: 'DOUBLE' },
    ])
    const inspected = await inspectTape({ file, symbol: 'A_USD' })
    expect(inspected.info).toMatchObject({ kind: 'candles', rows: 3, intervalMs: day, pricePrecision: 1 })
    const closes: number[] = []
    for await (const block of openTape(inspected, inspected.info).blocks()) {
      if ('close' in block) closes.push(...block.close.subarray(0, block.length))
    }
    expect(closes).toEqual([132, 131, 140])
  })

  it('that is cut off is refused by name', async () => {
    const whole = readFileSync(parquetOf('whole.parquet', [{ name: 'time', data: [1n], type: 'INT64' }]))
    const cut = join(folder, 'cut.parquet')
    writeFileSync(cut, whole.subarray(0, whole.length - 9))
    await expect(inspectTape({ file: cut, symbol: 'A_USD' })).rejects.toThrow(InputError)
    await expect(textOf(cut)).rejects.toThrow(/^.*cut\.parquet: cannot be read as Parquet \(/)
  })
})
