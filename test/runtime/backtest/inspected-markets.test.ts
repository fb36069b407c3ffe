/**
 * Recorded books beside tapes: what of their files is played, and what is refused before anything runs.
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { prepareBacktest, type PreparedBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { SNAPSHOT } from '../../../src/tape/depth-block.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { SETTINGS } from '../rig/run-strategy.ts'

const { write } = temporaryFiles()
const T = 1_700_000_000_000
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const diff = (id: number, price: string, qty: string): string =>
  JSON.stringify({ e: 'depthUpdate', E: T + id, s: 'BTCUSDT', U: id, u: id, b: [[price, qty]], a: [] })
const snapshot = JSON.stringify({ lastUpdateId: 1, bids: [['9.5', '5']], asks: [['11', '0.125']] })
const trade = (id: number, e = 'trade'): string =>
  JSON.stringify({ e, E: T + id, T: T + id, s: 'BTCUSDT', t: id, a: id, p: '9.25', q: '1', m: true })
const ticker = (id: number): string =>
  JSON.stringify({ u: id, T: T + id, s: 'BTCUSDT', b: '9.5', B: '5', a: '11', A: '1' })

const CAPTURE = [diff(1, '9', '1'), snapshot, trade(1), ticker(1), diff(5, '9', '2').replace('"U":5', '"U":2'), trade(5), ticker(6), diff(9, '8', '1').replace('"U":9', '"U":6')] // prettier-ignore
const capture = write(text(CAPTURE), 'capture.jsonl')
const later = write(text(CAPTURE).replaceAll('17000000000', '17000000099'), 'later.jsonl')
const bookOnly = write(text(CAPTURE.filter((line) => !line.includes('"trade"'))), 'book.jsonl')
const tradesOnly = write(text([trade(1), trade(5)]), 'trades.jsonl')
const put = write(text(CAPTURE.map((line) => line.replace('"trade"', '"aggTrade"'))), 'aggregate.jsonl')
const csv = write(`time_ms,price,qty\n${T + 2},9.125,1\n${T + 7},9,1\n`, 'trades.csv')
const candles = write(`time,open,high,low,close,volume\n${T},1,1,1,1,1\n${T + 60_000},1,1,1,1,1\n`, 'candles.csv')
const eth = write(`time_ms,price,qty\n${T},1,1\n${T + 20},1,1\n`, 'eth.csv')

const BTC = 'BTC_USDT'
const prepare = (settings: Partial<BacktestSettings>): Promise<PreparedBacktest> =>
  prepareBacktest({ ...SETTINGS, strategy: 'sma-cross', tapes: [], books: [], credit: {}, ...settings })

/** What is played, in short. */
const played = ({ inspected, inspectedBooks }: PreparedBacktest): readonly string[] =>
  [...inspected, ...inspectedBooks].map(({ info }) => `${info.symbol} ${info.kind} ${info.rows}`)

async function timesOf({ books }: PreparedBacktest): Promise<readonly (readonly number[])[]> {
  const all: number[][] = []
  for (const book of books) {
    const times: number[] = []
    for await (const { time } of book.blocks()) times.push(...[...time].map((each) => each - T))
    all.push(times)
  }
  return all
}

describe('a recording', () => {
  it.each`
    tapes                                                       | books                                                             | expected                                                                                                                        | why
    ${[{ file: capture }]}                                      | ${[]}                                                             | ${['BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                               | ${'a capture is a tape with all that it holds'}
    ${[{ file: capture, dialect: 'binance-stream-of-trades' }]} | ${[]}                                                             | ${['BTC_USDT trades 2']}                                                                                                        | ${'unless it is said to be rows'}
    ${[{ file: tradesOnly }]}                                   | ${[]}                                                             | ${['BTC_USDT trades 2']}                                                                                                        | ${'one of trades alone is a tape'}
    ${[{ file: put }]}                                          | ${[]}                                                             | ${['BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                               | ${'trades that were put together are read as a tape is'}
    ${[{ file: csv, symbol: BTC }]}                             | ${[{ file: capture, symbol: BTC }]}                               | ${['BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                               | ${'a book stands beside a tape'}
    ${[]}                                                       | ${[{ file: capture, symbol: BTC }]}                               | ${['BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                               | ${'without one its own trades are played'}
    ${[]}                                                       | ${[{ file: bookOnly, symbol: BTC }]}                              | ${['BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                                                    | ${'or none'}
    ${[{ file: capture, symbol: BTC }]}                         | ${[{ file: capture, symbol: BTC }]}                               | ${['BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                                               | ${'the trades and the book of one file may both be named'}
    ${[]}                                                       | ${[{ file: capture, symbol: BTC }, { file: later, symbol: BTC }]} | ${['BTC_USDT trades 2', 'BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']} | ${'several follow each other'}
    ${[{ file: eth, symbol: 'ETH_USDT' }]}                      | ${[{ file: capture, symbol: BTC }]}                               | ${['ETH_USDT trades 2', 'BTC_USDT trades 2', 'BTC_USDT depth 4', 'BTC_USDT quotes 2']}                                          | ${'markets that were named as tapes come first'}
  `('$why', async ({ tapes, books, expected }: Pick<BacktestSettings, 'tapes' | 'books'> & { expected: string[] }) => {
    expect(played(await prepare({ tapes, books }))).toEqual(expected)
  })

  it('of one file is read once, whatever is wanted of it', async () => {
    const read: string[] = []
    const settings = { ...SETTINGS, strategy: 'sma-cross', credit: {} }
    const onReading = (file: string): void => void read.push(file)
    const source = { file: capture, symbol: BTC }
    await prepareBacktest({ ...settings, tapes: [source], books: [source] }, {}, { onReading })
    await prepareBacktest({ ...settings, tapes: [source], books: [] }, {}, { onReading })
    expect(read).toEqual([capture, capture])
  })

  it('of trades alone is what it was before there were books', async () => {
    const { inspected } = await prepare({ tapes: [{ file: tradesOnly }] })
    expect(inspected).toEqual([await inspectTape({ file: tradesOnly }, { room: { bytes: 1e9 } })])
  })

  it('says which of its trades are not played', async () => {
    const { inspectedBooks } = await prepare({ tapes: [{ file: csv, symbol: BTC }], books: [{ file: capture, symbol: BTC }] }) // prettier-ignore
    expect(inspectedBooks.map(({ info }) => info.notices.at(-1))).toEqual([
      'Its 2 trades are not used, because BTC_USDT has its own tape.',
      undefined,
    ])
  })

  it('has a market with the precisions that hold its tape and its book', async () => {
    const { markets, tapes, books } = await prepare({ tapes: [{ file: csv, symbol: BTC }], books: [{ file: capture, symbol: BTC }] }) // prettier-ignore
    const digits = [...markets, ...tapes.map(({ info }) => info), ...books.map(({ info }) => info)]
    expect(digits.map(({ pricePrecision, qtyPrecision }) => [pricePrecision, qtyPrecision])).toEqual(
      digits.map(() => [3, 3]),
    )
  })
})

