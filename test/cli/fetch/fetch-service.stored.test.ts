/**
 * `papertape fetch` from a service and through ccxt: pages, limits, candles that are not complete, gaps.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { isCandleBlock } from '../../../src/tape/tape.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'

const { cli, folder } = cliFolderHere()

const MINUTE_MS = 60_000
const START = Date.UTC(2024, 0, 1)
const MARKET = { id: 'm', name: 'Bitcoin', symbol: 'BTC_USD', baseAsset: 'BTC', quoteAsset: 'USD', pricePrecision: 2, qtyPrecision: 4 } // prettier-ignore

interface TestService {
  url: string
  /** Minutes since the start. */
  now: number
  hasCandle: (minute: number) => boolean
  ignoresRange: boolean
  /** Ids of all trades, one a second. */
  trades: number
  requests: string[]
  /** Answers in place of the service. */
  fault: (path: string, response: ServerResponse) => boolean
}

/** A service whose clock and history a test sets. */
const service: TestService = {
  url: '',
  now: 0,
  hasCandle: () => true,
  ignoresRange: false,
  trades: 0,
  requests: [],
  fault: () => false,
}

const priceOf = (number: number): string => (100 + (number % 50)).toFixed(2)

function candlesOf(query: URLSearchParams): object[] {
  const [limit = 500, from = 0, to = Infinity] = ['limit', 'from', 'to'].flatMap((name) => {
    const given = query.get(name)
    return given === null || (service.ignoresRange && name !== 'limit') ? [undefined] : [Number(given)]
  })
  const minutes = Array.from({ length: service.now + 1 }, (_, minute) => minute).filter(
    (minute) => service.hasCandle(minute) && START + minute * MINUTE_MS >= from && START + minute * MINUTE_MS < to,
  )
  return minutes.slice(-limit).map((minute) => {
    const price = priceOf(minute)
    // The last one is still running, and changes with each read.
    const volume = minute === service.now ? String(service.requests.length) : '1.5'
    return { time: START + minute * MINUTE_MS, symbol: 'BTC_USD', open: price, high: price, low: price, close: price, volume } // prettier-ignore
  })
}

