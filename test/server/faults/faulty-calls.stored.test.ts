import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmulator } from '../../../src/server/emulator/emulator.ts'
import { errorSchema, orderSchema } from '../../../src/wire/schemas.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { LIMIT_BUY, serveMarket, type Answer, type ServedMarket, type ServedUser } from '../rig/served-market.ts'

let served: ServedMarket
let user: ServedUser
beforeEach(async () => {
  served = await serveMarket()
  user = await served.user({ USD: '1000000' })
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

const place = (body: object = LIMIT_BUY): Promise<Answer> => served.call('POST', '/v1/orders', { key: user.key, body })
const read = async (path: string): Promise<readonly Record<string, unknown>[]> =>
  (await served.call('GET', path, { key: user.key })).body as Record<string, unknown>[]
const openIds = async (): Promise<readonly unknown[]> => (await read('/v1/orders/open')).map(({ id }) => id)
const pass = (advanceMs: number): Promise<Answer> => served.call('POST', '/emulator/clock', { body: { advanceMs } })
const once = (fault: string, route: string, more: object = {}): Promise<Answer> =>
  served.fault({ fault, route, count: 1, ...more })
const codeOf = (answer: Answer): string => errorSchema.parse(answer.body).error.code

describe('what is done later than it was answered', () => {
  it('engine-timeout-late: 504 at once, and the order comes `ms` later, at that time', async () => {
    await once('engine-timeout-late', 'POST /orders', { ms: 5_000 })
    const answer = await place()
    expect([answer.status, codeOf(answer)]).toEqual([504, 'ENGINE_TIMEOUT'])
    const asked = served.clock.now()
    await pass(4_999)
    expect(await openIds()).toEqual([])
    await pass(1)
    const [order] = await read('/v1/orders')
    expect(order).toMatchObject({ ...LIMIT_BUY, qty: '1.0000', status: 'OPEN' })
    expect(Date.parse(String(order?.createdAt))).toBe(asked + 5_000)
    await pass(60_000)
    expect(await openIds()).toHaveLength(1)
  })

  it('reset-late: no answer, and the order comes `ms` later', async () => {
    await once('reset-late', 'POST /orders', { ms: 30_000 })
    await expect(place()).rejects.toThrow(/fetch failed/)
    await pass(29_999)
    expect(await openIds()).toEqual([])
    await pass(1)
    expect(await openIds()).toEqual(['1'])
  })

  it('happens in the order of its time, behind what was asked for meanwhile', async () => {
    await once('engine-timeout-late', 'POST /orders', { ms: 2_000 })
    await once('engine-timeout-late', 'POST /orders', { ms: 1_000 })
    await place({ ...LIMIT_BUY, price: '2.00' })
    await place({ ...LIMIT_BUY, price: '1.00' })
    await place({ ...LIMIT_BUY, price: '3.00' })
    await pass(10_000)
    expect((await read('/v1/orders')).map(({ price }) => price)).toEqual(['2.00', '1.00', '3.00'])
  })

  it.each(['engine-timeout-late', 'reset-late'])(
    '%s: what never reaches the engine is refused at once',
    async (fault) => {
      for (const [body, code] of [
        [{ ...LIMIT_BUY, price: '1.001' }, 'VALIDATION_ERROR'],
        [{ ...LIMIT_BUY, symbol: 'NO_USD' }, 'MARKET_NOT_FOUND'],
      ] as const) {
        await once(fault, 'POST /orders')
        expect(codeOf(await place(body))).toBe(code)
      }
      await pass(5_000)
      expect(await read('/v1/orders')).toEqual([])
    },
  )

  it('what the engine refuses later is as if it had not been', async () => {
    await once('engine-timeout-late', 'POST /orders')
    expect((await place({ ...LIMIT_BUY, qty: '900000' })).status).toBe(504)
    await pass(5_000)
    expect(await read('/v1/orders')).toEqual([])
    expect((await place()).status).toBe(201)
  })

  it('a cancel is done later too, and one that came too late changes nothing', async () => {
    await place()
    await once('engine-timeout-late', 'DELETE /orders/{orderId}', { ms: 1_000, count: 2 })
    const cancel = (): Promise<Answer> => served.call('DELETE', '/v1/orders/1', { key: user.key })
    expect([(await cancel()).status, (await cancel()).status]).toEqual([504, 504])
    expect(await openIds()).toEqual(['1'])
    await pass(1_000)
    expect((await read('/v1/orders')).map(({ status }) => status)).toEqual(['CANCELLED'])
  })

  it('counts in the budget once', async () => {
    await served.server.close()
    served = await serveMarket({ limits: { general: 100, mutations: 3, windowSeconds: 600 } })
    user = await served.user({ USD: '1000' })
    await once('engine-timeout-late', 'POST /orders')
    const { headers } = await place()
    expect(headers.get('ratelimit')).toMatch(/"mutations";r=2;/)
    await pass(5_000)
    expect((await place()).headers.get('ratelimit')).toMatch(/"mutations";r=1;/)
  })

  it('comes by the time of the machine when no one asks', async () => {
    const emulator = await startEmulator({ config: { agents: false } })
    const [key = ''] = emulator.users[0]?.keys ?? []
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(emulator.baseUrl + path, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } })
    const fault = { fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms: 20 }
    await fetch(`${emulator.emulatorUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
    expect((await ask('/orders', { method: 'POST', body: JSON.stringify(LIMIT_BUY) })).status).toBe(504)
    await expect.poll(async () => (await (await ask('/orders')).json()) as unknown[]).toHaveLength(1)
    await emulator.close()
  })
})

describe('what is done later and kept', () => {
  const { folder } = temporaryFiles()
  const open = (state: string): ReturnType<typeof startEmulator> =>
    startEmulator({ virtualClock: true, state, config: { agents: false, users: [] } })

  it('is on the disk once it was done, and was never there when the process ended before', async () => {
    const state = `${folder}/late.db`
    let emulator = await open(state)
    const post = async (url: string, body: object, key = ''): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify(body),
      })
    const users = `${emulator.emulatorUrl}/users`
    await post(users, { email: 'a@example.com', verified: true })
    const made = await post(`${users}/user-1/keys`, { scopes: ['ORDER_READ', 'ORDER_CREATE'] })
    const { key } = (await made.json()) as { key: string }
    await post(`${users}/user-1/credits`, { asset: 'USD', amount: '10000' })
    const late = async (ms: number): Promise<void> => {
      const fault = { fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms }
      await post(`${emulator.emulatorUrl}/faults`, fault)
      expect((await post(`${emulator.baseUrl}/orders`, LIMIT_BUY, key)).status).toBe(504)
    }
    await late(1_000)
    await late(60_000)
    await post(`${emulator.emulatorUrl}/clock`, { advanceMs: 2_000 })
    await emulator.close()
    emulator = await open(state)
    await post(`${emulator.emulatorUrl}/clock`, { advanceMs: 600_000 })
    const orders = await fetch(`${emulator.baseUrl}/orders`, { headers: { 'x-api-key': key } })
    expect(await orders.json()).toMatchObject([{ id: '1', status: 'OPEN' }])
    await emulator.close()
    rmSync(state)
  })
})

describe('page-cap', () => {
  beforeEach(async () => {
    for (let price = 1; price <= 17; price += 1) await place({ ...LIMIT_BUY, price: `${price}.00`, qty: '0.0001' })
  })
  const page = async (query: string): Promise<readonly number[]> =>
    (await read(`/v1/orders${query}`)).map(({ id }) => Number(id))

  it('pages are of that many rows, and together they are everything', async () => {
    await served.fault({ fault: 'page-cap', route: 'GET /orders', rows: 7, probability: 1 })
    expect(await page('?limit=500')).toEqual([17, 16, 15, 14, 13, 12, 11])
    expect(await page('?limit=500&page=2')).toEqual([10, 9, 8, 7, 6, 5, 4])
    expect(await page('?limit=500&page=3')).toEqual([3, 2, 1])
    expect(await page('?limit=500&page=4')).toEqual([])
    expect(await page('')).toHaveLength(7)
    expect(await page('?limit=2&page=2')).toEqual([15, 14])
  })

  it.each(['0', '-1', 'x', '1e3', '0x10', '1.5', ''])('a limit %j stays refused', async (limit) => {
    await once('page-cap', 'GET /orders', { rows: 7 })
    expect((await served.call('GET', `/v1/orders?limit=${limit}`, { key: user.key })).status).toBe(400)
  })

  it('holds for trades as well, where more than 500 stays refused', async () => {
    for (let price = 1; price <= 9; price += 1) served.print('BTC_USD', 100_000 + price)
    await served.fault({ fault: 'page-cap', route: '*', rows: 3, probability: 1 })
    expect(await read('/v1/markets/BTC_USD/trades?limit=500')).toHaveLength(3)
    expect((await served.call('GET', '/v1/markets/BTC_USD/trades?limit=501')).status).toBe(400)
    expect(await read('/v1/orders/open')).toHaveLength(17)
  })

  it('of more rows than are asked for is none, and of the smaller of two', async () => {
    await served.fault({ fault: 'page-cap', route: 'GET /orders', rows: 500, probability: 1 })
    expect(await page('')).toHaveLength(17)
    await served.fault({ fault: 'page-cap', route: 'GET /orders', rows: 4, probability: 1 })
    expect(await page('')).toHaveLength(4)
  })

  it.each([
    [{ fault: 'page-cap' }, 'rows'],
    [{ fault: 'page-cap', rows: 0 }, 'rows'],
    [{ fault: 'page-cap', rows: 501 }, 'rows'],
    [{ fault: 'page-cap', rows: 1.5 }, 'rows'],
    [{ fault: 'page-cap', rows: '7' }, 'rows'],
    [{ fault: 'page-cap', rows: null }, 'rows'],
    [{ fault: 'delay', rows: 7 }, 'rows'],
    [{ fault: 'page-cap', rows: 7, route: 'GET /orders/open' }, 'route'],
    [{ fault: 'coarse-times', route: 'GET /balances' }, 'route'],
    [{ fault: 'duplicate-order', route: 'GET /orders' }, 'route'],
    [{ fault: 'engine-timeout-late', route: 'GET /orders' }, 'route'],
    [{ fault: 'reset-late', route: 'GET /markets' }, 'route'],
  ])('%j is 400 naming %s', async (fault, field) => {
    const { status, body } = await served.fault({ route: 'GET /orders', count: 1, ...fault })
    expect([status, errorSchema.parse(body).error.details?.map((detail) => detail.field)]).toEqual([400, [field]])
  })
})

describe('coarse-times', () => {
  it('createdAt of every answered order is in whole seconds, and nothing else differs', async () => {
    await pass(1_999)
    await served.fault({ fault: 'coarse-times', route: '*', probability: 1 })
    const created = await place()
    const coarse = [
      created.body,
      ...(await read('/v1/orders')),
      ...(await read('/v1/orders/open')),
      (await served.call('GET', '/v1/orders/1', { key: user.key })).body,
    ]
    const cancelled = (await served.call('DELETE', '/v1/orders/1', { key: user.key })).body
    for (const order of [...coarse, cancelled]) {
      expect(orderSchema.parse(order).createdAt).toBe('2025-01-01T00:00:01Z')
    }
    await served.call('DELETE', '/emulator/faults')
    const [fine] = await read('/v1/orders')
    expect(fine).toEqual({ ...(cancelled as object), createdAt: '2025-01-01T00:00:01.999Z' })
  })
})

describe('duplicate-order', () => {
  const bodies = async (): Promise<readonly string[]> =>
    (await read('/v1/orders')).map(({ price, qty, status }) => `${String(price)} ${String(qty)} ${String(status)}`)

  it('the same order again, right behind, once a strike', async () => {
    await once('duplicate-order', 'POST /orders')
    expect((await place()).body).toMatchObject({ id: '1' })
    expect(await bodies()).toEqual(['100.00 1.0000 OPEN', '100.00 1.0000 OPEN'])
    expect((await place()).body).toMatchObject({ id: '3' })
  })

  it('by its former name', async () => {
    await once('stranger-order', 'POST /orders')
    expect(await read('/emulator/faults')).toMatchObject([{ fault: 'duplicate-order' }])
    await place()
    expect(await bodies()).toHaveLength(2)
  })

  it.each`
    fault                      | ids           | why
    ${'engine-timeout-before'} | ${['1']}      | ${'the order is not there, the one of the stranger is'}
    ${'engine-timeout-after'}  | ${['2', '1']} | ${'both are there'}
    ${'engine-timeout-late'}   | ${['2', '1']} | ${'the stranger is first'}
    ${'reset-before'}          | ${['1']}      | ${'the stranger has a connection of his own'}
    ${'reset-after'}           | ${['2', '1']} | ${'both are there'}
  `('with $fault: $why', async ({ fault, ids }) => {
    await once('duplicate-order', 'POST /orders')
    await once(fault, 'POST /orders')
    await place().catch(() => undefined)
    await pass(5_000)
    expect((await read('/v1/orders')).map(({ id }) => id)).toEqual(ids)
  })

  it('a foreign order has no more money than the account, and orders nothing that is refused', async () => {
    await once('duplicate-order', 'POST /orders')
    expect((await place({ ...LIMIT_BUY, qty: '6000' })).status).toBe(201)
    expect(await bodies()).toHaveLength(1)
    await once('duplicate-order', 'POST /orders')
    expect((await place({ ...LIMIT_BUY, price: '1.001' })).status).toBe(400)
    await once('duplicate-order', 'POST /orders')
    expect((await served.call('POST', '/v1/orders', { key: user.key, body: '{' })).status).toBe(400)
    expect(await bodies()).toHaveLength(1)
  })

  it('costs the budget of the key nothing', async () => {
    await served.server.close()
    served = await serveMarket({ limits: { general: 100, mutations: 3, windowSeconds: 600 } })
    user = await served.user({ USD: '1000' })
    await once('duplicate-order', 'POST /orders')
    expect((await place()).headers.get('ratelimit')).toMatch(/"general";r=99;.*"mutations";r=2;/)
  })

  it('the same seeds and requests give the same orders', async () => {
    const play = async (): Promise<string> => {
      const stage = await serveMarket()
      const { key } = await stage.user({ USD: '1000000' })
      await stage.fault({ fault: 'duplicate-order', route: 'POST /orders', probability: 0.4, seed: 5 })
      await stage.fault({ fault: 'engine-timeout-late', route: 'POST /orders', probability: 0.4, seed: 6, ms: 3_000 })
      for (let time = 0; time < 20; time += 1) {
        await stage.call('POST', '/v1/orders', { key, body: LIMIT_BUY })
        await stage.call('POST', '/emulator/clock', { body: { advanceMs: 700 } })
      }
      await stage.call('DELETE', '/emulator/faults')
      const { text } = await stage.call('GET', '/v1/orders?limit=500', { key })
      await stage.server.close()
      return text
    }
    const first = await play()
    expect((JSON.parse(first) as unknown[]).length).toBeGreaterThan(20)
    expect(await play()).toBe(first)
  })
})
