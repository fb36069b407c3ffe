import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { InputError, InvariantError } from '../../../src/domain/errors.ts'
import { HOUR_MS } from '../../../src/domain/time.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import type { RunningServer } from '../../../src/server/serve.ts'
import { report } from '../../contract/service/http-answer.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { advance, ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder, write } = temporaryFiles()
const start = emulators()

interface Trade {
  readonly id: string
  readonly price: string
  readonly createdAt: number
}

interface OwnOrder {
  readonly id: string
  readonly status: string
}

interface Audit {
  readonly ok: boolean
  readonly assets: Readonly<Record<string, { credited: string; difference: string }>>
}

describe('with nothing given', () => {
  it('there is one verified user with one key of every scope and 100 000 of the quote asset', async () => {
    const emulator = await start()
    expect(emulator.users).toEqual([
      { id: 'user-1', email: 'trader@example.com', keys: [expect.stringMatching(/^pt_[0-9a-v]{8}_.{43}$/)] },
    ])
    const key = keyOf(emulator)
    const { json } = await ask<object>(emulator, '/balances', { key })
    expect(json).toMatchObject({ USD: { available: '100000', locked: '0' }, BTC: { available: '0', locked: '0' } })
    const placed = await ask<OwnOrder>(emulator, '/orders', { key, body: LIMIT_BUY })
    expect(placed).toMatchObject({ status: 201, json: { status: 'OPEN' } })
    const cancelled = await ask(emulator, `/orders/${placed.json.id}`, { key, method: 'DELETE' })
    expect(cancelled).toMatchObject({ status: 200, json: { status: 'CANCELLED' } })
  })

  it.each(['BTC_USD', 'ETH_USD'])(
    '%s has a ticker, hours of candles, trades and a book from the first moment',
    async (symbol) => {
      const emulator = await start()
      const { json: ticker } = await ask<{ volume: string; lastPrice: string }>(emulator, `/markets/${symbol}/ticker`)
      expect(Number(ticker.volume)).toBeGreaterThan(0)
      const { json: candles } = await ask<{ data: unknown[] }>(emulator, `/markets/${symbol}/candles?limit=1000`)
      expect(candles.data.length).toBeGreaterThan(100)
      const { json: trades } = await ask<unknown[]>(emulator, `/markets/${symbol}/trades?limit=500`)
      expect(trades).toHaveLength(500)
      const { json: book } = await ask<{ bids: unknown[]; asks: unknown[] }>(
        emulator,
        `/emulator/markets/${symbol}/book`,
      )
      expect(Math.min(book.bids.length, book.asks.length)).toBeGreaterThan(0)
      expect(await ask(emulator, '/emulator/audit')).toMatchObject({ json: { ok: true } })
    },
  )

  it('the markets live by themselves, and a market order is filled', async () => {
    const emulator = await start()
    const stream = new WebSocket(emulator.streamUrl)
    const heard = new Promise<string>((resolve) => {
      stream.on('message', (data) => {
        const text = (data as Buffer).toString()
        if (text.includes('"data"')) resolve(text)
      })
    })
    stream.on('open', () => {
      stream.send(JSON.stringify({ op: 'subscribe', streams: ['trade:BTC_USD', 'trade:ETH_USD'] }))
    })
    expect(JSON.parse(await heard)).toMatchObject({ stream: expect.stringMatching(/^trade:/) })
    stream.terminate()
    const order = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '0.01' }
    const { json } = await ask(emulator, '/orders', { key: keyOf(emulator), body: order })
    expect(json).toMatchObject({ status: 'FILLED', filledQty: '0.01000000' })
  })
})

describe('a config', () => {
  it('says which markets and users there are, what they have, and how much a key may ask', async () => {
    const emulator = await start({
      config: {
        markets: [{ symbol: 'GOLD_EUR', pricePrecision: 1, qtyPrecision: 3, takerFeeBps: '12.5' }],
        users: [
          {
            email: 'a@example.com',
            credits: { GOLD: '1.5' },
            keys: [{ scopes: ['ACCOUNT_READ'] }, { scopes: ['ORDER_READ'] }],
          },
          { email: 'b@example.com', verified: false },
        ],
        limits: { general: 2, mutations: 1, windowSeconds: 60 },
        agents: false,
      },
    })
    expect(emulator.users.map(({ email, keys }) => [email, keys.length])).toEqual([
      ['a@example.com', 2],
      ['b@example.com', 0],
    ])
    const market = { symbol: 'GOLD_EUR', baseAsset: 'GOLD', quoteAsset: 'EUR', pricePrecision: 1, qtyPrecision: 3 }
    expect(await ask(emulator, '/markets')).toMatchObject({ json: { data: [market] } })
    expect(await ask(emulator, '/markets/GOLD_EUR/trades')).toMatchObject({ json: [] })
    const key = keyOf(emulator)
    expect(await ask(emulator, '/balances', { key })).toMatchObject({ json: { GOLD: { available: '1.5' } } })
    expect(await ask(emulator, '/orders', { key })).toMatchObject({ status: 403 })
    expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 429 })
  })
})

