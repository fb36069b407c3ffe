import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inspectBooks } from '../../../../src/store/books/inspected/inspect-books.ts'
import type { InspectedBook, InspectedBooks } from '../../../../src/store/books/inspected/inspected-book.ts'
import { openBook } from '../../../../src/store/books/inspected/open-book.ts'
import { BookReading } from '../../../../src/store/books/read-books.ts'
import type { TapePrecisions } from '../../../../src/tape/tape-precisions.ts'
import type { BookTapeSource } from '../../../../src/import/tape-source.ts'
import { openTape } from '../../../../src/store/tapes/open-tape.ts'
import { RecordedBook } from '../../../../src/tape/book/recorded-book.ts'
import type { DepthBlock } from '../../../../src/tape/depth-block.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { write } = temporaryFiles()
const PLENTY = 1e9
const T = 1_700_000_000_000

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const sha = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const levelsOf = (reported: string): readonly (readonly string[])[] =>
  reported === '' ? [] : reported.split(' ').map((level) => level.split('x'))
const diff = (id: number, bids = '', asks = '', s = 'BTCUSDT'): string =>
  JSON.stringify({ e: 'depthUpdate', E: T + id, s, U: id, u: id, b: levelsOf(bids), a: levelsOf(asks) })
const SNAPSHOT = JSON.stringify({ lastUpdateId: 1, bids: levelsOf('9x5 8x1'), asks: levelsOf('11x5') })
const trade = (id: number, price = '9', qty = '1', s = 'BTCUSDT'): string =>
  JSON.stringify({ e: 'trade', E: T + id, T: T + id, s, t: id, p: price, q: qty, m: true })
const ticker = (id: number, bid: string, ask: string): string => {
  const [[b, B] = [], [a, A] = []] = [levelsOf(bid)[0], levelsOf(ask)[0]]
  return JSON.stringify({ u: id, s: 'BTCUSDT', T: T + id, b, B, a, A })
}

const CAPTURE = [diff(1), SNAPSHOT, diff(2, '9x1'), trade(2), ticker(2, '9x1', '11x5'), diff(3, '9.5x0.25'), trade(3, '9.5', '0.125'), ticker(3, '9.5x0.25', '11x5')] // prettier-ignore

const inspect = (content: string | Uint8Array, source: Partial<BookTapeSource> = {}, bytes = PLENTY): Promise<InspectedBooks> => inspectBooks({ file: write(content, 'capture'), ...source }, { room: { bytes } }) // prettier-ignore

type Rows = Record<string, Record<string, number[]>>

const add = (rows: Rows, kind: string, block: object, scale: (name: string) => number): void => {
  const columns = (rows[kind] ??= {})
  for (const [name, column] of Object.entries(block) as [string, Float64Array | undefined][]) {
    if (name === 'length' || column === undefined) continue
    const into = (columns[name] ??= [])
    for (const value of column) into.push(value * scale(name))
  }
}

/** Every column as a plain reading gives it, in the given precisions. */
async function readRows(file: string, wanted: TapePrecisions): Promise<Rows> {
  const rows: Rows = {}
  for await (const part of new BookReading({ files: [file] }).parts()) {
    const price = 10 ** (wanted.pricePrecision - part.pricePrecision)
    const qty = 10 ** (wanted.qtyPrecision - part.qtyPrecision)
    const isPrice = (name: string): boolean => name === 'price' || name === 'bid' || name === 'ask'
    const isQty = (name: string): boolean => name.toLowerCase().endsWith('qty')
    add(rows, part.kind, part.block, (name) => (isPrice(name) ? price : isQty(name) ? qty : 1))
  }
  return rows
}

async function storedRows({ depth, quotes, trades }: InspectedBooks, wanted: TapePrecisions): Promise<Rows> {
  const rows: Rows = {}
  for (const book of [depth, quotes]) {
    if (book === undefined) continue
    const tape = openBook(book, wanted)
    for await (const block of tape.blocks()) add(rows, tape.info.kind, block, () => 1)
  }
  if (trades === undefined) return rows
  for await (const block of openTape(trades, wanted).blocks()) add(rows, 'trades', block, () => 1)
  return rows
}

const FINE = { pricePrecision: 4, qtyPrecision: 5 }
const isOnDisk = (book: InspectedBook | undefined): boolean =>
  book?.rows.form === 'spooled' && book.rows.spooled.file !== undefined

