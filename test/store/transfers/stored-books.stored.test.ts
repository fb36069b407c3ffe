/**
 * Recorded books in a store and in `.tape` files: imported, read in any window, exported, and damaged.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inspectBooks } from '../../../src/store/books/inspected/inspect-books.ts'
import { inspectStoredBooks } from '../../../src/store/books/inspected/inspect-stored-books.ts'
import type { InspectedBook } from '../../../src/store/books/inspected/inspected-book.ts'
import { openBook } from '../../../src/store/books/inspected/open-book.ts'
import { checkBook } from '../../../src/store/tapes/checks/check-book.ts'
import { BookFile } from '../../../src/store/tapes/blocks/book-file.ts'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { exportBook } from '../../../src/store/transfers/export-book.ts'
import { importRecordings, type ImportPlace } from '../../../src/store/transfers/import-recordings.ts'
import type { ImportManifest } from '../../../src/store/tapes/imports/manifest.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import type { DepthBlock } from '../../../src/tape/depth-block.ts'
import type { TapeWindow } from '../../../src/tape/tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const T = 1_700_000_000_000
const SYMBOL = 'BTC_USDT'

const diff = (at: number, id: number, previous: number, level: readonly string[]): string =>
  JSON.stringify({
    e: 'depthUpdate',
    E: T + at,
    T: T + at,
    s: 'BTCUSDT',
    U: id,
    u: id,
    pu: previous,
    b: [level],
    a: [],
  })
const trade = (at: number): string =>
  JSON.stringify({ e: 'trade', E: T + at, T: T + at, s: 'BTCUSDT', t: at, p: '9.25', q: '1', m: true })
const ticker = (at: number): string =>
  JSON.stringify({ u: at, T: T + at, s: 'BTCUSDT', b: '9.5', B: `${at}`, a: '11', A: '1' })
const SNAPSHOT = JSON.stringify({ lastUpdateId: 1, bids: [['9.5', '5']], asks: [['11', '0.125']] })

/** One of a gap in the middle, which begins at a moment. */
const capture = (from: number): string =>
  [diff(from, 1, 0, ['9', '1']), SNAPSHOT, trade(from + 1), ...[2, 3, 4, 6, 7].flatMap((id) => [diff(from + id, id, id - 1, [`9.${id}`, `${id}`]), ticker(from + id)]), ''].join('\n') // prettier-ignore

const FIRST = write(capture(0), 'first.jsonl')
const SECOND = write(capture(100), 'second.jsonl')
const OVERLAPPING = write(capture(5), 'overlapping.jsonl')

let made = 0
const place = (form: ImportPlace['form']): ImportPlace => ({
  form,
  file: join(folder, `place-${(made += 1)}${form === 'store' ? '.db' : '.tape'}`),
})

const imported = (at: ImportPlace, ...files: readonly string[]): Promise<readonly ImportManifest[]> =>
  importRecordings(files.map((file) => ({ file })), at, { importedAt: 5 }) // prettier-ignore

const shown = (manifests: readonly ImportManifest[]): readonly string[] =>
  manifests.map(({ symbol, kind, rowsIn, imported: count, duplicate, gaps }) => [symbol, kind, rowsIn, count, duplicate, gaps.ids ?? '-'].join(' ')) // prettier-ignore

/** A book that is reported order by order, with its trades, in the form of Databento. */
const ORDERS = write(
  [
    'ts_recv,ts_event,action,side,price,size,order_id,flags,symbol',
    ...[
      [0, 'R', 'N', '0', 0, 0, 32],
      [0, 'A', 'B', '9.5', 5, 1, 32],
      [0, 'A', 'A', '11.25', 2, 2, 160],
      [3, 'A', 'B', '9.5', 4, 3, 128],
      [4, 'T', 'A', '9.5', 2, 0, 0],
      [4, 'F', 'B', '9.5', 2, 1, 0],
      [4, 'C', 'B', '9.5', 2, 1, 128],
      [6, 'C', 'B', '9.5', 4, 3, 128],
      [7, 'M', 'A', '11.75', 2, 2, 128],
    ].map(([at, ...cells]) => `${T},${T + Number(at)}000000,${cells.join(',')},BTCUSDT`),
    '',
  ].join('\n'),
  'orders.csv',
)