describe('a virtual clock', () => {
  const requests = (key: string): readonly string[] => {
    const body = JSON.stringify(LIMIT_BUY)
    const head = (line: string, length = 0): string =>
      `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${key}\r\n` +
      (length === 0 ? '\r\n' : `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`)
    const moved = JSON.stringify({ advanceMs: 90_061 })
    const user = JSON.stringify({ email: 'b@example.com', verified: true })
    return [
      head('GET /v1/markets/tickers'),
      head('POST /v1/orders', body.length) + body,
      head('POST /emulator/clock', moved.length) + moved,
      head('GET /v1/markets/BTC_USD/trades?limit=500'),
      head('GET /v1/portfolio'),
      head('POST /emulator/users', user.length) + user,
      head('GET /v1/nothing'),
      head('PUT /v1/orders'),
      head('GET /v1/portfolio').replace('host: x', 'host: x\r\nexpect: nothing'),
      head('POST /v1/orders', 3) + '{"a',
      'nonsense\r\n\r\n',
    ]
  }
  const play = async (seed: number): Promise<readonly string[]> => {
    const emulator = await start({ virtualClock: true, seed })
    const answers: string[] = [JSON.stringify(emulator.users)]
    for (const request of requests(keyOf(emulator))) answers.push(await report(new URL(emulator.baseUrl), request))
    return answers
  }

  it('gives the same bytes for the same requests and seed, headers, ids and keys included', async () => {
    const first = await play(7)
    expect(first.join('\n')).not.toMatch(/^date:/im)
    expect(first).toEqual(await play(7))
    const other = await play(8)
    expect(first.map((answer, index) => answer === other[index])).not.toContain(true)
  })

  it('stands still until it is moved, and answers with where it is then', async () => {
    const emulator = await start({ virtualClock: true, start: Date.UTC(2025, 5, 1) })
    const newest = async (): Promise<Trade | undefined> =>
      (await ask<Trade[]>(emulator, '/markets/BTC_USD/trades?limit=1')).json[0]
    const before = await newest()
    expect(before?.createdAt).toBeLessThan(Date.UTC(2025, 5, 1))
    expect(await newest()).toEqual(before)
    expect(await ask(emulator, '/emulator/clock')).toMatchObject({ json: { now: Date.UTC(2025, 5, 1) } })
    expect(await advance(emulator, 0)).toBe(Date.UTC(2025, 5, 1))
    expect(await advance(emulator, HOUR_MS)).toBe(Date.UTC(2025, 5, 1, 1))
    expect((await newest())?.createdAt).toBeGreaterThan(Date.UTC(2025, 5, 1, 0, 50))
  })

  it('comes to the same place in many steps as in one, and answers others on the way', async () => {
    const [whole, steps] = await Promise.all([start({ virtualClock: true }), start({ virtualClock: true })])
    const moving = advance(whole, 2 * HOUR_MS)
    const { json } = await ask<{ now: number }>(whole, '/emulator/clock')
    await moving
    expect(json.now).toBeLessThan(Date.UTC(2024, 0, 1, 2))
    for (let step = 0; step < 10; step += 1) await advance(steps, HOUR_MS / 5)
    const [one, other] = await Promise.all([whole, steps].map((each) => ask(each, '/markets/ETH_USD/trades?limit=500')))
    expect(one).toEqual(other)
  })
})

