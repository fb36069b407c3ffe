import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importRecordings, type ImportPlace } from '../../../src/store/transfers/import-recordings.ts'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import type { ImportManifest } from '../../../src/store/tapes/imports/manifest.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'
import { zipOf } from '../../import/rig/zip-files.ts'

const { folder, write } = temporaryFiles()
let counter = 0

const HEADER = 'id,time_ms,price,qty,side\n'
const row = (id: number): string =>
  `${id},${1_700_000_000_000 + id * 500},${(100 + (id % 9) / 4).toFixed(2)},${1 + (id % 3)},${id % 2 === 0 ? 'buy' : 'sell'}\n`
const rows = (from: number, to: number): string => Array.from({ length: to - from }, (_, at) => row(from + at)).join('')
const file = (content: string | Uint8Array): string => write(content, `in-${(counter += 1)}.csv`)

const PLACES = [{ form: 'store' }, { form: 'tape-file' }] as const

const newPlace = (form: ImportPlace['form']): ImportPlace => ({
  form,
  file: join(folder, `place-${(counter += 1)}.${form === 'store' ? 'db' : 'tape'}`),
})

const importAll = (
  place: ImportPlace,
  files: readonly (string | TapeSource)[],
  more: { readonly maxBad?: number } = {},
): Promise<readonly ImportManifest[]> =>
  importRecordings(
    files.map((each) => (typeof each === 'string' ? { file: each, symbol: 'BTC_USD' } : each)),
    place,
    { importedAt: 5, ...more },
  )

/** Every row in words, as a backtest reads them. */
async function played(source: TapeSource): Promise<readonly string[]> {
  const inspected = await inspectTape(source, { room: { bytes: 1e9 } })
  const reported: string[] = []
  for await (const block of openTape(inspected, inspected.info).blocks()) {
    const columns = Object.entries(block).filter(([name, column]) => name !== 'length' && column !== undefined)
    for (let at = 0; at < block.length; at += 1) {
      reported.push(columns.map(([name, column]) => `${name}=${String((column as ArrayLike<unknown>)[at])}`).join(' '))
    }
  }
  return reported
}

const stateOf = ({ file: path }: ImportPlace): string =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'nothing'