describe('a capture', () => {
  it('is its book, its quotes and its trades, by one pass', async () => {
    const found = await inspect(text(CAPTURE))
    const common = { symbol: 'BTC_USDT', sha256: sha(text(CAPTURE)), pricePrecision: 1 }
    expect(found.depth?.info).toMatchObject({ ...common, kind: 'depth', reach: 'changes', rows: 5, levels: 2, gapCount: 0, from: T + 1, to: T + 3 }) // prettier-ignore
    expect(found.quotes?.info).toMatchObject({ ...common, kind: 'quotes', reach: 'quotes', rows: 2, levels: 0, notices: [] }) // prettier-ignore
    expect(found.trades?.info).toMatchObject({ ...common, kind: 'trades', rows: 2, qtyPrecision: 3, hasSides: true, from: T + 2, to: T + 3 }) // prettier-ignore
    expect(found.depth?.info.notices).toContain("The market 'BTCUSDT' of the recording is read as BTC_USDT.")
  })

  it.each`
    bytes     | onDisk   | where
    ${PLENTY} | ${false} | ${'in memory'}
    ${0}      | ${true}  | ${'in a file without a name'}
  `('keeps the rows of a plain reading $where, in any precisions, for any thread', async ({ bytes, onDisk }) => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-books-'))
    const file = write(text(CAPTURE), 'capture')
    const found = await inspectBooks({ file }, { room: { bytes: bytes as number, folder } })
    expect([isOnDisk(found.depth), isOnDisk(found.quotes)]).toEqual([onDisk, onDisk])
    expect(readdirSync(folder)).toEqual([])
    rmdirSync(folder)
    const expected = await readRows(file, FINE)
    expect(Object.keys(expected).toSorted()).toEqual(['depth', 'quotes', 'trades'])
    writeFileSync(file, 'something else')
    expect(await storedRows(found, FINE)).toEqual(expected)
    expect(await storedRows(structuredClone(found), FINE)).toEqual(expected)
  })

  it('is refused where neither memory nor the disk has room', async () => {
    const source = { file: write(text(CAPTURE), 'capture') }
    const room = { bytes: 0, folder: '/no/such/folder' }
    await expect(inspectBooks(source, { room })).rejects.toThrow('capture: no space for its rows')
  })

  it('may need more decimals late', async () => {
    const lines = [...CAPTURE, diff(4, '9.12345x1'), trade(4, '9.5', '0.00001')]
    const file = write(text(lines), 'capture')
    const found = await inspectBooks({ file })
    expect(found.depth?.info).toMatchObject({ pricePrecision: 5, qtyPrecision: 5 })
    expect(await storedRows(found, { pricePrecision: 5, qtyPrecision: 5 })).toEqual(await readRows(file, { pricePrecision: 5, qtyPrecision: 5 })) // prettier-ignore
    await expect(inspect(text(lines), { pricePrecision: 2 })).rejects.toThrow('capture:9: expected a price with at most 2 decimals') // prettier-ignore
  })

  it('of several markets is that of the symbol, or the one that is named', async () => {
    const lines = [...CAPTURE, diff(9, '1x1', '', 'ETHUSDT'), trade(9, '1', '1', 'ETHUSDT')]
    const found = await inspect(text(lines), { symbol: 'BTC_USDT' })
    expect(found.trades?.info.rows).toBe(2)
    expect(found.depth?.info.notices.join()).toContain('rows of ETHUSDT (2)')
    await expect(inspect(text(lines))).rejects.toThrow("capture:9: expected 'BTCUSDT' as before, got 'ETHUSDT'")
    const named = await inspect(text(lines), { symbol: 'BTC_PERP', market: 'BTCUSDT' })
    expect(named.depth?.info).toMatchObject({ symbol: 'BTC_PERP', rows: 5 })
  })

  it('reports its gaps with their places, and has them in its blocks', async () => {
    const found = await inspect(text([...CAPTURE, diff(7, '9x2'), diff(9, '9x3')]), { symbol: 'BTC_USDT' })
    expect(found.depth?.info.gapCount).toBe(2)
    expect(found.depth?.info.warnings).toBe(1)
    expect(found.depth?.info.notices[0]).toMatch(
      /^There are 2 gaps in the book; .*capture:9 \(2023-11-14T22:13:20.007Z: updates 4 to 6 are missing\); .*capture:10 .*\.$/,
    )
    const { depth } = await storedRows(found, FINE)
    expect(depth?.flags?.filter((flag) => (flag & 4) !== 0)).toHaveLength(2)
  })

  it('says what it moved', async () => {
    const found = await inspect(text([...CAPTURE, ticker(4, '9.5x1', '11x5'), trade(4), diff(4, '9.5x1')]))
    const { notices = [] } = found.depth?.info ?? {}
    expect(notices).toContain(
      'Sorted by the time of the exchange: trades received out of order (3), frames received out of order (1).',
    )
  })
})

