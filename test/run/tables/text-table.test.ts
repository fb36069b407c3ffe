import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { parquetText } from '../../../src/import/zip/parquet-text.ts'
import { csvTextTable } from '../../../src/run/tables/run-tables.ts'
import { writeTextTable } from '../../../src/run/tables/text-table.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()

async function parquetOf(csv: string): Promise<string> {
  const file = join(folder, 'table.parquet')
  await writeTextTable(file, await csvTextTable(write(csv, 'table.csv')))
  return file
}

async function textOf(file: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of parquetText(file)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

it.each`
  cells                                                 | read                                                              | why
  ${['1.5', '-0.25', '']}                               | ${['1.50', '-0.25', '']}                                          | ${'the most digits of a cell'}
  ${['123456789012345678901.5', '0.000000001']}         | ${['123456789012345678901.500000000', '0.000000001']}             | ${'more than 64 bits'}
  ${['-1234567890.12345678901234567890', '1']}          | ${['-1234567890.12345678901234567890', '1.00000000000000000000']} | ${'negative, more than 64 bits'}
  ${['1234567890123456789012345678901234567890.1', '']} | ${['1234567890123456789012345678901234567890.1', '']}             | ${'text above 38 digits'}
`('writes decimals exactly: $why', async ({ cells, read }) => {
  const file = await parquetOf(`equity,symbol\n${(cells as string[]).map((cell) => `${cell},A\n`).join('')}`)
  expect(await textOf(file)).toBe(`equity,symbol\n${(read as string[]).map((cell) => `${cell},A\n`).join('')}`)
})

it('writes times as timestamps, statistics as floats, and fields with quotes and line feeds', async () => {
  const file = await parquetOf(
    'time_ms,is_maker,return,fills,tag\n1704067200000,true,0.010624180863567848,6,"a, ""b""\nc"\n1704067200001,false,,,\n',
  )
  expect(await parquetReadObjects({ file: await asyncBufferFromFile(file) })).toEqual([
    {
      time: new Date(1_704_067_200_000),
      is_maker: true,
      return: 0.010624180863567848,
      fills: 6n,
      tag: 'a, "b"\nc',
    },
    { time: new Date(1_704_067_200_001), is_maker: false, return: null, fills: null, tag: null },
  ])
})

it('writes a table without rows', async () => {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(await parquetOf('equity,symbol\n')))
  expect(metadata.num_rows).toBe(0n)
})
