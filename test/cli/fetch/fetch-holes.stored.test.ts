/**
 * `papertape fetch` from an archive: periods between fetched ones, what is not there yet, and servers that do not end.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LiveTime } from '../../../src/adapter/live/live-time.ts'
import { MACHINE_CLOCKS } from '../../../src/adapter/live/machine-clocks.ts'
import { BinanceArchive } from '../../../src/run/fetch/binance-archive.ts'
import { Downloader } from '../../../src/run/fetch/download.ts'
import { fetchHistory, type FetchOptions } from '../../../src/run/fetch/fetch.ts'
import { ATTEMPTS, FetchWorld } from '../../../src/run/fetch/fetch-world.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { cutAfter, publish, testArchive } from './rig/archive-server.ts'
import { candlesOf, dateOf, idsOf, publishTradesOf, START, storedTrades, TRADES } from './rig/binance-days.ts'

const { cli, folder } = cliFolderHere()
const archive = testArchive()
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const fetchDays = (db: string, from: number, to: number) =>
  cli('fetch', 'binance', 'BTC_USDT', '--trades', '--from', dateOf(from), '--to', dateOf(to), '--url', archive.url, '--db', db) // prettier-ignore

const gapsOf = (db: string): readonly (readonly number[])[] => storedTrades(join(folder, db)).gaps

interface Missing {
  readonly from: number
  readonly to: number
  readonly why: string
}

async function missingOf(...args: readonly string[]): Promise<readonly Missing[]> {
  const { code, stdout, stderr } = await cli('fetch', ...args, '--url', archive.url, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { tapes } = JSON.parse(stdout) as { readonly tapes: readonly { readonly missing: readonly Missing[] }[] }
  return tapes[0]?.missing ?? []
}

describe('days between two fetches of trades', () => {
  it('are a gap until they are fetched', async () => {
    publishTradesOf(archive, [0, 1, 2, 3])
    await fetchDays('later.db', 0, 1)
    expect(storedTrades(join(folder, 'later.db'))).toMatchObject({ gaps: [], isMarked: false })
    await fetchDays('later.db', 3, 4)
    expect(gapsOf('later.db')).toEqual([[1, 3]])
    await fetchDays('later.db', 1, 2)
    expect(gapsOf('later.db')).toEqual([[2, 3]])
    const { stdout } = await cli('tapes', '--db', 'later.db', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ gaps: 1 }])
    await fetchDays('later.db', 0, 4)
    expect(storedTrades(join(folder, 'later.db'))).toMatchObject({ ids: idsOf(0, 1, 2, 3), gaps: [] })
  })

  it('are a gap if the earlier ones are fetched last, also where a day is not in the archive', async () => {
    publishTradesOf(archive, [0, 2, 5])
    await fetchDays('earlier.db', 5, 6)
    await fetchDays('earlier.db', 0, 3)
    expect(gapsOf('earlier.db')).toEqual([[1, 2], [3, 5]]) // prettier-ignore
    publishTradesOf(archive, [1, 3, 4])
    await fetchDays('earlier.db', 0, 6)
    expect(storedTrades(join(folder, 'earlier.db'))).toMatchObject({ ids: idsOf(0, 1, 2, 3, 4, 5), gaps: [] })
  })

  it('are a gap if they were missing at the end of the earlier fetch', async () => {
    publishTradesOf(archive, [0, 3])
    await fetchDays('end.db', 0, 3)
    expect(gapsOf('end.db')).toEqual([])
    await fetchDays('end.db', 3, 4)
    expect(gapsOf('end.db')).toEqual([[1, 3]])
  })
})

describe('what is missing', () => {
  it('includes candles that are missing inside of a file', async () => {
    const hours = candlesOf(0, (hour) => hour !== 5 && hour !== 6)
    publish(archive, 'klines/BTCUSDT/1h', `BTCUSDT-1h-${dateOf(0)}`, hours)
    const args = ['BTC_USDT', '--candles', '1h', '--from', dateOf(0), '--to', dateOf(1), '--db', 'hours.db']
    expect(await missingOf('binance', ...args)).toEqual([
      { from: START + 5 * HOUR_MS, to: START + 7 * HOUR_MS, why: 'binance has no candles' },
    ])
  })

  it.each`
    kind                 | name           | hours
    ${{ trades: true }}  | ${'aggTrades'} | ${5 - 1 / 60}
    ${{ candles: '1h' }} | ${'1h'}        | ${4}
  `('includes a day that is not over: $name', async ({ kind, name, hours }) => {
    const [tape] = await fetchHistory({
      ...(kind as Pick<FetchOptions, 'candles' | 'trades'>),
      source: { type: 'archive', archive: new BinanceArchive(archive.url, 'aggTrades') },
      symbols: ['BTC_USDT'],
      from: START,
      db: join(folder, `today-${String(name)}.db`),
      clocks: { ...MACHINE_CLOCKS, wall: () => START + 5 * HOUR_MS },
    })
    const why = `binance has not published BTCUSDT-${String(name)}-${dateOf(0)}.zip yet`
    expect(tape?.missing).toEqual([{ from: START, to: START + Number(hours) * HOUR_MS, why }])
    expect(archive.requests).toEqual([])
  })
})

describe('pages of Coinbase', () => {
  const recent = (db: string): readonly string[] => [
    'coinbase', 'BTC_USD', '--candles', '1m', '--from', String(Date.now() - 30 * MINUTE_MS), '--db', db,
  ] // prettier-ignore

  it('end before candles that may still change', async () => {
    let end = Number.POSITIVE_INFINITY
    archive.fault = ({ url }, response) => {
      const { searchParams } = new URL(url, archive.url)
      end = Date.parse(searchParams.get('end') ?? '')
      const time = Date.parse(searchParams.get('start') ?? '')
      response.end(`[[${end / 1000},9.5,12,10.25,11,0.1],[${time / 1000},9.5,12,10.25,11,0.1]]`)
      return true
    }
    const missing = await missingOf(...recent('recent.db'))
    expect(end + 2 * MINUTE_MS).toBeLessThanOrEqual(Date.now())
    // Between the two candles.
    expect(missing).toMatchObject([{ to: end, why: 'coinbase has no candles' }])
  })

  it('without candles are asked for again', async () => {
    let rows = '[]'
    archive.fault = (_, response) => {
      response.end(rows)
      return true
    }
    const args = ['BTC_USD', '--candles', '1m', '--from', dateOf(0), '--to', `${dateOf(0)}T00:01:00Z`, '--db', 'page.db'] // prettier-ignore
    expect((await cli('fetch', 'coinbase', ...args, '--url', archive.url)).code).toBe(2)
    rows = `[[${START / 1000},9.5,12,10.25,11,0.1]]`
    expect(await missingOf('coinbase', ...args)).toEqual([])
  })

  it('of any length are refused by name', async () => {
    archive.fault = (_, response) => {
      response.end(Buffer.alloc(1024 ** 2 + 1, ' '))
      return true
    }
    const { code, stderr } = await cli('fetch', ...recent('long.db'), '--url', archive.url)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /\/products\/BTC-USD\/candles\S+: expected a file of at most 1048576 bytes, got more\n$/,
      ) as string,
    })
    expect(existsSync(join(folder, 'long.db.fetch'))).toBe(false)
  })
})

it('refuses a zip archive that unpacks to far more than its size', async () => {
  const name = `BTCUSDT-aggTrades-${dateOf(0)}`
  const zip = publish(archive, TRADES, name, 'row\n')
  const directory = zip.indexOf('PK\u0001\u0002')
  zip.writeUInt32LE(3_000_000_000, directory + 24)
  archive.files.delete(`/data/spot/daily/${TRADES}/${name}.zip.CHECKSUM`)
  // Without a checksum nothing else refuses it.
  archive.fault = ({ url }, response) => {
    if (!url.endsWith('.CHECKSUM')) return false
    response.writeHead(404).end()
    return true
  }
  const { code, stderr } = await fetchDays('bomb.db', 0, 1)
  expect(code).toBe(2)
  expect(stderr).toMatch(/\.zip: \S+\.csv: expected data of at most 250 times their packed size, got /)
})

it('gives up a server that begins a file again each time and cuts it at other lengths', async () => {
  const zip = publish(archive, TRADES, 'cut', Array.from({ length: 3000 }, (_, row) => String(row * row)).join('\n'))
  let length = 0
  archive.fault = ({ url }, response) => url.endsWith('.zip') && cutAfter((length += 100), zip, response)
  const time: LiveTime = {
    now: () => START,
    monotonic: () => 0,
    after: (_, action) => {
      const timer = setImmediate(action)
      return {
        cancel: () => {
          clearImmediate(timer)
        },
      }
    },
    atTime: (_, action) => void setImmediate(action),
    enter: (action) => {
      action()
    },
  }
  const downloader = new Downloader(new FetchWorld(time, () => 0.5, {}), 0)
  const url = `${archive.url}/data/spot/daily/${TRADES}/cut.zip`
  mkdirSync(join(folder, 'cut'))
  const request = { url, checksumUrl: `${url}.CHECKSUM`, path: join(folder, 'cut/cut.zip'), maxBytes: 1024 ** 2 }
  await expect(downloader.download({ ...request, check: () => Promise.resolve(true) })).rejects.toThrow(`${url}: `)
  await downloader.close()
  expect(archive.requests.filter((each) => each.url.endsWith('.zip'))).toHaveLength(ATTEMPTS)
})