describe('other files', () => {
  it.each`
    why                                | content                                                        | message
    ${'an empty file'}                 | ${''}                                                          | ${'capture: expected CSV, got an empty file'}
    ${'a header alone'}                | ${'time,side,price,qty,snapshot\n'}                            | ${'capture: expected a recording of a book, quotes or trades, got no usable rows'}
    ${'trades in CSV'}                 | ${'time_ms,price,qty\n1,1,1\n'}                                | ${'capture:1: unknown header: expected a CSV of books or quotes (Tardis'}
    ${'trades in JSON'}                | ${text([trade(1), trade(2)])}                                  | ${'capture: expected books or quotes in JSON, of Binance streams, Bybit orderbook'}
    ${'sums in bands'}                 | ${'timestamp,percentage,depth,notional\n1,-5,1,1\n'}           | ${'capture:1: is a Binance bookDepth file'}
    ${'half a compressed file'}        | ${gzipSync(text(CAPTURE)).subarray(0, 200)}                    | ${'capture: expected complete gzip data, got a file that was cut off'}
    ${'damaged compression'}           | ${gzipSync(text(CAPTURE)).fill(7, 40, 60)}                     | ${'capture: expected sound gzip data'}
    ${'a line that was cut off'}       | ${text(CAPTURE).slice(0, -30)}                                 | ${'capture:8:'}
    ${'only what comes before a book'} | ${text([diff(1), diff(2)])}                                    | ${'capture: expected a recording of a book, quotes or trades, got no usable rows'}
    ${'a market of no symbol'}         | ${text(['time,side,price,qty,snapshot', `${T},bid,9,1,true`])} | ${'capture: missing symbol, because it does not name its market: write BASE_QUOTE='}
  `('$why: $message', async ({ content, message }: { content: string | Uint8Array; message: string }) => {
    await expect(inspect(content)).rejects.toThrow(message)
  })

  it('of one row are read', async () => {
    const content = text(['time,side,price,qty,snapshot', `${T},bid,9,1,true`])
    const { depth, quotes, trades } = await inspect(content, { symbol: 'BTC_USDT' })
    expect(depth?.info).toMatchObject({ rows: 1, reach: 'snapshots', levels: 1, from: T, to: T })
    expect([quotes, trades]).toEqual([undefined, undefined])
    expect(depth?.info.notices).toEqual([
      'The book has only the best 1 of each side.',
      'The book has only snapshots; changes between two snapshots are unknown.',
    ])
  })

  it('of LOBSTER are hashed both', async () => {
    const messages = text(['34200.1,1,1,5,90000,1', '34200.3,4,1,2,90000,1'])
    const books = text(['100000,1,90000,5', '100000,1,90000,3'])
    const file = write(messages, 'AAPL_2012-06-21_34200000_57600000_message_1.csv')
    write(books, 'AAPL_2012-06-21_34200000_57600000_orderbook_1.csv')
    const { depth, trades } = await inspectBooks({ file, symbol: 'AAPL_USD' })
    expect(depth?.info.sha256).toBe(sha(sha(messages) + sha(books)))
    expect(depth?.info.notices).toEqual([
      'It has the id of every order, so the queue ahead of your orders is known, not estimated.',
      'The book has only the best 1 of each side, at each change.',
    ])
    expect(trades?.info).toMatchObject({ rows: 1, hasSides: true })
  })

  it('are left early where that is asked for', async () => {
    const file = write(text(CAPTURE), 'capture')
    await expect(inspectBooks({ file }, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })
})

const DATA = fileURLToPath(new URL('../../../../../shared/data/depth', import.meta.url))
const isAbsent = !existsSync(DATA)

describe.skipIf(isAbsent)(`real captures${isAbsent ? ' (skipped: ../shared/data/depth is not there)' : ''}`, () => {
  it.each`
    name                          | symbol        | kinds
    ${'spot_ethusdt_20240808.gz'} | ${'ETH_USDT'} | ${['depth', 'quotes', 'trades']}
    ${'spot_ethusdt_20240809.gz'} | ${'ETH_USDT'} | ${['quotes', 'trades']}
    ${'usdm_btcusdt_20240808.gz'} | ${'BTC_USDT'} | ${['depth', 'quotes', 'trades']}
  `('$name', async ({ name, symbol, kinds }: { name: string; symbol: string; kinds: readonly string[] }) => {
    const file = join(DATA, name)
    const found = await inspectBooks({ file })
    const info = (found.depth ?? found.quotes)?.info
    expect(info).toMatchObject({ symbol, sha256: sha(readFileSync(file)) })
    // The second day goes on from the book of the first.
    const isWithoutBook = (notice: string): boolean => notice.startsWith('It has changes of a book but no snapshot')
    expect(info?.notices.some(isWithoutBook)).toBe(found.depth === undefined)
    const { pricePrecision, qtyPrecision } = info ?? { pricePrecision: 0, qtyPrecision: 0 }
    const precisions = { pricePrecision: pricePrecision + 1, qtyPrecision }
    const kept = await storedRows(found, precisions)
    expect(Object.keys(kept).toSorted()).toEqual(kinds)
    const read = await readRows(file, precisions)
    for (const kind of kinds) {
      for (const [column, values] of Object.entries(read[kind] ?? {})) {
        expect(kept[kind]?.[column]?.length).toBe(values.length)
        expect(kept[kind]?.[column]?.every((value, at) => value === values[at])).toBe(true)
      }
    }
  })
})

describe('a capture that goes on from another', () => {
  const diff = (id: number, bids: readonly string[][]): string =>
    JSON.stringify({ e: 'depthUpdate', E: 1_700_000_000_000 + id, s: 'BTCUSDT', U: id, u: id, b: bids, a: [] })
  const snapshot = JSON.stringify({ lastUpdateId: 1, bids: [['90', '5']], asks: [['110', '0.125']] })
  const file = (name: string, lines: readonly string[]): string => write(`${lines.join('\n')}\n`, name)
  const first = file('first.jsonl', [diff(1, []), snapshot, diff(2, [['91.5', '2']]), diff(3, [['90', '0']])])

  it.each`
    ids       | rows    | why
    ${[4, 5]} | ${4}    | ${'has its book from the beginning'}
    ${[3, 4]} | ${3}    | ${'also where it tells again what was reported'}
    ${[5, 6]} | ${null} | ${'has none where an update is missing between them'}
  `('$why', async ({ ids, rows }: { ids: readonly number[]; rows: number | null }) => {
    const ends = new Map()
    const options = { ends }
    expect((await inspectBooks({ file: first, symbol: 'BTC_USDT' }, options)).depth?.info.rows).toBe(4)
    const next = file(`next-${ids.join('')}.jsonl`, [
      ...ids.map((id) => diff(id, id === 3 ? [['90', '0']] : [['92', String(id)]])),
      JSON.stringify({ u: 9, T: 1_700_000_000_010, s: 'BTCUSDT', b: '92', B: '5', a: '110', A: '1' }),
    ])
    const found = await inspectBooks({ file: next, symbol: 'BTC_USDT' }, options)
    expect(found.depth?.info.rows ?? null).toBe(rows)
    expect(found.quotes?.info.rows).toBe(1)
    if (found.depth === undefined) return
    const book = new RecordedBook()
    for await (const block of openBook(found.depth, found.depth.info).blocks()) book.apply(block as DepthBlock)
    const { bids, asks } = book.levels(9)
    expect([bids, asks].map((side) => side.map(({ price, qty }) => [price / 10, qty / 1000]))).toEqual([
      [[92, ids.at(-1)], [91.5, 2]], // prettier-ignore
      [[110, 0.125]],
    ])
  })

  it('is of its own where the one before is of another market', async () => {
    const ends = new Map()
    await inspectBooks({ file: first, symbol: 'ETH_USDT', market: 'BTCUSDT' }, { ends })
    const next = file('other.jsonl', [diff(4, [['92', '4']]), JSON.stringify({ u: 9, T: 1_700_000_000_010, s: 'BTCUSDT', b: '92', B: '5', a: '110', A: '1' })]) // prettier-ignore
    expect((await inspectBooks({ file: next, symbol: 'BTC_USDT' }, { ends })).depth).toBeUndefined()
  })
})
