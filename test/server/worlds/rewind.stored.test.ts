/** An emulator with a state goes back to any moment of its past, with everything that its agents were about to do. */
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { runs } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder } = temporaryFiles()
const start = emulators()

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 41_000, max: 43_000 }).map((price) => ({ type: 'limit', price }) as const),
  },
  { weight: 3, arbitrary: fc.constantFrom('BUY', 'SELL').map((side) => ({ type: 'market', side }) as const) },
  {
    weight: 6,
    arbitrary: fc.constantFrom('cancel', 'pause', 'resume', 'user', 'crash', 'save', 'load').map((type) => ({ type })),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const script = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 90_000 })), { minLength: 3, maxLength: 7 })

/** Status, headers and body of an answer as text, without rate limits and ids of requests, which start over. */
async function answered(emulator: Emulator, path: string, method = 'GET', body?: object): Promise<string> {
  const base = path.startsWith('/emulator') ? emulator.emulatorUrl + path.slice(9) : emulator.baseUrl + path
  const response = await fetch(base, {
    method,
    headers: { 'x-api-key': keyOf(emulator), connection: 'close', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const headers = [...response.headers].filter(([name]) => !/^(?:ratelimit|x-request-id)/.test(name))
  return `${response.status} ${JSON.stringify(headers)} ${(await response.text()).replace(/"requestId":"[^"]+"/, '')}`
}

const VIEWS = ['BTC_USD']
  .flatMap((symbol) => [
    `/markets/${symbol}/ticker`,
    `/markets/${symbol}/trades?limit=100`,
    `/markets/${symbol}/candles?limit=100&interval=1m`,
    `/emulator/markets/${symbol}/book`,
  ])
  .concat(['/orders', '/orders/open', '/trades', '/balances', '/portfolio'])
  .concat(['/users', '/markets', '/scenarios', '/clock'].map((path) => `/emulator${path}`))

async function view(emulator: Emulator): Promise<readonly string[]> {
  const all: string[] = []
  for (const path of VIEWS) all.push(`${path} ${hash('sha256', await answered(emulator, path))}`)
  return all
}

async function act(emulator: Emulator, taken: Step, index: number): Promise<string> {
  switch (taken.type) {
    case 'limit':
      return await answered(emulator, '/orders', 'POST', { ...LIMIT_BUY, price: `${taken.price}.00`, qty: '0.01' })
    case 'market':
      return await answered(emulator, '/orders', 'POST', {
        symbol: 'BTC_USD',
        type: 'MARKET',
        qty: '0.01',
        side: taken.side,
      })
    case 'cancel': {
      const { json } = await ask<readonly { id: string }[]>(emulator, '/orders/open', { key: keyOf(emulator) })
      return await answered(emulator, `/orders/${json[0]?.id ?? 0}`, 'DELETE')
    }
    case 'pause':
      return await answered(emulator, '/emulator/markets/BTC_USD/pause', 'POST', { reason: 'a break' })
    case 'resume':
      return await answered(emulator, '/emulator/markets/BTC_USD/pause', 'DELETE')
    case 'user':
      return await answered(emulator, '/emulator/users', 'POST', { email: `${index}@example.com`, verified: true })
    case 'crash':
      return await answered(emulator, '/emulator/scenarios', 'POST', { ready: 'flash-crash', market: 'BTC_USD' })
    case 'save':
      return await answered(emulator, '/emulator/snapshots', 'POST', { name: 'here', replace: true })
    case 'load':
      return await answered(emulator, '/emulator/snapshots/here/load', 'POST')
  }
}

interface Moment {
  readonly time: number
  /** Index of the next step. */
  readonly next: number
  readonly view: readonly string[]
}

const MARKET = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 8 }
const newState = (): string => join(mkdtempSync(join(folder, 'past-')), 'exchange.db')
const QUIET = { virtualClock: true, config: { agents: false } } as const

describe('the past of an emulator with a state', () => {
  it('is gone back to at any moment, and goes on from there as before', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(
      script,
      fc.integer({ min: 1, max: 1_000 }),
      fc.nat(),
      async (steps, seed, chosen) => {
        const emulator = await start({ virtualClock: true, seed, state: newState(), config: { markets: [MARKET] } })
        let moments: Moment[] = []
        const answers: string[] = []
        for (const [index, [each, ms]] of steps.entries()) {
          answers.push(await act(emulator, each, index))
          const time = await emulator.advance(0)
          // After a load, the newest of several pasts counts.
          moments = [
            ...moments.filter((moment) => moment.time < time),
            { time, next: index + 1, view: await view(emulator) },
          ]
          await emulator.advance(ms)
        }
        for (const moment of moments.toReversed()) {
          expect(await emulator.rewind({ time: moment.time })).toEqual({ time: moment.time })
          expect(await view(emulator)).toEqual(moment.view)
        }
        expect((await emulator.audit()).ok).toBe(true)
        const from = moments[chosen % moments.length]
        const later = steps.slice(from?.next)
        // Snapshots are not of the past.
        if (from === undefined || later.some(([{ type }]) => type === 'save' || type === 'load')) return
        await emulator.rewind({ time: from.time })
        for (const [offset, [each]] of later.entries()) {
          await emulator.advance(steps[from.next + offset - 1]?.[1] ?? 0)
          expect(await act(emulator, each, from.next + offset)).toBe(answers[from.next + offset])
          expect(await view(emulator)).toEqual(moments.find(({ next }) => next === from.next + offset + 1)?.view)
        }
      },
    )
    await fc.assert(property, { numRuns: runs(12) })
  })

  it('is gone back to before an order, in the time of the machine, and after a restart', async () => {
    const state = newState()
    const emulator = await start({ state, config: { markets: [MARKET] } })
    const key = keyOf(emulator)
    const times: number[] = []
    const place = async (price: string): Promise<string> => {
      const body = { ...LIMIT_BUY, price }
      const { json } = await ask<{ id: string; createdAt: string }>(emulator, '/orders', { key, body })
      times.push(Date.parse(json.createdAt))
      return json.id
    }
    const ids = [await place('20000.00'), await place('20001.00')]
    await emulator.rewind({ beforeOrder: ids[1] })
    const open = async (of: Emulator): Promise<readonly string[]> =>
      (await ask<readonly { price: string }[]>(of, '/orders/open', { key })).json.map(({ price }) => price)
    expect(await open(emulator)).toEqual(['20000.00'])
    await place('20002.00')
    await emulator.close()
    const again = await start({ state, config: { markets: [MARKET] } })
    expect(await open(again)).toEqual(['20002.00', '20000.00'])
    await again.rewind({ time: times[0] })
    expect(await open(again)).toEqual(['20000.00'])
    await again.rewind({ beforeOrder: ids[0] })
    expect(await open(again)).toEqual([])
    expect((await again.audit()).ok).toBe(true)
    await expect(again.rewind({ beforeOrder: '1' })).rejects.toThrow('beforeOrder: no client placed an order 1 in')
  })

  it('is gone back to across the faults of a scenario', async () => {
    const emulator = await start({ virtualClock: true, state: newState(), config: { markets: [MARKET] } })
    await emulator.play({ ready: 'bad-connection', market: 'BTC_USD' })
    const now = await emulator.advance(10 * 60_000)
    expect(await emulator.rewind({ time: now - 1_000 })).toEqual({ time: now - 1_000 })
  })

  it('of another state at the same path, or with other markets, is not gone back to', async () => {
    const state = newState()
    const first = await start({ ...QUIET, config: { agents: false, markets: [MARKET] }, state })
    const time = await first.advance(5_000)
    await first.close()
    const second = { symbol: 'ETH_USD', pricePrecision: 2, qtyPrecision: 4 }
    const more = await start({ ...QUIET, config: { agents: false, markets: [MARKET, second] }, state })
    await more.advance(5_000)
    await expect(more.rewind({ time: time - 1_000 })).rejects.toThrow('the snapshot has other markets (BTC_USD)')
    expect((await ask(more, '/markets/ETH_USD/ticker')).status).toBe(200)
    await more.close()
    for (const name of readdirSync(dirname(state)))
      if (!name.endsWith('-past')) rmSync(join(dirname(state), name), { recursive: true })
    const again = await start({ ...QUIET, state })
    expect((await ask<readonly unknown[]>(again, '/emulator/past')).json).toHaveLength(1)
    expect(readdirSync(dirname(state)).some((name) => name.endsWith('-past-old-1'))).toBe(true)
  })

  it('is not there without a state, before its start, or for no moment', async () => {
    await expect((await start(QUIET)).rewind({ time: 0 })).rejects.toThrow('kept only with a state')
    const emulator = await start({ ...QUIET, state: newState() })
    await expect(emulator.rewind({ time: 0 })).rejects.toThrow(
      'time: 1970-01-01T00:00:00.000Z is not in the past that is kept: 2024-01-01T00:00:00.000Z to',
    )
    const after = Date.UTC(2024, 0, 1, 0, 0, 0, 1)
    await expect(emulator.rewind({ time: after })).rejects.toThrow('is not in the past that is kept')
    await expect(emulator.rewind({})).rejects.toThrow('time: expected a time, or the order before which to go back')
    expect((await ask(emulator, '/emulator/past')).json).toEqual([{ from: after - 1, to: after - 1 }])
  })

  it('goes as far as a torn file does, and a changed one is refused without a change of the world', async () => {
    const state = newState()
    const emulator = await start({ ...QUIET, state })
    const key = keyOf(emulator)
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await emulator.advance(1_000)
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await emulator.advance(1_000)
    await emulator.close()
    const past = `${state}-past`
    const journal = join(past, readdirSync(past).find((name) => name.endsWith('.jsonl')) ?? '')
    const whole = readFileSync(journal, 'utf8')
    const openOrders = async (of: Emulator): Promise<number> =>
      (await ask<readonly unknown[]>(of, '/orders/open', { key })).json.length
    const second = whole.lastIndexOf('"place"')
    writeFileSync(journal, whole.slice(0, second + 20))
    const again = await start({ ...QUIET, state })
    await again.rewind({ time: Date.UTC(2024, 0, 1, 0, 0, 1) })
    expect(await openOrders(again)).toBe(1)
    writeFileSync(journal, whole.replace('"place"', '"seize"'))
    await expect(again.rewind({ time: Date.UTC(2024, 0, 1) })).rejects.toThrow('the past cannot be replayed')
    expect(await openOrders(again)).toBe(1)
  })

  it('ends where its folder cannot be written, and the emulator goes on', async () => {
    const state = newState()
    writeFileSync(`${state}-past`, 'in the way')
    const emulator = await start({ ...QUIET, state })
    expect(await ask(emulator, '/orders', { key: keyOf(emulator), body: LIMIT_BUY })).toMatchObject({ status: 201 })
    await expect(emulator.rewind({ time: Date.UTC(2024, 0, 1) })).rejects.toThrow('the past could not be written: ')
  })
})
