/**
 * `papertape fetch` from public archives, against a local server with their files.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliFolderHere } from '../rig/cli-here.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cutAfter, publish, testArchive } from './rig/archive-server.ts'
import {
  candlesOf,
  dateOf,
  idsOf,
  publishTradesOf,
  START,
  storedTrades,
  type StoredTrades,
  TRADES,
  tradesOf,
} from './rig/binance-days.ts'

const { cli, folder } = cliFolderHere()
const archive = testArchive()

const publishTrades = (...days: readonly number[]): void => {
  publishTradesOf(archive, days)
}

const fetchTrades = (db: string, days: number, ...more: string[]) =>
  cli(...['fetch', 'binance', 'BTC_USDT', '--trades', '--from', dateOf(0), '--to', dateOf(days)], ...['--url', archive.url, '--db', db, ...more]) // prettier-ignore

const stored = (db: string): Pick<StoredTrades, 'ids' | 'gaps'> => {
  const { ids, gaps } = storedTrades(join(folder, db))
  return { ids, gaps }
}

describe('papertape fetch from Binance', () => {
  it('stores every day, with times in milliseconds and microseconds, and says what to do next', async () => {
    publishTrades(0, 1, 2, 3)
    const { code, stdout, stderr } = await fetchTrades('whole.db', 4)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        'BTC_USDT trades from binance: 1,600 rows fetched',
        '  1,600 rows stored, 2024-12-30T00:00:00.000Z to 2025-01-02T22:10:00.000Z',
        '  nothing is missing',
        'next: papertape backtest sma-cross --tape whole.db --symbol BTC_USDT',
        '',
      ].join('\n'),
    )
    expect(stored('whole.db')).toEqual({ ids: idsOf(0, 1, 2, 3), gaps: [] })
    const run = await jsonRun(cli, 'backtest', 'sma-cross', '--tape', 'whole.db', '--symbol', 'BTC_USDT')
    expect(run).toMatchObject({ tapes: [{ rows: 1600 }] })
    expect(existsSync(join(folder, 'whole.db.fetch'))).toBe(false)
  })

  it('downloads no file again, and a file that was republished once', async () => {
    publishTrades(0, 1)
    await fetchTrades('again.db', 2)
    archive.requests.length = 0
    expect((await fetchTrades('again.db', 2)).stdout).toContain(': 0 rows fetched\n')
    expect(archive.requests.filter(({ url }) => url.endsWith('.zip'))).toEqual([])
    publish(archive, TRADES, `BTCUSDT-aggTrades-${dateOf(1)}`, `${tradesOf(1)}${tradesOf(2)}`)
    expect((await fetchTrades('again.db', 2)).stdout).toContain(': 400 rows fetched, 400 already stored\n')
    expect(stored('again.db').ids).toEqual(idsOf(0, 1, 2))
  })

  it('marks a day that is missing as a gap, until the archive has it', async () => {
    publishTrades(0, 3)
    const first = await fetchTrades('gap.db', 5, '--json')
    expect(JSON.parse(first.stdout)).toMatchObject({ tapes: [{ imported: 800, missing: [{}, {}, {}] }] })
    // The last missing day has no trades after it.
    expect(stored('gap.db')).toEqual({ ids: idsOf(0, 3), gaps: [[1, 2], [2, 3]] }) // prettier-ignore
    publishTrades(1, 2)
    expect((await fetchTrades('gap.db', 4)).stdout).toContain('  nothing is missing\n')
    expect(stored('gap.db')).toEqual({ ids: idsOf(0, 1, 2, 3), gaps: [] })
  })

  it('resumes a download that was cut with a Range request', async () => {
    publishTrades(0)
    const path = [...archive.files.keys()].find((each) => each.endsWith('.zip')) ?? ''
    const body = archive.files.get(path) ?? Buffer.of()
    archive.fault = ({ url, range }, response) => url === path && range === undefined && cutAfter(1000, body, response)
    expect((await fetchTrades('cut.db', 1)).code).toBe(0)
    expect(archive.requests.filter(({ url }) => url === path).map(({ range }) => range)).toEqual([undefined, 'bytes=1000-']) // prettier-ignore
    expect(stored('cut.db').ids).toEqual(idsOf(0))
  })

  it('downloads a file from its beginning if the resumed one has another checksum', async () => {
    publishTrades(0)
    const path = [...archive.files.keys()].find((each) => each.endsWith('.zip')) ?? ''
    const other = Buffer.alloc(archive.files.get(path)?.length ?? 0)
    let cuts = 1
    archive.fault = ({ url }, response) => url === path && cuts-- > 0 && cutAfter(1000, other, response)
    const { code, stderr } = await fetchTrades('mixed.db', 1)
    expect(code).toBe(0)
    expect(stderr).toMatch(/: expected a file with the SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}; downloading it again\n$/)
    expect(stored('mixed.db').ids).toEqual(idsOf(0))
  })

  it('refuses by name a file that is damaged each time, and stores the files before it', async () => {
    publishTrades(0, 1)
    const path = `/data/spot/daily/${TRADES}/BTCUSDT-aggTrades-${dateOf(1)}.zip`
    archive.files.set(path, Buffer.from('another file'))
    const { code, stdout, stderr } = await fetchTrades('damaged.db', 2)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /-2024-12-31\.zip: expected a file with the SHA-256 \w+, got \w+; it was downloaded 3 times\n$/,
    )
    expect(stored('damaged.db').ids).toEqual(idsOf(0))
  })

  it('waits as the server asks, and tries again after an error of it', async () => {
    publishTrades(0)
    const statuses = [429, 503, 500]
    archive.fault = (_, response) => {
      const status = statuses.shift()
      if (status !== undefined) response.writeHead(status, { 'retry-after': '0' }).end('busy')
      return status !== undefined
    }
    expect((await fetchTrades('busy.db', 1)).code).toBe(0)
    expect(stored('busy.db').ids).toEqual(idsOf(0))
  })

  it.each`
    status | message
    ${403} | ${'the server answered 403'}
    ${302} | ${'the server answered 302, a redirect, which is not followed'}
  `('ends at status $status with exit code 3', async ({ status, message }) => {
    archive.fault = (_, response) => {
      response.writeHead(status as number, { location: 'http://127.0.0.1:9/' }).end()
      return true
    }
    const { code, stderr } = await fetchTrades('refused.db', 1)
    expect(code).toBe(3)
    expect(stderr).toContain(`.zip.CHECKSUM: ${String(message)}\n`)
    expect(archive.requests).toHaveLength(1)
  })

  it('stores candles, and does not ask again for days that are complete', async () => {
    for (const day of [0, 2]) publish(archive, 'klines/BTCUSDT/1h', `BTCUSDT-1h-${dateOf(day)}`, candlesOf(day))
    const args = ['fetch', 'binance', 'BTC_USDT', '--candles', '1h', '--from', dateOf(0), '--to', dateOf(3), '--db', 'candles.db'] // prettier-ignore
    const { stdout } = await cli(...args, '--url', archive.url)
    expect(stdout).toContain('BTC_USDT 1h candles from binance: 48 rows fetched\n')
    expect(stdout).toContain('  1 period without candles, 1 d in all\n')
    archive.requests.length = 0
    await cli(...args, '--url', archive.url)
    const file = `/data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-${dateOf(1)}.zip`
    expect(archive.requests.map(({ url }) => url)).toEqual([`${file}.CHECKSUM`, file])
  })

  it('reads single trades too', async () => {
    const rows = Array.from({ length: 3 }, (_, row) => `${row + 7},42000.1,0.001,42.0001,${START + row * 5},True,True`)
    publish(archive, 'trades/BTCUSDT', `BTCUSDT-trades-${dateOf(0)}`, `${rows.join('\n')}\n`)
    const args = ['binance:trades', 'BTC/USDT', '--trades', '--from', dateOf(0), '--to', dateOf(1), '--db', 'single.db']
    expect((await cli('fetch', ...args, '--url', archive.url)).code).toBe(0)
    expect(stored('single.db').ids).toEqual([7, 8, 9])
  })

  it('names a market that the archive does not have', async () => {
    const args = [
      'fetch',
      'binance',
      'XYZ_USDT',
      '--trades',
      '--from',
      dateOf(0),
      '--to',
      dateOf(2),
      '--url',
      archive.url,
    ]
    const what = 'binance has no XYZ_USDT trades from 2024-12-30T00:00:00.000Z to 2025-01-01T00:00:00.000Z'
    expectInputError(await cli(...args), `markets: ${what}: check the name of the market and the dates`)
  })
})

describe('papertape fetch from Coinbase', () => {
  const args = ['fetch', 'coinbase', 'BTC_USD', '--candles', '1m', '--from', dateOf(0), '--to', dateOf(1)]

  /** Answers as its interface does: newest first, time in seconds, the low before the high. */
  const serveCandles = (): void => {
    archive.fault = ({ url }, response) => {
      const { pathname, searchParams } = new URL(url, archive.url)
      if (pathname !== '/products/BTC-USD/candles') return false
      const [start = 0, end = 0] = ['start', 'end'].map((name) => Date.parse(searchParams.get(name) ?? ''))
      const rows: string[] = []
      for (let time = end; time >= start; time -= 60_000) rows.push(`[${time / 1000},9.5,12,10.25,11,0.1]`)
      response.end(`[${rows.join(',')}]`)
      return true
    }
  }

  it('stores the pages of its history, each of 300 candles at most', async () => {
    serveCandles()
    const { code, stdout } = await cli(...args, '--url', archive.url, '--db', 'coinbase.db')
    expect(code).toBe(0)
    expect(stdout).toContain('BTC_USD 1m candles from coinbase: 1,440 rows fetched\n')
    expect(stdout).toContain('  nothing is missing\n')
    expect(archive.requests.map(({ url }) => url)).toHaveLength(5)
    archive.requests.length = 0
    await cli(...args, '--url', archive.url, '--db', 'coinbase.db')
    expect(archive.requests).toEqual([])
  })

  it('downloads a page again that is no complete JSON, and reports empty pages', async () => {
    let isFirst = true
    archive.fault = (_, response) => {
      response.end(isFirst ? '[[1735516800,9.5,12,' : '[]')
      isFirst = false
      return true
    }
    const { code, stderr } = await cli(...args, '--url', archive.url, '--db', 'empty.db')
    expect(code).toBe(2)
    const [again = '', ended = ''] = stderr.split('\n')
    expect(again).toContain('expected a JSON array of candles: it is damaged or incomplete; downloading it again')
    expect(ended).toContain('coinbase has no BTC_USD candles from ')
  })

  it('has no trades', async () => {
    const result = await cli('fetch', 'coinbase', 'BTC_USD', '--trades', '--from', dateOf(0))
    expectInputError(result, '--trades: coinbase has no archive of trades: pass --candles 1m')
  })
})