/** All columns of all blocks. */
async function rowsOf(book: InspectedBook | undefined, window?: TapeWindow): Promise<unknown> {
  if (book === undefined) return undefined
  const columns: Record<string, number[]> = {}
  for await (const block of openBook(book, { pricePrecision: 4, qtyPrecision: 4 }).blocks(window)) {
    const { falls, ...levels } = block as DepthBlock
    const reported = Object.entries(falls ?? {}).map(([name, column]) => [`falls.${name}`, column] as const)
    for (const [name, column] of [...Object.entries(levels), ...reported] as [string, Float64Array | number][]) {
      if (typeof column !== 'number') (columns[name] ??= []).push(...column)
    }
  }
  return columns
}

const stored = (at: ImportPlace): readonly InspectedBook[] =>
  inspectStoredBooks({ file: at.file, symbol: SYMBOL }, at.form)

describe('a store', () => {
  it('has the trades, the book and the quotes of a capture, and plays what the capture plays', async () => {
    const at = place('store')
    const manifests = await imported(at, FIRST)
    expect(shown(manifests)).toEqual(['BTC_USDT trades 1 1 0 -', 'BTC_USDT depth 7 7 0 1', 'BTC_USDT quotes 5 5 0 -'])
    const found = await inspectBooks({ file: FIRST })
    for (const [index, book] of [found.depth, found.quotes].entries()) {
      const own = stored(at)[index]
      expect({ ...own?.info, file: '', sha256: '', notices: [] }).toEqual({ ...book?.info, file: '', sha256: '', notices: [] }) // prettier-ignore
      expect(await rowsOf(own)).toEqual(await rowsOf(book))
      for (const window of [{ from: T + 3, to: T + 7 }, { from: T + 6 }, { to: T + 3 }]) {
        expect(await rowsOf(structuredClone(own), window)).toEqual(await rowsOf(book, window))
      }
    }
    expect((await inspectTape({ file: at.file })).info).toMatchObject({ kind: 'trades', rows: 1 })
  })

  it('has what went of each order, where that was recorded', async () => {
    const at = place('store')
    await importRecordings([{ file: ORDERS, symbol: SYMBOL }], at, { importedAt: 5 })
    const found = await inspectBooks({ file: ORDERS, symbol: SYMBOL })
    const [own] = stored(at)
    expect(own?.info.reportsOrders).toBe(true)
    expect(await rowsOf(own)).toEqual(await rowsOf(found.depth))
    expect(await rowsOf(own)).toMatchObject({
      'falls.since': [T, T + 3, T],
      'falls.price': [95_000, 95_000, 112_500],
      'falls.lots': [20_000, 40_000, 20_000],
      'falls.kind': [1, 2, 0],
    })
    const window = { from: T + 5, to: T + 7 }
    expect(await rowsOf(own, window)).toMatchObject({ 'falls.since': [T + 3], 'falls.row': [0] })
    const text = join(folder, 'orders-again.csv')
    await exportBook({ source: { file: at.file, symbol: SYMBOL }, kind: 'depth', window: {}, file: text, isForced: false }) // prettier-ignore
    const again = await inspectBooks({ file: text, symbol: SYMBOL })
    expect(await rowsOf(again.depth)).toEqual(await rowsOf(found.depth))
  })

  it('takes what follows, nothing twice, and nothing over what is there', async () => {
    const at = place('store')
    await imported(at, SECOND)
    expect(shown(await imported(at, FIRST, SECOND)).filter((line) => line.includes('depth'))).toEqual([
      'BTC_USDT depth 7 7 0 1',
      'BTC_USDT depth 7 0 7 1',
    ])
    const [depth] = stored(at)
    expect(depth?.info).toMatchObject({ rows: 14, gapCount: 2, from: T, to: T + 107 })
    await expect(imported(at, OVERLAPPING)).rejects.toThrow(
      'overlapping.jsonl: has depth of BTC_USDT at 2023-11-14T22:13:20.005Z, a time that is stored already: two recordings of the same time cannot be merged',
    )
    expect(stored(at)[0]?.info.rows).toBe(14)
  })

  it('is read as it was, whatever comes later, and is checked', async () => {
    const at = place('store')
    await imported(at, FIRST)
    const [depth] = stored(at)
    const before = await rowsOf(depth)
    await imported(at, SECOND)
    expect(await rowsOf(depth)).toEqual(before)
    const store = TapeDatabase.read(at.file)
    expect(store.books.list().map((book) => checkBook(at.file, book).faults)).toEqual([0, 0])
    store.close()
  })

  it('without books of a market says what it has', async () => {
    const at = place('store')
    await imported(at, FIRST)
    expect(() => inspectStoredBooks({ file: at.file, symbol: 'A_B' }, 'store')).toThrow(
      'has no book and no quotes of A_B; there is depth of BTC_USDT, quotes of BTC_USDT',
    )
  })
})