describe.each(PLACES)('an import into a $form', ({ form }) => {
  it('keeps every row of every file, in whatever order they are named', async () => {
    const whole = file(HEADER + rows(0, 200_000))
    const parts = [
      file(HEADER + rows(150_000, 200_000)),
      file(HEADER + rows(0, 70_000)),
      file(HEADER + rows(60_000, 151_000)),
    ]
    const place = newPlace(form)
    const manifests = await importAll(place, parts)
    expect(manifests.map(({ rowsIn, imported, duplicate, bad }) => [rowsIn, imported, duplicate, bad])).toEqual([
      [50_000, 49_000, 1000, 0],
      [70_000, 70_000, 0, 0],
      [91_000, 81_000, 10_000, 0],
    ])
    const expected = await played({ file: whole, symbol: 'BTC_USD' })
    expect(await played({ file: place.file })).toEqual(expected)
    expect(expected).toHaveLength(200_000)
  })

  it('adds nothing when a file comes again, and what is new when the next one comes', async () => {
    const place = newPlace(form)
    const january = file(HEADER + rows(0, 3000))
    await importAll(place, [january])
    const before = stateOf(place)
    const [again] = await importAll(place, [january])
    expect(again).toMatchObject({ rowsIn: 3000, imported: 0, duplicate: 3000, bad: 0 })
    if (form === 'tape-file') expect(stateOf(place)).toBe(before)
    const [next] = await importAll(place, [file(HEADER + rows(3000, 5000))])
    expect(next).toMatchObject({ imported: 2000, duplicate: 0 })
    expect((await inspectTape({ file: place.file })).info).toMatchObject({
      rows: 5000,
      symbol: 'BTC_USD',
      hasSides: true,
    })
  })

  if (form === 'store') {
    it('reads a file again only if its bytes, name, settings, gaps or version differ', async () => {
      const place = newPlace(form)
      const path = file(HEADER + rows(0, 3000) + row(2999))
      const again = async (source: Partial<TapeSource> = {}, version = '1'): Promise<ImportManifest | undefined> => {
        const sources = [{ file: path, symbol: 'BTC_USD', ...source }]
        const [manifest] = await importRecordings(sources, place, { importedAt: 7, version })
        const isRead = manifest?.notices.every((notice) => !notice.startsWith('Imported before')) === true
        return isRead ? undefined : manifest
      }
      expect(await again()).toBeUndefined()
      const [unknown] = await importAll(place, [path])
      expect(await again()).toEqual({
        ...unknown,
        importedAt: 7,
        notices: [
          'Imported before, at 1970-01-01T00:00:00.007Z, with the same settings: the file was not read again.',
          ...(unknown?.notices ?? []),
        ],
      })
      expect(await again({ sort: true })).toBeUndefined()
      expect(await again({}, '2')).toBeUndefined()
      expect(await again({ file: file(HEADER + rows(0, 3000) + row(2999)) })).toBeUndefined()
      writeFileSync(`${path.replace(/\.csv$/, '')}.gaps.csv`, `from,to,why\n1700000000000,1700000000500,x\n`)
      expect(await again()).toBeUndefined()
      expect(await again()).toMatchObject({ imported: 0, duplicate: 3001, markedGaps: 1 })
      writeFileSync(path, HEADER + rows(0, 3001))
      expect(await again()).toBeUndefined()
      expect(await played({ file: place.file })).toHaveLength(3001)
    })

    it('reads a file again after its market was deleted, and one with bad rows always', async () => {
      const place = newPlace(form)
      const path = file(`${HEADER}${rows(0, 10)}x,y,z,1,buy\n`)
      const again = () =>
        importRecordings([{ file: path, symbol: 'BTC_USD' }], place, { importedAt: 7, version: '1', maxBad: 1 })
      expect(await again()).toMatchObject([{ imported: 10, notices: [] }])
      expect(await again()).toMatchObject([{ imported: 0, notices: [] }])
      writeFileSync(path, HEADER + rows(0, 20))
      expect(await again()).toMatchObject([{ imported: 10 }])
      const store = TapeDatabase.write(place.file)
      for (const { id } of store.markets()) store.dropMarket(id)
      store.commit()
      store.close()
      expect(await again()).toMatchObject([{ imported: 20 }])
      expect(await again()).toMatchObject([
        { imported: 0, duplicate: 20, notices: [expect.stringContaining('before')] },
      ])
    })
  }

  it('says of each file what it was', async () => {
    const place = newPlace(form)
    const content = HEADER + rows(0, 10) + rows(20, 30) + row(29)
    const path = file(content)
    const [manifest] = await importAll(place, [path])
    expect(manifest).toEqual({
      name: path,
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
      dialect: 'CSV with a header',
      symbol: 'BTC_USD',
      kind: 'trades',
      intervalMs: null,
      rowsIn: 21,
      imported: 20,
      duplicate: 1,
      bad: 0,
      reasons: [],
      leftOut: {},
      first: 1_700_000_000_000,
      last: 1_700_000_014_500,
      unit: 'ms',
      gaps: { ids: 1, missingIds: 10, times: 0, longest: null },
      markedGaps: null,
      rejects: null,
      importedAt: 5,
      notices: [expect.stringContaining('1 identical duplicate row') as string],
    })
  })

  it('leaves everything as it was when the last of its files is wrong', async () => {
    const place = newPlace(form)
    await importAll(place, [file(HEADER + rows(0, 100))])
    const before = stateOf(place)
    const wrong = file(`${HEADER}${rows(200, 300)}x,y,z,1,buy\n`)
    await expect(importAll(place, [file(HEADER + rows(100, 200)), wrong])).rejects.toThrow(`${wrong}:102:2: expected`)
    const other = file(HEADER + rows(40, 60).replace(/,1,/, ',7,'))
    await expect(importAll(place, [file(HEADER + rows(100, 200)), other])).rejects.toThrow('as it is there already')
    expect(stateOf(place)).toBe(before)
    expect(await played({ file: place.file })).toHaveLength(100)
    expect(readdirSync(folder).filter((name) => name.includes('partial') || name.startsWith('.papertape'))).toEqual([])
  })

  it('leaves nothing of a file that was cut anywhere', async () => {
    const place = newPlace(form)
    await importAll(place, [file(HEADER + rows(0, 100))])
    const before = stateOf(place)
    const packed = gzipSync(HEADER + rows(100, 4000))
    for (let cut = 1; cut <= 200; cut += 1) {
      const at = Math.floor((packed.length - 1) * (cut / 200))
      const error = await importAll(place, [write(packed.subarray(0, at), 'cut.csv.gz')]).catch(
        (thrown: unknown) => thrown,
      )
      expect(String(error)).toMatch(/cut\.csv\.gz:? ?.*expected/)
    }
    expect(stateOf(place)).toBe(before)
  })

  it('passes over wrong rows when it is asked to, and writes them beside the file', async () => {
    const place = newPlace(form)
    const path = file(
      `${HEADER}${row(1)}2,x,1,1,buy\n${row(3)}4,1700000002000,-5,1,buy\n5,1700000002500,"a, b",1,buy\n${row(6)}`,
    )
    const [manifest] = await importAll(place, [path], { maxBad: 3 })
    expect(manifest).toMatchObject({ rowsIn: 6, imported: 3, bad: 3, rejects: `${path}.rejects.csv` })
    expect(manifest?.reasons.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(3)
    const lines = readFileSync(`${path}.rejects.csv`, 'utf8').split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['3', '5', '6', ''])
    expect(lines[3]).toContain('5,1700000002500,""a, b"",1,buy')
    await expect(importAll(newPlace(form), [path], { maxBad: 2 })).rejects.toThrow('more than 2 bad rows')
  })

  it('takes over the gaps that a recorder has marked, and none where no one has', async () => {
    const place = newPlace(form)
    const path = file(HEADER + rows(0, 100))
    write(
      'from,to,why\n1700000010000,1700000010500,away\n',
      `${path.split('/').at(-1)?.replace('.csv', '') ?? ''}.gaps.csv`,
    )
    const [manifest] = await importAll(place, [path])
    expect(manifest?.markedGaps).toBe(1)
    expect((await inspectTape({ file: place.file })).gaps).toEqual([
      { from: 1_700_000_010_000, to: 1_700_000_010_500, why: 'away' },
    ])
    const plain = newPlace(form)
    await importAll(plain, [file(HEADER + rows(0, 100))])
    expect((await inspectTape({ file: plain.file })).gaps).toBeUndefined()
  })

  it('reads the files of an archive one by one', async () => {
    const archive = write(
      zipOf([
        { name: 'a.csv', data: HEADER + rows(0, 10) },
        { name: 'b.csv', data: HEADER + rows(10, 30) },
      ]).bytes,
      `two-${form}.zip`,
    )
    const manifests = await importAll(newPlace(form), [archive])
    expect(manifests.map(({ name, imported }) => [name, imported])).toEqual([
      [`${archive}!a.csv`, 10],
      [`${archive}!b.csv`, 20],
    ])
  })

  it('refuses one file twice', async () => {
    const path = file(HEADER + rows(0, 10))
    await expect(importAll(newPlace(form), [path, path])).rejects.toThrow(`${path}: is given twice: remove one`)
  })
})