function tradesOf(query: URLSearchParams): object[] {
  const length = Math.min(Number(query.get('limit')), service.trades)
  return Array.from({ length }, (_, at) => {
    const id = service.trades - at
    const orders = { buyOrderId: `b${id}`, sellOrderId: `s${id}`, buyerId: 'b', sellerId: 's' }
    return { id: String(id), symbol: 'BTC_USD', price: priceOf(id), qty: '0.5000', ...orders, isBuyerMaker: id % 2 === 0, createdAt: START + id * 1000 } // prettier-ignore
  })
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  const path = pathname.replace('/v1/markets', '')
  service.requests.push(path)
  if (service.fault(path, response)) return
  const zero = { openPrice: '0', high: '0', low: '0', volume: '0', quoteVolume: '0', priceChange: '0' }
  const timestamp = new Date(START + (service.now + 0.5) * MINUTE_MS).toISOString()
  const answers: Readonly<Record<string, () => unknown>> = {
    '': () => ({ data: [MARKET] }),
    '/BTC_USD/ticker': () => ({ event: 'ticker', symbol: 'BTC_USD', lastPrice: '0', ...zero, priceChangePercent: 0, timestamp }), // prettier-ignore
    '/BTC_USD/candles': () => ({ data: candlesOf(searchParams) }),
    '/BTC_USD/trades': () => tradesOf(searchParams),
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path]?.()))
})

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
beforeEach(() => {
  Object.assign(service, { now: 2500, hasCandle: () => true, ignoresRange: false, trades: 0, fault: () => false })
  service.requests.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetchFrom = (db: string, ...args: readonly string[]) =>
  cli('fetch', '--url', service.url, 'BTC_USD', '--db', db, '--json', ...args)

interface Tape {
  readonly imported: number
  readonly duplicate: number
  readonly missing: readonly { readonly from: number; readonly to: number }[]
}

async function fetched(db: string, ...args: readonly string[]): Promise<Tape> {
  const { code, stdout, stderr } = await fetchFrom(db, ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [tape] = (JSON.parse(stdout) as { readonly tapes: readonly Tape[] }).tapes
  if (tape === undefined) throw new Error('expected a tape')
  return tape
}

/** Minutes of candles, or ids of trades, and gaps in seconds, of the only tape. */
function stored(db: string): { readonly rows: readonly number[]; readonly gaps: readonly (readonly number[])[] } {
  const database = TapeDatabase.read(join(folder, db))
  try {
    const [market] = database.markets()
    const rows = (market?.entries ?? []).flatMap((_, index) => {
      const { block } = market?.read(index) ?? {}
      if (block === undefined) return []
      if (isCandleBlock(block)) return [...block.time].map((time) => (time - START) / MINUTE_MS)
      return [...(block.ids ?? [])].map(Number)
    })
    return { rows, gaps: (market?.gaps ?? []).map(({ from, to }) => [(from - START) / 1000, (to - START) / 1000]) }
  } finally {
    database.close()
  }
}

const upTo = (length: number, from = 0): readonly number[] => Array.from({ length }, (_, at) => from + at)
const CANDLES = ['--candles', '1m', '--from', '2024-01-01']
const pages = (): number => service.requests.filter((path) => path.endsWith('/candles')).length

describe('candles of a service', () => {
  it('are stored page by page, without the one that is still running, and continued later', async () => {
    expect(await fetched('pages.db', ...CANDLES)).toMatchObject({ imported: 2500, missing: [] })
    expect(stored('pages.db').rows).toEqual(upTo(2500))
    expect(pages()).toBe(3)
    service.now = 2600
    expect(await fetched('pages.db', ...CANDLES)).toMatchObject({ imported: 100, missing: [] })
    expect(stored('pages.db').rows).toEqual(upTo(2600))
    expect(pages()).toBe(4)
    const { strategy } = await jsonRun(cli, 'backtest', 'sma-cross', '--tape', 'pages.db', '--symbol', 'BTC_USD')
    expect(strategy).toMatchObject({ name: 'sma-cross' })
  })

  it('of an earlier range are added to those of a later one', async () => {
    await fetched('ranges.db', '--candles', '1m', '--from', '2024-01-02', '--to', '2024-01-02T10:00:00Z')
    expect(stored('ranges.db').rows).toEqual(upTo(600, 1440))
    await fetched('ranges.db', ...CANDLES)
    expect(stored('ranges.db').rows).toEqual(upTo(2500))
  })

  it('are found quickly after years without any, and each one', async () => {
    service.hasCandle = (minute) => minute >= 777 && minute % 100 !== 7
    const minutes = upTo(2500).filter(service.hasCandle)
    const { missing } = await fetched('late.db', '--candles', '1m', '--from', '2014-01-01')
    expect(stored('late.db').rows).toEqual(minutes)
    expect(missing).toHaveLength(18)
    expect(missing[0]).toMatchObject({ from: Date.UTC(2014, 0, 1), to: START + 777 * MINUTE_MS })
    // Ten years have 5,263 pages.
    expect(pages()).toBeLessThan(100)
  })

  it('are the newest ones from a service that ignores the range', async () => {
    service.ignoresRange = true
    const { missing } = await fetched('ignored.db', ...CANDLES)
    expect(stored('ignored.db').rows).toEqual(upTo(999, 1501))
    expect(missing).toMatchObject([{ from: START, to: START + 1501 * MINUTE_MS }])
  })

  it('are requested again after errors, as late as the service asks', async () => {
    const statuses = [429, 503]
    service.fault = (path, response) => {
      const status = path.endsWith('/candles') ? statuses.shift() : undefined
      if (status === undefined) return false
      response.writeHead(status, { 'retry-after': '0', 'content-type': 'application/json' })
      response.end('{"error":{"code":"RATE_LIMITED","message":"too many"},"requestId":"r"}')
      return true
    }
    expect(await fetched('limited.db', ...CANDLES)).toMatchObject({ imported: 2500 })
  })

  it('that arrived before a failure are stored', async () => {
    service.fault = (path, response) => {
      if (!path.endsWith('/candles') || pages() < 3) return false
      response.writeHead(400).end('{"error":{"code":"VALIDATION_ERROR","message":"no"},"requestId":"r"}')
      return true
    }
    const { code, stdout, stderr } = await fetchFrom('failed.db', ...CANDLES)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/^what was fetched is stored; run the same command again to continue\npapertape: GET /)
    expect(stored('failed.db').rows).toEqual(upTo(1998))
  })

  it('that did not arrive are not said to be stored', async () => {
    service.fault = (path, response) => {
      if (path !== '') return false
      response.writeHead(400).end('{"error":{"code":"VALIDATION_ERROR","message":"no"},"requestId":"r"}')
      return true
    }
    const { code, stderr } = await fetchFrom('none.db', ...CANDLES)
    expect(code).toBe(3)
    expect(stderr).toMatch(/^papertape: GET /)
  })

  it.each`
    args                      | message
    ${'ETH_USD --candles 1m'} | ${"markets: the service lists no market 'ETH_USD', only BTC_USD"}
    ${'BTC_USD --candles 2h'} | ${'--candles: the service has candles of 1m, 5m, 15m, 30m, 1h, 4h, 1d only'}
  `('$args is refused', async ({ args, message }) => {
    const words = String(args).split(' ')
    expectInputError(await cli('fetch', ...words, '--from', '2024-01-01', '--url', service.url), String(message))
  })
})

describe('trades of a service', () => {
  it('are the newest 500: a gap is marked if the stored ones do not join them', async () => {
    service.trades = 400
    expect(await fetched('trades.db', '--trades', '--from', '2024-01-01')).toMatchObject({ imported: 400, missing: [] })
    service.trades = 800
    expect(await fetched('trades.db', '--trades')).toMatchObject({ imported: 400, duplicate: 100, missing: [] })
    service.trades = 1400
    const { missing } = await fetched('trades.db', '--trades')
    expect(missing).toMatchObject([{ from: START + 800_000, to: START + 901_000 }])
    expect(stored('trades.db')).toEqual({ rows: [...upTo(800, 1), ...upTo(500, 901)], gaps: [[800, 901]] })
    expect(await fetched('trades.db', '--trades')).toMatchObject({ imported: 0, missing: [] })
  })

  it('between the stored ones and a later or earlier range are stored too, or a gap', async () => {
    service.trades = 100
    await fetched('between.db', '--trades', '--from', '2024-01-01')
    service.trades = 300
    expect(await fetched('between.db', '--trades', '--from', '2024-01-01T00:04:00Z')).toMatchObject({ missing: [] })
    expect(stored('between.db')).toEqual({ rows: upTo(300, 1), gaps: [] })
    service.trades = 1400
    await fetched('between.db', '--trades', '--from', '2024-01-01T00:20:00Z')
    expect(stored('between.db')).toEqual({ rows: [...upTo(300, 1), ...upTo(500, 901)], gaps: [[300, 901]] })
    await fetched('before.db', '--trades', '--from', '2024-01-01T00:20:00Z')
    await fetched('before.db', '--trades', '--from', '2024-01-01', '--to', '2024-01-01T00:17:00Z')
    expect(stored('before.db')).toEqual({ rows: upTo(500, 901), gaps: [] })
  })

  it('that are no longer listed are reported as missing each time', async () => {
    service.trades = 600
    for (const imported of [500, 0]) {
      const tape = await fetched('old.db', '--trades', '--from', '2024-01-01')
      expect(tape).toMatchObject({ imported, missing: [{ from: START, to: START + 101_000 }] })
    }
    expect(stored('old.db')).toEqual({ rows: upTo(500, 101), gaps: [] })
    const { stdout } = await cli('tapes', '--db', 'old.db', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ rows: 500, gaps: 0 }])
  })
})