describe('a .tape file', () => {
  const depthFile = async (kind: 'depth' | 'quotes', name: string, window: TapeWindow = {}): Promise<string> => {
    const file = join(folder, name)
    await exportBook({ source: { file: FIRST, symbol: SYMBOL }, kind, window, file, isForced: true })
    return file
  }

  it.each(['depth', 'quotes'] as const)('has the rows of a recording of %s', async (kind) => {
    const file = await depthFile(kind, `whole-${kind}.tape`)
    const found = await inspectBooks({ file: FIRST })
    const [own] = inspectStoredBooks({ file, symbol: SYMBOL }, 'tape-file')
    expect(await rowsOf(own)).toEqual(await rowsOf(found[kind]))
    expect(await rowsOf(own, { from: T + 4 })).toEqual(await rowsOf(found[kind], { from: T + 4 }))
  })

  it('is made by an import of one kind of rows, and grows', async () => {
    const at = place('tape-file')
    const [one, two] = [100, 0].map((from) => write(`time,side,price,qty,snapshot\n${T + from},bid,9,1,1\n${T + from + 1},bid,9,2,0\n`, `long-${from}.csv`)) // prettier-ignore
    const source = (file = ''): { file: string; symbol: string } => ({ file, symbol: SYMBOL })
    await importRecordings([source(one)], at, { importedAt: 1 })
    await importRecordings([source(one), source(two)], at, { importedAt: 1 })
    expect(await rowsOf(stored(at)[0])).toMatchObject({ time: [T, T + 1, T + 100, T + 101], flags: [3, 2, 3, 2] })
    await expect(imported(at, FIRST)).rejects.toThrow(
      'a .tape file holds one kind of rows, but these are a book and trades: import into a database with --db',
    )
  })

  it('of a book is no tape, and one of trades no book', async () => {
    const book = await depthFile('depth', 'book.tape')
    await expect(inspectTape({ file: book })).rejects.toThrow('book.tape: holds a recorded book or quotes, not trades: pass it with --depth') // prettier-ignore
    const at = place('tape-file')
    await imported(at, write('time,price,qty,symbol\n1700000000000,1,1,A_B\n', 'trades.csv'))
    expect(() => inspectStoredBooks({ file: at.file }, 'tape-file')).toThrow('holds trades or candles, not a book: pass it with --tape') // prettier-ignore
  })

  it('that is damaged or cut is refused', async () => {
    const file = await depthFile('depth', 'damaged.tape')
    const bytes = readFileSync(file)
    const [own] = inspectStoredBooks({ file, symbol: SYMBOL }, 'tape-file')
    writeFileSync(file, bytes.with(40, 1 ^ (bytes[40] ?? 0)))
    await expect(rowsOf(own)).rejects.toThrow('damaged.tape: block 1 of 1: is damaged: its checksum is wrong')
    const opened = new BookFile(file)
    expect(checkBook(file, opened).findings).toMatchObject([{ what: 'damaged', block: 1 }])
    opened.close()
    writeFileSync(file, bytes.subarray(0, -20))
    expect(() => inspectStoredBooks({ file }, 'tape-file')).toThrow('is incomplete: its end is missing or damaged')
  })
})

describe('CSV', () => {
  it.each`
    kind        | name          | window                        | why
    ${'depth'}  | ${'a.csv'}    | ${{}}                         | ${'a book'}
    ${'quotes'} | ${'b.csv.gz'} | ${{}}                         | ${'quotes, packed'}
    ${'quotes'} | ${'c.csv'}    | ${{ from: T + 4, to: T + 7 }} | ${'a window'}
  `(
    'of $why is read again',
    async ({ kind, name, window }: { kind: 'depth' | 'quotes'; name: string; window: object }) => {
      const file = join(folder, name)
      const source = { file: FIRST, symbol: SYMBOL }
      const exported = await exportBook({ source, kind, window, file, isForced: false })
      const found = await inspectBooks(source)
      const again = await inspectBooks({ file, symbol: SYMBOL })
      const withoutGaps = (rows: unknown): unknown => {
        const { flags, ...columns } = rows as { flags?: number[] }
        return { ...columns, ...(flags !== undefined && { flags: flags.map((flag) => flag & 3) }) }
      }
      expect(withoutGaps(await rowsOf(again[kind]))).toEqual(withoutGaps(await rowsOf(found[kind], window)))
      expect(exported.notices).toEqual(
        kind === 'depth' ? ['CSV cannot hold gaps: export a .tape file to keep them.'] : [],
      )
      await expect(exportBook({ source, kind, window, file, isForced: false })).rejects.toThrow(
        'exists already: pass --force to overwrite it',
      )
    },
  )
})
