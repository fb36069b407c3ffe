/** Snapshots and branches of the world of an emulator, over HTTP and by its handle. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const start = emulators()
const QUIET = { virtualClock: true, config: { agents: false } } as const
const MARKET_BUY = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '0.5' } as const

/** Everything that a client can see after some actions of its own, headers included. */
async function story(emulator: Emulator): Promise<readonly string[]> {
  const key = keyOf(emulator)
  const told: string[] = []
  const tell = async (
    path: string,
    { method = 'GET', body }: { method?: string; body?: object } = {},
  ): Promise<void> => {
    const base = path.startsWith('/emulator') ? emulator.emulatorUrl + path.slice(9) : emulator.baseUrl + path
    const response = await fetch(base, {
      method,
      headers: {
        'x-api-key': key,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    told.push(`${method} ${path} ${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)
  }
  const post = (path: string, body: object): Promise<void> => tell(path, { method: 'POST', body })
  await post('/orders', LIMIT_BUY)
  await emulator.advance(7 * MINUTE_MS)
  await post('/orders', MARKET_BUY)
  await post('/orders', { ...MARKET_BUY, symbol: 'ETH_USD', side: 'SELL' })
  await emulator.advance(HOUR_MS)
  await post('/emulator/users', { email: 'new@example.com', verified: true })
  await post('/emulator/users/user-2/keys', { scopes: ['ORDER_READ'] })
  await post('/emulator/faults', { fault: 'delay', route: '*', count: 1, ms: 0 })
  for (const symbol of ['BTC_USD', 'ETH_USD']) {
    for (const read of ['ticker', 'trades?limit=100', 'candles?limit=500&interval=1m'])
      await tell(`/markets/${symbol}/${read}`)
    await tell(`/emulator/markets/${symbol}/book`)
  }
  for (const path of ['/orders', '/orders/open', '/trades', '/balances', '/portfolio']) await tell(path)
  for (const path of ['/users', '/faults', '/audit', '/clock', '/markets']) await tell(`/emulator${path}`)
  return told
}

describe('a snapshot', () => {
  it('is gone back to: the same requests get the same bytes, with agents, faults, pauses and rate limits', async () => {
    const emulator = await start({ virtualClock: true, seed: 5 })
    const key = keyOf(emulator)
    await emulator.advance(20 * MINUTE_MS + 123)
    for (const price of ['30000.00', '41000.00']) await ask(emulator, '/orders', { key, body: { ...LIMIT_BUY, price } })
    await ask(emulator, '/orders', { key, body: MARKET_BUY })
    await emulator.fault({ fault: 'engine-unavailable', route: 'GET /portfolio', probability: 0.5, seed: 3 })
    await emulator.pause('ETH_USD', 'maintenance')
    await emulator.advance(1_234)
    await emulator.snapshots.save('here')
    const first = await story(emulator)
    expect(first.some((line) => line.includes('maintenance'))).toBe(true)
    for (let round = 0; round < 2; round += 1) {
      await emulator.snapshots.load('here')
      expect(await story(emulator)).toEqual(first)
    }
    expect((await emulator.audit()).ok).toBe(true)
  })

  it('branches: each goes on by itself from there, and an exported one starts an emulator elsewhere', async () => {
    const emulator = await start({ virtualClock: true, seed: 6 })
    await emulator.advance(HOUR_MS)
    await emulator.snapshots.save('here')
    const branch = await emulator.branch({ name: 'one', snapshot: 'here' })
    expect(branch.users).toEqual(emulator.users)
    const told = await story(branch)
    expect(await emulator.snapshots.diff('here')).toEqual(['no difference'])
    expect(await story(await emulator.branch({ name: 'two' }))).toEqual(told)
    const { json } = await ask(emulator, '/emulator/snapshots/here')
    const other = await start({ virtualClock: true })
    await ask(other, '/emulator/snapshots', { body: { name: 'from-file', file: json as object } })
    await other.snapshots.load('from-file')
    expect(await story({ ...other, users: emulator.users })).toEqual(told)
  })

  it('is saved, listed, compared and deleted over HTTP', async () => {
    const emulator = await start(QUIET)
    const key = keyOf(emulator)
    const saved = await ask(emulator, '/emulator/snapshots', { body: { name: 'a' } })
    const info = { name: 'a', time: Date.UTC(2024, 0, 1), users: 1, openOrders: 0, agents: false }
    expect(saved).toEqual({ status: 201, json: info })
    expect(await ask(emulator, '/emulator/snapshots')).toEqual({ status: 200, json: [info] })
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    expect((await ask(emulator, '/emulator/snapshots/a/diff')).json).toEqual([
      'user-1 USD: 100000 available, 0 in orders -> 95000 available, 5000 in orders',
      'order 1 of user-1: new, BUY 0.5 BTC_USD at 10000.00, 0 filled',
      expect.stringContaining('rate limit of key'),
    ])
    expect(await ask(emulator, '/emulator/snapshots', { body: { name: 'a' } })).toMatchObject({ status: 400 })
    expect(await ask(emulator, '/emulator/snapshots', { body: { name: 'a', replace: true } })).toMatchObject({
      json: { openOrders: 1 },
    })
    expect(await ask(emulator, '/emulator/snapshots/a', { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await ask(emulator, '/emulator/snapshots/a/load', { method: 'POST' })).toMatchObject({
      status: 404,
      json: { error: { message: "there is no snapshot 'a'" } },
    })
  })

  it('is loaded over HTTP while a client waits and the clock moves', async () => {
    const emulator = await start({ virtualClock: true })
    await emulator.snapshots.save('start')
    const moving = emulator.advance(100 * 24 * HOUR_MS).catch((error: unknown) => error)
    const loaded = await ask(emulator, '/emulator/snapshots/start/load', { method: 'POST' })
    expect(loaded).toMatchObject({ status: 200, json: { name: 'start' } })
    expect(await moving).toBeInstanceOf(Error)
    expect(await emulator.advance(0)).toBe(Date.UTC(2024, 0, 1))
  })

  it.each([
    ['a digest that does not match', (text: string) => text.replace('"time":17', '"time":18'), 'is damaged'],
    ['another format', (text: string) => text.replace('"papertapeWorld":1', '"papertapeWorld":9'), 'has format 9'],
    ['half of it', (text: string) => text.slice(0, text.length / 2), 'is not the file of a snapshot'],
    ['another file', () => '{}', 'is not the file of a snapshot'],
  ])('is refused with %s', async (_what, change, message) => {
    const emulator = await start(QUIET)
    await emulator.snapshots.save('a')
    const text = await emulator.snapshots.export('a')
    await expect(emulator.snapshots.import('b', change(text))).rejects.toThrow(message)
    expect(await emulator.snapshots.list()).toHaveLength(1)
    await emulator.snapshots.import('b', text)
    expect(await emulator.snapshots.diff('a', 'b')).toEqual(['no difference'])
  })

  it('has a name that can be a file, and the markets of its emulator', async () => {
    const emulator = await start(QUIET)
    for (const name of ['', '../a', '.hidden', 'a/b', 'a'.repeat(65)]) {
      await expect(emulator.snapshots.save(name)).rejects.toThrow('name')
    }
    const other = await start({
      virtualClock: true,
      config: {
        agents: false,
        markets: [
          {
            symbol: 'GOLD_USD',
            name: 'Gold',
            pricePrecision: 2,
            qtyPrecision: 4,
            makerFeeBps: '0',
            takerFeeBps: '0',
            selfTrade: 'reject',
          },
        ],
      },
    })
    await other.snapshots.save('gold')
    await emulator.snapshots.import('gold', await other.snapshots.export('gold'))
    await expect(emulator.snapshots.load('gold')).rejects.toThrow('start a branch from it')
    const branch = await emulator.branch({ name: 'gold', snapshot: 'gold' })
    expect(branch.markets.map(({ symbol }) => symbol)).toEqual(['GOLD_USD'])
  })
})

describe('a branch', () => {
  it('is listed and closed by its name, and closes with its emulator', async () => {
    const emulator = await start(QUIET)
    const started = await ask<{ baseUrl: string }>(emulator, '/emulator/branches', { body: { name: 'b' } })
    expect(started.status).toBe(201)
    expect(await ask(emulator, '/emulator/branches')).toEqual({ status: 200, json: [started.json] })
    expect((await fetch(`${started.json.baseUrl}/markets`)).status).toBe(200)
    expect(await ask(emulator, '/emulator/branches', { body: { name: 'b' } })).toMatchObject({ status: 400 })
    expect(await ask(emulator, '/emulator/branches/b', { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await ask(emulator, '/emulator/branches/b', { method: 'DELETE' })).toMatchObject({ status: 404 })
    await expect(fetch(`${started.json.baseUrl}/markets`)).rejects.toThrow()
    const { baseUrl } = await emulator.branch({ name: 'c' })
    await emulator.close()
    await expect(fetch(`${baseUrl}/markets`)).rejects.toThrow()
  })

  it('must have a free port', async () => {
    const emulator = await start(QUIET)
    const port = Number(new URL(emulator.baseUrl).port)
    await expect(emulator.branch({ name: 'b', port })).rejects.toThrow('in use')
    expect(await ask(emulator, '/emulator/branches')).toEqual({ status: 200, json: [] })
  })
})

describe('what is not restored leaves everything as it is', () => {
  type World = Record<string, unknown>
  const changed = (text: string, change: (world: World) => void): string => {
    const { world } = JSON.parse(text) as { world: World }
    change(world)
    const body = JSON.stringify(world)
    return `{"papertapeWorld":1,"digest":"${hash('sha256', body)}","world":${body}}`
  }

  const agentsOf = (world: World): { symbol: string; agents: unknown[]; fairValue: { chance: number[] } }[] =>
    world.agents as ReturnType<typeof agentsOf>
  const usersOf = (world: World): { type: string }[] => world.users as ReturnType<typeof usersOf>

  it.each<[string, (world: World) => void]>([
    ['no exchange', (world) => (world.exchange = {})],
    ['agents of no market', (world) => agentsOf(world).forEach((each) => (each.symbol = 'DOGE_USD'))],
    ['fewer agents', (world) => agentsOf(world).forEach(({ agents }) => agents.pop())],
    ['a time before that of its exchange', (world) => (world.time = 0)],
    ['a key of nobody', (world) => (world.users = usersOf(world).filter(({ type }) => type !== 'user'))],
    ['an action that is over', (world) => (world.scenario = [{ time: 1, action: { type: 'resume', symbol: 'A' } }])],
    ['half of a generator', (world) => agentsOf(world).forEach(({ fairValue }) => fairValue.chance.pop())],
  ])('a file with %s', async (_what, change) => {
    const emulator = await start({ virtualClock: true })
    await emulator.snapshots.save('a')
    const text = changed(await emulator.snapshots.export('a'), change)
    await expect(emulator.snapshots.import('b', text)).rejects.toThrow(/restored|expected/i)
    expect((await emulator.snapshots.list()).map(({ name }) => name)).toEqual(['a'])
    await emulator.snapshots.load('a')
    expect(await ask(emulator, '/balances', { key: keyOf(emulator) })).toMatchObject({ status: 200 })
  })

  it('a branch that its owner closes is gone, and none outlives its emulator', async () => {
    const emulator = await start(QUIET)
    for (let round = 0; round < 2; round += 1) {
      await using branch = await emulator.branch({ name: 'again' })
      expect((await ask(branch, '/markets')).status).toBe(200)
    }
    expect((await ask(emulator, '/emulator/branches')).json).toEqual([])
    const late = emulator.branch({ name: 'late' }).catch((error: unknown) => error)
    await emulator.close()
    expect(await late).toBeInstanceOf(Error)
    await expect(emulator.branch({ name: 'later' })).rejects.toThrow()
    await expect(emulator.branch({ name: 'b', port: 99_999 })).rejects.toThrow()
  })

  it('keys that are no more, or of another world, are not shown', async () => {
    const [one, two] = [await start({ config: { agents: false } }), await start({ config: { agents: false } })]
    await one.snapshots.save('a')
    await two.snapshots.import('a', await one.snapshots.export('a'))
    await two.snapshots.load('a')
    expect(two.users).toEqual([{ id: 'user-1', email: 'trader@example.com', keys: [] }])
    expect((await two.branch({ name: 'b' })).users[0]?.keys).toEqual([])
  })
})