describe('ccxt', () => {
  const STUB = `
    class NetworkError extends Error {}
    let busy = 2
    class fake {
      timeframes = { '1h': 60 }
      has = { fetchOHLCV: true, fetchTime: false }
      urls = {}
      async loadMarkets() { this.markets = { 'BTC/USD': {} } }
      async fetchOHLCV(symbol, timeframe, since, limit) {
        if (busy-- > 0) throw new NetworkError('busy')
        const rows = []
        for (let time = since; rows.length < Math.min(limit, 200); time += 3600000) {
          if (time >= ${START} && time <= Date.now()) rows.push([time, 1e-7, 2.5, 1e-8, 0.1, 0.30000000000000004])
          if (time > Date.now()) break
        }
        return rows
      }
    }
    module.exports = { exchanges: ['fake'], NetworkError, fake }`
  const args = ['BTC/USD', '--candles', '1h', '--from', '2024-01-01', '--to', '2024-02-01', '--db', 'ccxt.db']

  it('is asked for if it is not installed', async () => {
    const message = /^markets: needs the package ccxt: run npm install ccxt \(.+\)$/
    expectInputError(await cli('fetch', 'ccxt:fake', ...args), message)
  })

  it('gives the candles of an exchange, page by page', async () => {
    const place = join(folder, 'node_modules/ccxt')
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'index.js'), STUB)
    writeFileSync(join(place, 'package.json'), '{"name":"ccxt","main":"index.js"}')
    const { code, stdout, stderr } = await cli('fetch', 'ccxt:fake', ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('BTC_USD 1h candles from ccxt:fake: 744 rows fetched\n')
    expect(stdout).toContain('  nothing is missing\n')
    expectInputError(await cli('fetch', 'ccxt:fakes', ...args), "markets: ccxt knows no exchange 'fakes'; did you mean 'fake'?") // prettier-ignore
    const eth = args.map((each) => each.replace('BTC/', 'ETH/'))
    expectInputError(await cli('fetch', 'ccxt:fake', ...eth), "markets: fake has no market 'ETH/USD'; did you mean 'BTC/USD'?") // prettier-ignore
  })
})