describe('the time of a run', () => {
  it.each`
    settings                                                                             | span      | times                     | why
    ${{ books: [{ file: bookOnly, symbol: BTC }] }}                                      | ${[1, 9]} | ${[[1, 1, 5, 9], [1, 6]]} | ${'that of the book, where that is all that there is'}
    ${{ tapes: [{ file: csv, symbol: BTC }], books: [{ file: bookOnly, symbol: BTC }] }} | ${[2, 7]} | ${[[2, 2, 5], [2, 6]]}    | ${'that of the tape else, at whose beginning the book is as it was then'}
    ${{ books: [{ file: bookOnly, symbol: BTC }], from: T + 5, to: T + 9 }}              | ${[5, 9]} | ${[[5, 5, 5], [5, 6]]}    | ${'or what was asked for, without its end'}
  `('is $why', async ({ settings, span, times }) => {
    const prepared = await prepare(settings as Partial<BacktestSettings>)
    expect([prepared.from - T, prepared.to - T]).toEqual(span)
    expect(await timesOf(prepared)).toEqual(times)
  })

  it('begins with a snapshot inside of it', async () => {
    const prepared = await prepare({ books: [{ file: bookOnly, symbol: BTC }], from: T + 6 })
    for await (const block of prepared.books[0]?.blocks() ?? []) {
      expect('flags' in block && (block.flags[0] ?? 0) & SNAPSHOT).toBe(SNAPSHOT)
      return
    }
    throw new Error('there is a block')
  })
})

describe('is refused', () => {
  it.each`
    settings                                                                                 | message                                                                                                                    | why
    ${{ tapes: [{ file: candles, symbol: BTC }], books: [{ file: bookOnly, symbol: BTC }] }} | ${/^books: a recorded book, as .*book.jsonl has it, is of trades, and BTC_USDT was recorded as candles in .*candles.csv$/} | ${'a book of candles'}
    ${{ books: [{ file: bookOnly, symbol: BTC }, { file: bookOnly, symbol: BTC }] }}         | ${/^books: '.*book.jsonl' is given twice: remove one$/}                                                                    | ${'a file twice'}
    ${{ books: [{ file: bookOnly, symbol: BTC }, { file: capture, symbol: BTC }] }}          | ${/^books: '.*book.jsonl' and '.*capture.jsonl' both have the book of BTC_USDT at 2023-11-14T22:13:20.001Z: remove one$/}  | ${'one time twice'}
    ${{ books: [{ file: bookOnly, symbol: 'BTCUSDT' }] }}                                    | ${/^tapes: expected a symbol of the form BASE_QUOTE/}                                                                      | ${'a symbol that is none'}
    ${{ tapes: [{ file: csv, symbol: BTC }], books: [{ file: csv, symbol: 'ETH_USDT' }] }}   | ${/trades.csv:1: unknown header: expected a CSV of books or quotes/}                                                       | ${'a file of trades'}
    ${{ books: [{ file: 'gone', symbol: BTC }] }}                                            | ${/^gone: no such file$/}                                                                                                  | ${'a file that is not there'}
    ${{}}                                                                                    | ${'tapes: expected at least one tape'}                                                                                     | ${'nothing at all'}
  `('$why', async ({ settings, message }: { settings: Partial<BacktestSettings>; message: RegExp }) => {
    const refusal = await prepare(settings).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(InputError)
    expect((refusal as InputError).message).toMatch(message)
  })
})