describe('a replay', () => {
  const file = write(
    [
      'time,price,qty,side',
      '1700000000000,100.5,2,buy',
      '1700000060000,101,1,sell',
      '1700000120000,102,1,buy',
      '',
    ].join('\n'),
    'three.csv',
  )
  const replay = [{ file, symbol: 'GOLD_USD' }]
  const tradesOf = async (emulator: Emulator): Promise<readonly Trade[]> =>
    (await ask<Trade[]>(emulator, '/markets/GOLD_USD/trades')).json

  it('under a virtual clock is played as far as the time was moved, its first trade at the start', async () => {
    const emulator = await start({ replay, virtualClock: true, start: Date.UTC(2025, 0, 1) })
    expect(await tradesOf(emulator)).toMatchObject([{ price: '100.5', createdAt: Date.UTC(2025, 0, 1) }])
    await advance(emulator, 59_999)
    expect(await tradesOf(emulator)).toHaveLength(1)
    await advance(emulator, 1)
    expect(await tradesOf(emulator)).toMatchObject([{ price: '101.0', createdAt: Date.UTC(2025, 0, 1, 0, 1) }, {}])
  })

  it('sells from the tape to who takes, and buys from it what rests', async () => {
    const config = {
      users: [{ email: 'a@example.com', credits: { USD: '1000', GOLD: '5' }, keys: [{ scopes: [...SCOPES] }] }],
    }
    const emulator = await start({ replay, virtualClock: true, config })
    const key = keyOf(emulator)
    const order = { symbol: 'GOLD_USD', side: 'SELL', type: 'LIMIT', price: '101.5', qty: '1' }
    const { json } = await ask<OwnOrder>(emulator, '/orders', { key, body: order })
    expect(json.status).toBe('OPEN')
    await advance(emulator, 120_000)
    const { json: own } = await ask<OwnOrder[]>(emulator, '/orders', { key })
    expect(own).toMatchObject([{ id: json.id, status: 'FILLED', averagePrice: '101.5' }])
    expect(await ask(emulator, '/emulator/audit')).toMatchObject({ json: { ok: true } })
  })

  it('as fast as it can be is over soon, with candles as they were', async () => {
    const emulator = await start({ replay, speed: 'max' })
    while ((await tradesOf(emulator)).length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    const { json } = await ask<{ data: { time: number }[] }>(emulator, '/markets/GOLD_USD/candles')
    expect(json.data.map(({ time }) => time - (json.data[0]?.time ?? 0))).toEqual([0, 60_000, 120_000])
  })
})

describe('a state', () => {
  const openOrders = async (emulator: Emulator, key: string): Promise<readonly OwnOrder[]> =>
    (await ask<OwnOrder[]>(emulator, '/orders/open', { key })).json

  it('is gone on with: same users, keys and orders, and agents who get no second credit', async () => {
    const state = join(folder, 'kept.db')
    const first = await startEmulator({ state })
    const key = keyOf(first)
    const { json: order } = await ask<OwnOrder>(first, '/orders', { key, body: LIMIT_BUY })
    const { json: audit } = await ask<Audit>(first, '/emulator/audit')
    await first.close()
    const second = await start({ state })
    expect(second.users).toEqual([{ id: 'user-1', email: 'trader@example.com', keys: [] }])
    expect(await openOrders(second, key)).toEqual([order])
    const { json: later } = await ask<Audit>(second, '/emulator/audit')
    expect(later.ok).toBe(true)
    expect(later.assets.USD?.credited).toBe(audit.assets.USD?.credited)
    const { json: next } = await ask<OwnOrder>(second, '/orders', { key, body: LIMIT_BUY })
    expect(Number(next.id)).toBeGreaterThan(Number(order.id))
  })

  it('has no orders of agents who are not there any more', async () => {
    const state = join(folder, 'abandoned.db')
    await (await startEmulator({ state, virtualClock: true })).close()
    const emulator = await start({ state, virtualClock: true, config: { agents: false } })
    const book = await ask(emulator, '/emulator/markets/BTC_USD/book')
    expect(book.json).toEqual({ bids: [], asks: [] })
  })

  it('gets the users of a config that it does not have yet', async () => {
    const state = join(folder, 'users.db')
    const options = { state, virtualClock: true }
    const [a, b] = ['a@example.com', 'b@example.com'].map((email) => ({
      email,
      keys: [{ scopes: ['ORDER_READ' as const] }],
    }))
    if (a === undefined || b === undefined) throw new Error('two users')
    await (await startEmulator({ ...options, config: { agents: false, users: [a] } })).close()
    const { users } = await start({ ...options, config: { agents: false, users: [b, a] } })
    expect(users.map(({ email, keys }) => [email, keys.length])).toEqual([
      ['a@example.com', 0],
      ['b@example.com', 1],
    ])
  })

  it('gets the markets of a config that it does not have yet, in which agents begin', async () => {
    const options = { state: join(folder, 'markets.db'), virtualClock: true }
    const steps = { pricePrecision: 2, qtyPrecision: 3 }
    const [gold, tea] = [
      { symbol: 'GOLD_EUR', ...steps },
      { symbol: 'TEA_EUR', ...steps },
    ]
    await (await startEmulator({ ...options, config: { markets: [gold] } })).close()
    const emulator = await startEmulator({ ...options, config: { markets: [tea, gold] } })
    expect(emulator.addedMarkets).toEqual(['TEA_EUR'])
    expect(emulator.markets.map(({ symbol }) => symbol)).toEqual(['GOLD_EUR', 'TEA_EUR'])
    await advance(emulator, 600_000)
    expect((await ask(emulator, '/markets/TEA_EUR/trades')).json).not.toEqual([])
    const { json } = await ask(emulator, '/emulator/users/user-1/credits', { body: { asset: 'TEA', amount: '5' } })
    expect(json).toMatchObject({ TEA: { available: '5' } })
    expect((await ask<{ ok: boolean }>(emulator, '/emulator/audit')).json.ok).toBe(true)
    await emulator.close()
    await expect(startEmulator({ ...options, config: { markets: [gold] } })).rejects.toThrow(
      `${options.state}: has the market TEA_EUR, which the config does not list: change the config to match it, or use another state file`,
    )
    const again = await start({ ...options, config: { markets: [gold, tea] } })
    expect([again.addedMarkets, again.markets.length]).toEqual([[], 2])
  })

  it('on a virtual clock goes on at its time, and draws no key twice', async () => {
    const options = { state: join(folder, 'virtual.db'), virtualClock: true, config: { agents: false } }
    const first = await startEmulator(options)
    const user = { scopes: ['ORDER_READ'] }
    const now = await advance(first, 5_000)
    await ask(first, '/orders', { key: keyOf(first), body: LIMIT_BUY })
    const { json: one } = await ask<{ key: string }>(first, '/emulator/users/user-1/keys', { body: user })
    await first.close()
    const second = await start(options)
    expect(await ask(second, '/emulator/clock')).toMatchObject({ json: { now } })
    const { json: two } = await ask<{ key: string }>(second, '/emulator/users/user-1/keys', { body: user })
    expect(new Set([keyOf(first), one.key, two.key]).size).toBe(3)
    await second.close()
    await expect(startEmulator({ ...options, start: now - 1 })).rejects.toThrow(
      /^start: the saved state is already at /,
    )
  })

  it('is not made by an emulator that cannot listen, for its key would never be shown', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const state = join(folder, 'never.db')
    await expect(startEmulator({ state, port })).rejects.toThrow(
      new InputError('port', `${port} is already in use: choose another, or 0 for a free one`),
    )
    expect(existsSync(state)).toBe(false)
    taken.close()
  })
})

