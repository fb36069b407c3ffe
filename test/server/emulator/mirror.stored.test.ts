/** Emulators that follow another one, or a service that sends what it should not. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf } from '../rig/emulator-caller.ts'
import { fakeSources } from '../rig/fake-source.ts'

const { folder } = temporaryFiles()
const start = emulators()
const fakeSource = fakeSources()

const HOUR_MS = 3_600_000
const KEY = { scopes: ['ORDER_CREATE', 'ORDER_READ', 'ORDER_CANCEL', 'ACCOUNT_READ'] } as const
const TRADER = { email: 'a@example.com', credits: { BTC: '1000', USD: '100000000' }, keys: [KEY] }
const QUIET: EmulatorOptions = {
  virtualClock: true,
  config: { agents: false, users: [TRADER], limits: { mutations: 1_000_000 } },
}

type Json = Readonly<Record<string, unknown>>

const order = async (emulator: Emulator, side: string, price: string, qty: string, symbol = 'BTC_USD') =>
  await ask<Json>(emulator, '/orders', { key: keyOf(emulator), body: { symbol, side, type: 'LIMIT', price, qty } })

/** A trade of the source at this price. */
async function trade(source: Emulator, price: string, qty = '1'): Promise<void> {
  await order(source, 'SELL', price, qty)
  await order(source, 'BUY', price, qty)
}

const lastPrice = async (emulator: Emulator): Promise<unknown> =>
  (await ask<Json>(emulator, '/markets/BTC_USD/ticker')).json.lastPrice

const candles = async (emulator: Emulator, interval: string): Promise<unknown> =>
  (await ask<Json>(emulator, `/markets/BTC_USD/candles?interval=${interval}`)).json.data

describe('an emulator that mirrors a service', () => {
  it('has its markets and their past, and fills orders by its trades', async () => {
    const source = await start(QUIET)
    for (const price of ['100.00', '104.00', '98.00', '101.00']) await trade(source, price)
    await source.advance(26 * HOUR_MS)
    await trade(source, '102.00')
    await trade(source, '103.00')
    const mirror = await start({ mirror: source.baseUrl, config: { users: [TRADER] } })
    expect(mirror).toMatchObject({ markets: source.markets, hasAgents: false })
    expect(await lastPrice(mirror)).toBe('103.00')
    expect(await candles(mirror, '1m')).toEqual(await candles(source, '1m'))
    expect(await candles(mirror, '1d')).toEqual(await candles(source, '1d'))
    const { json: resting } = await order(mirror, 'BUY', '99.00', '0.5')
    expect(resting).toMatchObject({ status: 'OPEN' })
    await trade(source, '98.50')
    await expect
      .poll(async () => (await ask<Json>(mirror, `/orders/${String(resting.id)}`, { key: keyOf(mirror) })).json)
      .toMatchObject({ status: 'FILLED', averagePrice: '99' })
    expect(await lastPrice(mirror)).toBe('98.50')
    expect(await mirror.audit()).toMatchObject({ ok: true })
    expect((await ask<Json[]>(source, '/orders?limit=500', { key: keyOf(source) })).json).toHaveLength(14)
  })

  it('pauses its markets by name while the source is gone, plays what it missed, and continues', async () => {
    const source = await start({ ...QUIET, state: join(folder, 'source.db') })
    const key = keyOf(source)
    await trade(source, '100.00')
    const notices: string[] = []
    const config = { users: [TRADER] }
    const mirror = await start({ mirror: source.baseUrl, config, onNotice: (text) => notices.push(text) })
    const { json: resting } = await order(mirror, 'BUY', '90.00', '1')
    await source.close()
    await expect
      .poll(async () => (await order(mirror, 'BUY', '90.00', '1')).json)
      .toMatchObject({
        error: { code: 'ORDER_REJECTED', message: `market BTC_USD is paused: no market data from ${source.baseUrl}` },
      })
    const { json: second } = await ask<Json[]>(mirror, '/orders/open', { key: keyOf(mirror) })
    expect(await lastPrice(mirror)).toBe('100.00')
    const last = String(second[0]?.id)
    expect(await ask(mirror, `/orders/${last}`, { key: keyOf(mirror), method: 'DELETE' })).toMatchObject({
      status: 200,
    })
    const port = Number(new URL(source.baseUrl).port)
    const again = await start({ ...QUIET, state: join(folder, 'source.db'), port })
    for (const side of ['SELL', 'BUY']) {
      const body = { symbol: 'BTC_USD', side, type: 'LIMIT', price: '120.00', qty: '1' }
      await ask(again, '/orders', { key, body })
    }
    await expect.poll(() => lastPrice(mirror), { timeout: 20_000 }).toBe('120.00')
    await expect.poll(async () => (await order(mirror, 'BUY', '80.00', '1')).status).toBe(201)
    expect(resting).toMatchObject({ status: 'OPEN' })
    expect(notices).toContain(`BTC_USD: the market is paused: no market data from ${source.baseUrl}`)
    expect(notices).toContain('BTC_USD: the market is open again')
  })

  it('is mirrored itself, twice, and begins again with the present prices after a reset', async () => {
    const source = await start(QUIET)
    await trade(source, '100.00')
    const config = {
      users: [TRADER],
      markets: [{ symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 8, takerFeeBps: '10' }],
    }
    const first = await start({ mirror: source.baseUrl, config })
    const others = await Promise.all([1, 2].map(() => start({ mirror: first.baseUrl })))
    expect(others.map(({ markets }) => markets.map(({ symbol }) => symbol))).toEqual([['BTC_USD'], ['BTC_USD']])
    await trade(source, '105.00')
    for (const other of others) await expect.poll(() => lastPrice(other)).toBe('105.00')
    await order(first, 'BUY', '50.00', '1')
    await first.reset()
    expect(await lastPrice(first)).toBe('105.00')
    expect((await ask(first, '/orders', { key: keyOf(first) })).json).toEqual([])
    await trade(source, '106.00')
    await expect.poll(() => lastPrice(first)).toBe('106.00')
    const { json } = await ask<Json>(first, '/orders', {
      key: keyOf(first),
      body: { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '1' },
    })
    expect(json).toMatchObject({ status: 'FILLED' })
    expect((await first.audit()).assets.USD?.fees).toMatch(/^0\.1/)
  })

  it('keeps its orders in a state, and continues at the present prices', async () => {
    const source = await start(QUIET)
    await trade(source, '100.00')
    const options = { mirror: source.baseUrl, config: { users: [TRADER] }, state: join(folder, 'mirror.db') }
    const first = await start(options)
    const key = keyOf(first)
    await order(first, 'BUY', '99.00', '1')
    await first.close()
    await trade(source, '101.00')
    const second = await start(options)
    await trade(source, '98.00')
    await expect.poll(async () => (await ask(second, '/orders', { key })).json).toMatchObject([{ status: 'FILLED' }])
  })
})

