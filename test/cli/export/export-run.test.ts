import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'

const { folder, write, cli } = cliFolderHere()

beforeAll(async () => {
  const trades = Array.from({ length: 1000 }, (_, at) => `${1_704_067_200_000 + at * 60_000},${100 + (at % 7)}.05,1`)
  write(['time_ms,price,qty', ...trades, ''].join('\n'), 'tape.csv')
  await cli('backtest', 'grid', '--tape', 'A_USD=tape.csv', '--out', 'run')
})

it('writes every table of a run as Parquet, and replaces only an earlier export', async () => {
  const { code, stdout } = await cli('export', 'run', '--out', 'tables', '--json')
  const { rows } = JSON.parse(stdout) as { readonly rows: Readonly<Record<string, number>> }
  expect(code).toBe(0)
  expect(readdirSync(join(folder, 'tables'))).toEqual(
    Object.keys(rows)
      .map((name) => `${name}.parquet`)
      .toSorted(),
  )
  const fills = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, 'tables/fills.parquet')) })
  const lines = readFileSync(join(folder, 'run/fills.csv'), 'utf8').trimEnd().split('\n').slice(1)
  expect(fills.map(({ trade_id: id }) => String(id))).toEqual(lines.map((line) => line.split(',')[0]))
  expectInputError(
    await cli('export', 'run', '--out', 'tables'),
    'tables: exists already: pass --force to overwrite it',
  )
  expect(await cli('export', 'run', '--out', 'tables', '--force')).toMatchObject({ code: 0 })
  write('mine', 'tables/mine.txt')
  const foreign = "tables: has 'mine.txt', which is no table of a run: use another folder"
  expectInputError(await cli('export', 'run', '--out', 'tables', '--force'), foreign)
  mkdirSync(join(folder, 'others'))
  write('mine', 'others/mine.parquet')
  expectInputError(
    await cli('export', 'run', '--out', 'others', '--force'),
    "others: has 'mine.parquet', which is no table of a run: use another folder",
  )
  expectInputError(
    await cli('export', 'run', '--out', 'tape.csv', '--force'),
    'tape.csv: expected a folder, got a file',
  )
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
})

it('refuses what is no run, and flags for tapes', async () => {
  expectInputError(
    await cli('export', 'tape.csv', '--out', 'x'),
    'tape.csv: expected the directory of a run: it has no run.json',
  )
  expectInputError(
    await cli('export', 'run', '--out', 'x', '--symbol', 'A_USD'),
    '--symbol: is for tapes: remove it, or the run',
  )
})