it.each`
  line                                                        | message
  ${'BTC_USDT --trades'}                                      | ${"markets: 'BTC_USDT' is no source: give binance, binance:trades, coinbase or ccxt:EXCHANGE before the market, or --url of a service"}
  ${'binance --trades --from 2024-01-01'}                     | ${'markets: expected a market, such as binance BTC_USD'}
  ${'binance BTCUSDT --trades --from 2024-01-01'}             | ${"markets: expected a market such as BTC_USD or BTC/USD, got 'BTCUSDT'"}
  ${'binance BTC_USDT --from 2024-01-01'}                     | ${'--candles: expected --candles 1m, --trades, or both'}
  ${'binance BTC_USDT --trades'}                              | ${'--from: expected the start of the history, such as --from 2024-01-01'}
  ${'binance BTC_USDT --trades --from then'}                  | ${"--from: expected a date such as 2024-08-09 or 2024-08-09T12:00:00Z, or Unix ms, got 'then'"}
  ${'binance BTC_USDT --trades --from 2024-02 --to 2024-01'}  | ${"--from: expected a date such as 2024-08-09 or 2024-08-09T12:00:00Z, or Unix ms, got '2024-02'"}
  ${'binance BTC_USDT --trades --from 20 --to 10'}            | ${'--to: expected a time after --from, 1970-01-01T00:00:00.020Z, got 1970-01-01T00:00:00.010Z'}
  ${'binance BTC_USDT --candles 7m --from 2024-01-01'}        | ${"--candles: binance has candles of 1s, 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, got '7m'"}
  ${'binance BTC_USDT --candles 1M --from 2024-01-01'}        | ${'--candles: monthly candles cannot be fetched: fetch 1d, and use candles of 1M in a strategy'}
  ${'binance BTC_USDT --candles soon --from 2024-01-01'}      | ${"--candles: expected a length such as 1m, 1h or 1d, got 'soon'"}
  ${'binance BTC_USDT --trades --from 2024-01-01 --url ftp:'} | ${/^--url: expected an http or https URL /}
`('papertape fetch $line', async ({ line, message }) => {
  expectInputError(await cli('fetch', ...String(line).split(' ')), message as string | RegExp)
})