describe('an engine that fails', () => {
  const broken = async (state?: string): Promise<{ emulator: Emulator; failures: unknown[] }> => {
    const failures: unknown[] = []
    const emulator = await start({
      state,
      virtualClock: true,
      config: { agents: false },
      onFailure: (error) => failures.push(error),
    })
    const { service } = emulator as Emulator & Pick<RunningServer, 'service'>
    service.exchange.balances = () => {
      throw new InvariantError('broken on purpose')
    }
    return { emulator, failures }
  }

  it('answers 503 from then on, whatever is asked, and reports it once', async () => {
    const { emulator, failures } = await broken()
    const key = keyOf(emulator)
    expect(await ask(emulator, '/markets')).toMatchObject({ status: 200 })
    const stopped = { status: 503, json: { error: { code: 'ENGINE_UNAVAILABLE' } } }
    expect(await ask(emulator, '/balances', { key })).toMatchObject(stopped)
    expect(await ask(emulator, '/markets')).toMatchObject(stopped)
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject(stopped)
    expect(failures).toEqual([new InvariantError('broken on purpose')])
  })

  it('leaves its state aside: of the memory as JSON, of a file as a copy', async () => {
    const { emulator } = await broken()
    await ask(emulator, '/balances', { key: keyOf(emulator) })
    await emulator.close()
    const aside = emulator.setAside()
    const text = readFileSync(aside, 'utf8')
    rmSync(aside)
    expect(JSON.parse(text)).toMatchObject({
      exchange: { quoteAsset: 'USD' },
      users: [{ type: 'user' }, { type: 'key' }],
    })
    expect(text).not.toContain(keyOf(emulator))
    const state = join(folder, 'failed.db')
    const { emulator: durable } = await broken(state)
    await ask(durable, '/balances', { key: keyOf(durable) })
    await durable.close()
    const copy = durable.setAside()
    expect(copy).toMatch(/failed\.db\.failed-\d+-\d+$/)
    expect(readFileSync(copy)).toEqual(readFileSync(state))
  })
})