describe('markets of a store', () => {
  const candles =
    'time,open,high,low,close,volume\n1700000000000,1,2,1,2,5\n1700000060000,2,2,1,1,5\n1700000120000,1,1,1,1,0\n'

  it('are played by their trades, or by the candles that are asked for', async () => {
    const place = newPlace('store')
    await importAll(place, [file(candles)])
    expect((await inspectTape({ file: place.file })).info).toMatchObject({
      kind: 'candles',
      intervalMs: 60_000,
      rows: 3,
    })
    await importAll(place, [file(HEADER + rows(0, 10))])
    const { info } = await inspectTape({ file: place.file })
    expect(info).toMatchObject({
      kind: 'trades',
      rows: 10,
      notices: [`Its trades are used; ${place.file} also has candles of 1m.`],
    })
    const asked = await inspectTape({ file: place.file, candleInterval: 60_000 })
    expect(asked.info).toMatchObject({ kind: 'candles', rows: 3 })
    await expect(inspectTape({ file: place.file, candleInterval: 5000 })).rejects.toThrow(
      `candleInterval: ${place.file} has no candles of 5s; there is trades, candles of 1m`,
    )
  })

  it('are named when it is not clear which is meant', async () => {
    const place = newPlace('store')
    await importAll(place, [file(HEADER + rows(0, 10)), { file: file(HEADER + rows(0, 10)), symbol: 'ETH_USD' }])
    await expect(inspectTape({ file: place.file })).rejects.toThrow(
      `missing symbol, because ${place.file} has BTC_USD, ETH_USD`,
    )
    await expect(inspectTape({ file: place.file, symbol: 'XRP_USD' })).rejects.toThrow(
      `${place.file}: has no tape of XRP_USD; there is BTC_USD, ETH_USD`,
    )
    await expect(inspectTape({ file: place.file, symbol: 'ETH_USD', columns: 'time,price,qty' })).rejects.toThrow(
      'columns: applies only when a recording is read as a file',
    )
  })

  it('do not go into a .tape file of another one', async () => {
    const place = newPlace('tape-file')
    await importAll(place, [file(HEADER + rows(0, 10))])
    await expect(importAll(place, [{ file: file(HEADER + rows(0, 10)), symbol: 'ETH_USD' }])).rejects.toThrow(
      `${place.file}: holds trades of BTC_USD, so trades of ETH_USD cannot go into it: use another file, or a database`,
    )
  })
})