const row = (id: number, change: object = {}): object => ({
  ...{ id: String(id), symbol: 'BTC_USD', price: '100.00', qty: '1.0000', buyOrderId: '1', sellOrderId: '2' },
  ...{ buyerId: 'a', sellerId: 'b', isBuyerMaker: true, createdAt: 1_700_000_000_000 + id },
  ...change,
})

describe('a source that sends what it should not', () => {
  it('is followed as far as it can be understood, and is sent nothing but public reads', async () => {
    const source = await fakeSource()
    source.trades = [row(1)]
    const notices: string[] = []
    const errors: unknown[] = []
    const mirror = await start({
      mirror: source.url,
      onNotice: (text) => notices.push(text),
      onError: (error) => errors.push(error),
    })
    const send = (data: unknown): void => {
      source.send(JSON.stringify({ stream: 'trade:BTC_USD', data }))
    }
    source.send('{')
    source.send('null')
    source.send(new Uint8Array([0, 1, 2]))
    for (const data of [null, 1, [], {}, 'x', row(2, { price: '-1' }), row(2, { qty: '1e30' })]) send(data)
    for (const change of [{ symbol: 'ETH_USD' }, { price: '0.00' }, { qty: '0' }]) send(row(2, change))
    send(row(3, { price: '90071992547409.91', qty: '900719925474.0991' }))
    send(row(4, { price: '0.01', qty: '900719925474.0991' }))
    send(row(5, { createdAt: 9e15 }))
    send(row(6, { price: '101.00' }))
    source.trades = [row(6, { price: '101.00' }), row(1)]
    await expect.poll(() => lastPrice(mirror), { timeout: 20_000 }).toBe('101.00')
    source.trades = '<html>'
    send(row(7, { price: '102.00' }))
    await expect.poll(() => lastPrice(mirror), { timeout: 20_000 }).toBe('102.00')
    expect(errors).toEqual([])
    expect(await mirror.audit()).toMatchObject({ ok: true })
    expect(notices.some((text) => text.includes('skipped a message of the stream'))).toBe(true)
    expect(source.requests.filter((line) => !/^GET \/v1\/(?:markets|ws)/.test(line))).toEqual([])
  })

  it('has its candles as far as trades can have made them', async () => {
    const source = await fakeSource()
    const flat = { symbol: 'BTC_USD', open: '5.00', high: '5.00', low: '5.00', close: '5.00', volume: '1' }
    const good = { ...flat, time: 1_700_000_160_000, high: '6.00', low: '4.00' }
    const huge = { ...flat, time: 1_700_000_220_000, volume: '9000000000000000000' }
    source.candles = [
      { ...flat, time: 1_700_000_040_000, low: '0' },
      { ...flat, time: 1_700_000_100_000, volume: '0' },
      good,
      huge,
    ]
    const mirror = await start({ mirror: source.url })
    expect(await candles(mirror, '1m')).toEqual([good, { ...huge, volume: '900719925474.0991' }])
    expect(await lastPrice(mirror)).toBe('5.00')
  })

  it('is refused at the start if it lists nothing that can be followed', async () => {
    const source = await fakeSource()
    source.trades = '<html>'
    await expect(start({ mirror: source.url })).rejects.toThrow(
      `${source.url} cannot be mirrored: GET /markets/BTC_USD`,
    )
    const markets = [{ symbol: 'BTC_USD', pricePrecision: 3, qtyPrecision: 4 }]
    await expect(start({ mirror: source.url, config: { markets } })).rejects.toThrow(
      'config markets.0.pricePrecision: expected 2 as in the mirrored service, got 3',
    )
    const others = [{ symbol: 'ETH_USD', pricePrecision: 2, qtyPrecision: 4 }]
    await expect(start({ mirror: source.url, config: { markets: others } })).rejects.toThrow(
      "config markets.0.symbol: the mirrored service lists no market 'ETH_USD', only BTC_USD",
    )
    const gone = source.url.replace('/v1', '/v2/none')
    await expect(start({ mirror: gone })).rejects.toThrow(`${gone} cannot be mirrored: GET /markets`)
  })
})
