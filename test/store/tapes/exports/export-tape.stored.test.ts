import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { exportTape } from '../../../../src/store/tapes/exports/export-tape.ts'
import { importRecordings } from '../../../../src/store/transfers/import-recordings.ts'
import type { TapeWindow } from '../../../../src/tape/tape.ts'
import { rowsReported } from '../../../import/formats/rig/reported-rows.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_704_164_640_000

const trades = (count: number): string =>
  `id,createdAt,side,price,qty\n${Array.from({ length: count }, (_, at) => `"t,${at}",${START + at * 500},${['buy', 'sell', 'unknown'][at % 3] ?? ''},${(100 + (at % 9) / 8).toFixed(3)},0.${at % 9}1`).join('\n')}\n`
const plain = (count: number): string =>
  `time_ms,price,qty\n${Array.from({ length: count }, (_, at) => `${START + at * 500},${100 + (at % 7)},1`).join('\n')}\n`
const candles = (count: number): string =>
  `time,open,high,low,close,volume\n${Array.from({ length: count }, (_, at) => `${START + at * 60_000},100.5,102,99.25,101,${at % 4}.5`).join('\n')}\n`

const out = (name: string): string => join(folder, name)

const exported = (file: string, name: string, window: TapeWindow = {}, isForced = true) =>
  exportTape({ source: { file, symbol: 'BTC_USD' }, window, file: out(name), isForced })

describe.each([
  ['trades', trades(70_000)],
  ['trades without ids and sides', plain(500)],
  ['candles', candles(300)],
])('%s', (_, content) => {
  it.each(['again.csv', 'again.csv.gz', 'again.parquet', 'again.arrow', 'again.feather', 'again.tape'])(
    'come back from %s as they were',
    async (name) => {
      const file = write(content, 'source.csv')
      const before = await rowsReported({ file, symbol: 'BTC_USD' })
      expect(await exported(file, name)).toMatchObject({ rows: before.length, symbol: 'BTC_USD', notices: [] })
      expect(await rowsReported({ file: out(name), symbol: 'BTC_USD' })).toEqual(before)
    },
  )

  it('come from a store and for a window as well', async () => {
    const file = write(content, 'source.csv')
    const store = out(`store-${content.length}.db`)
    await importRecordings([{ file, symbol: 'BTC_USD' }], { form: 'store', file: store }, { importedAt: 0 })
    const window = { from: START + 5000, to: START + 9000 * 15 }
    await exported(file, 'a.csv', window)
    await exported(store, 'b.csv', window)
    expect(readFileSync(out('b.csv'), 'utf8')).toBe(readFileSync(out('a.csv'), 'utf8'))
  })
})

describe('Parquet', () => {
  it('has every figure of trades', async () => {
    const file = write(trades(1000), 'source.csv')
    await exported(file, 'trades.parquet')
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(out('trades.parquet')) })
    expect(rows).toHaveLength(1000)
    expect(rows[10]).toEqual({
      id: 't,10',
      createdAt: new Date(START + 5000),
      symbol: 'BTC_USD',
      side: 'sell',
      price: 100.125,
      qty: 0.11,
    })
  })

  it('has every figure of candles', async () => {
    await exported(write(candles(50), 'source.csv'), 'candles.parquet')
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(out('candles.parquet')) })
    expect(rows).toHaveLength(50)
    expect(rows[3]).toEqual({
      time: new Date(START + 180_000),
      open: 100.5,
      high: 102,
      low: 99.25,
      close: 101,
      volume: 3.5,
    })
  })
})

describe('an export', () => {
  it('replaces a file only when it is asked to, and leaves nothing of one that failed', async () => {
    const file = write(candles(50), 'source.csv')
    const kept = write('mine', 'kept.csv')
    await expect(exported(file, 'kept.csv', {}, false)).rejects.toThrow(
      'kept.csv: exists already: pass --force to overwrite it',
    )
    await expect(exported(file, 'kept.csv', { from: START * 2 })).rejects.toThrow('nothing was recorded in that time')
    await expect(exported(file, 'kept.txt')).rejects.toThrow(
      'expected a name that ends in .csv, .csv.gz, .parquet, .arrow or .tape',
    )
    await expect(exported(file, 'no/folder.csv')).rejects.toThrow('cannot be written')
    expect(readFileSync(kept, 'utf8')).toBe('mine')
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })
})
