import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { InvariantError } from '../../../src/domain/errors.ts'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import type { RunningServer } from '../../../src/server/serve.ts'
import { report } from '../../contract/service/http-answer.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { listenTo } from '../rig/stream-listener.ts'

const { folder, write } = temporaryFiles()
const start = emulators()
const connections: RawConnection[] = []
afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy()
})

const START = Date.UTC(2024, 0, 1)
const QUIET: EmulatorOptions = { virtualClock: true, config: { agents: false } }
const WAS_RESET = { status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'the emulator was reset' } } }

async function connected({ baseUrl }: Emulator): Promise<RawConnection> {
  const connection = await connectTo(Number(new URL(baseUrl).port))
  connections.push(connection)
  return connection
}

const place = (emulator: Emulator): ReturnType<typeof ask> =>
  ask(emulator, '/orders', { key: keyOf(emulator), body: LIMIT_BUY })

const orderCount = async (emulator: Emulator): Promise<number> =>
  (await ask<unknown[]>(emulator, '/orders', { key: keyOf(emulator) })).json.length

/** Does what leaves traces everywhere. */
async function live(emulator: Emulator): Promise<void> {
  await place(emulator)
  await emulator.addUser({ email: 'b@example.com', credits: { BTC: '3' }, keys: [{ scopes: ['ORDER_READ'] }] })
  await emulator.credit('user-1', 'BTC', '2')
  await ask(emulator, '/orders', {
    key: keyOf(emulator),
    body: { symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', price: '9000.00', qty: '0.2' },
  })
  await emulator.fault({ fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms: 60_000 })
  await place(emulator)
  await emulator.fault({ fault: 'engine-unavailable', route: '*', probability: 0.5 })
  await ask(emulator, `/emulator/keys/${keyOf(emulator).split('_')[1] ?? ''}`, { method: 'DELETE' })
  await ask(emulator, '/emulator/users/user-1', { method: 'PATCH', body: { verified: false } })
  await emulator.advance(12_345)
}

/** What a new emulator answers, headers included. */
async function reported(emulator: Emulator): Promise<readonly string[]> {
  const key = keyOf(emulator)
  const body = JSON.stringify(LIMIT_BUY)
  const moved = JSON.stringify({ advanceMs: 90_061 })
  const fault = JSON.stringify({ fault: 'delay', route: '*', count: 1, ms: 0 })
  const user = JSON.stringify({ email: 'c@example.com', verified: true })
  const of = (line: string, sent = ''): string =>
    `${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-api-key: ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`
  const requests = [
    of('GET /v1/nothing'),
    of('GET /v1/markets/tickers'),
    of('POST /v1/orders', body),
    of('POST /emulator/clock', moved),
    of('POST /emulator/faults', fault),
    of('GET /v1/orders'),
    of('GET /v1/portfolio'),
    of('GET /v1/markets/BTC_USD/trades?limit=500'),
    of('POST /emulator/users', user),
    of('POST /emulator/users/user-2/keys', '{"scopes":["ORDER_READ"]}'),
    of('GET /emulator/audit'),
  ]
  const answers: string[] = []
  for (const request of requests) answers.push(await report(new URL(emulator.baseUrl), request))
  return answers
}

describe('after reset()', () => {
  it.each<[name: string, options: EmulatorOptions]>([
    ['without agents', QUIET],
    ['with agents', { virtualClock: true, seed: 7, start: Date.UTC(2025, 0, 1) }],
  ])('every byte is that of a new emulator under a virtual clock, %s', async (_name, options) => {
    const [used, fresh] = [await start(options), await start(options)]
    await live(used)
    await used.reset()
    expect(used.users).toEqual(fresh.users)
    const answers = await reported(used)
    expect(answers).toEqual(await reported(fresh))
    expect(answers.join('\n')).not.toContain('"error":{"code":"ENGINE')
  })

  it('in the time of the machine users and their keys are what they were, and what was done to them is not', async () => {
    const emulator = await start({ config: { agents: false } })
    const { users, baseUrl } = emulator
    await ask(emulator, `/emulator/keys/${keyOf(emulator).split('_')[1] ?? ''}`, { method: 'DELETE' })
    await ask(emulator, '/emulator/users/user-1', { method: 'PATCH', body: { verified: false } })
    await emulator.addUser({ email: 'b@example.com' })
    await emulator.reset()
    expect([emulator.users, emulator.baseUrl]).toEqual([users, baseUrl])
    expect((await place(emulator)).status).toBe(201)
    expect((await ask<unknown[]>(emulator, '/emulator/users')).json).toHaveLength(1)
  })

  it('a window of requests is whole, and faults are counted again', async () => {
    const limits = { general: 3, mutations: 1, windowSeconds: 60 }
    const emulator = await start({ virtualClock: true, config: { agents: false, limits } })
    const fault = { fault: 'delay', route: 'GET /portfolio', count: 1 } as const
    const before = await emulator.fault(fault)
    await place(emulator)
    expect((await place(emulator)).status).toBe(429)
    await emulator.reset()
    expect((await place(emulator)).status).toBe(201)
    expect(await emulator.faults()).toEqual([])
    const after = await emulator.fault(fault)
    expect([before.id, after.id]).toEqual(['fault-1', 'fault-1'])
    expect(before.remove()).toBe(false)
    expect(await emulator.faults()).toHaveLength(1)
  })

  it('a tape is played from its first trade', async () => {
    const file = write('time,price,qty\n1700000000000,100.5,2\n1700000060000,101,1\n', 'two.csv')
    const emulator = await start({ replay: [{ file, symbol: 'GOLD_USD' }], virtualClock: true })
    const trades = async (): Promise<unknown> => (await ask(emulator, '/markets/GOLD_USD/trades')).json
    const first = await trades()
    await emulator.advance(60_000)
    expect(await trades()).toHaveLength(2)
    await emulator.reset()
    expect(await trades()).toEqual(first)
    await emulator.advance(60_000)
    expect(await trades()).toHaveLength(2)
  })

  it('a tape as fast as it can be is played again, and time then goes on', async () => {
    const file = write('time,price,qty\n1700000000000,100.5,2\n1700000060000,101,1\n', 'fast.csv')
    const emulator = await start({ replay: [{ file, symbol: 'GOLD_USD' }], speed: 'max' })
    const played = async (): Promise<void> => {
      await expect.poll(async () => (await ask<unknown[]>(emulator, '/markets/GOLD_USD/trades')).json.length).toBe(2)
    }
    await played()
    await emulator.reset()
    await played()
  })
})

describe('what came before reset()', () => {
  it('is not done when a fault delays it, and answered with 503', async () => {
    const emulator = await start(QUIET)
    await emulator.fault({ fault: 'delay', route: 'POST /orders', count: 1, ms: 600_000 })
    const answer = place(emulator)
    await expect.poll(() => emulator.faults()).toEqual([])
    await emulator.reset()
    expect(await answer).toMatchObject(WAS_RESET)
    expect(await orderCount(emulator)).toBe(0)
  })

  it('is not done when it was answered and is due later', async () => {
    const emulator = await start(QUIET)
    await emulator.fault({ fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms: 1000 })
    expect((await place(emulator)).status).toBe(504)
    await emulator.reset()
    await emulator.advance(10_000)
    expect(await orderCount(emulator)).toBe(0)
  })

  it('is refused when its body comes behind, uses up no fault, and its connection goes on', async () => {
    const emulator = await start(QUIET)
    const body = JSON.stringify(LIMIT_BUY)
    const head = `POST /v1/orders HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${keyOf(emulator)}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const half = await connected(emulator)
    half.write(head + body.slice(0, -1))
    // It counts when it is let in.
    const key = keyOf(emulator)
    const left = async (): Promise<string> => {
      const { headers } = await fetch(`${emulator.baseUrl}/balances`, { headers: { 'x-api-key': key } })
      return headers.get('ratelimit') ?? ''
    }
    await expect.poll(left).toMatch(/r=5(?:9[0-8]|[0-8]\d);/)
    await emulator.reset()
    await emulator.fault({ fault: 'engine-unavailable', route: 'POST /orders', count: 1 })
    half.write(body.slice(-1))
    const [refused] = await half.answers(['POST'])
    expect([refused?.status, refused?.body]).toEqual([503, expect.stringContaining('the emulator was reset')])
    expect(await emulator.faults()).toHaveLength(1)
    half.take()
    half.write(`GET /v1/markets HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    expect((await half.answers(['GET']))[0]?.status).toBe(200)
    expect(await orderCount(emulator)).toBe(0)
  })

  it('is cut off when it waits behind others on its connection', async () => {
    const emulator = await start({
      virtualClock: true,
      config: { agents: false, limits: { general: 1e6, mutations: 1e6, windowSeconds: 60 } },
    })
    const body = JSON.stringify(LIMIT_BUY)
    const request = `POST /v1/orders HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${keyOf(emulator)}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const many = await connected(emulator)
    many.write(request.repeat(20_000))
    await expect.poll(() => orderCount(emulator), { interval: 1 }).toBeGreaterThan(0)
    await emulator.reset()
    await many.ended
    expect(await orderCount(emulator)).toBe(0)
  })

  it('is closed with 1012 when it is a stream, which hears nothing of what comes after', async () => {
    const emulator = await start(QUIET)
    const stream = await listenTo(emulator.streamUrl)
    stream.send({ op: 'subscribe', streams: ['trade:BTC_USD'] })
    await expect.poll(() => stream.heard).toHaveLength(1)
    await emulator.reset()
    await emulator.credit('user-1', 'BTC', '1')
    await place(emulator)
    const sell = { ...LIMIT_BUY, side: 'SELL' }
    expect((await ask(emulator, '/orders', { key: keyOf(emulator), body: sell })).json).toMatchObject({
      status: 'FILLED',
    })
    expect(await stream.closed).toEqual([1012, 'the emulator was reset'])
    expect(stream.heard).toHaveLength(1)
    const next = await listenTo(emulator.streamUrl)
    next.send({ op: 'subscribe', streams: ['trade:BTC_USD'] })
    await expect.poll(() => next.heard).toHaveLength(1)
    await place(emulator)
    await ask(emulator, '/orders', { key: keyOf(emulator), body: { ...sell, qty: '0.1' } })
    await expect.poll(() => next.heard).toHaveLength(2)
    next.socket.terminate()
  })

  it('moves the clock no further, and hears of it', async () => {
    const emulator = await start({ virtualClock: true })
    const own = emulator.advance(30 * 86_400_000).then(String, String)
    const asked = ask(emulator, '/emulator/clock', { body: { advanceMs: 30 * 86_400_000 } })
    await expect.poll(async () => (await ask<{ until?: number }>(emulator, '/emulator/clock')).json.until).toBeDefined()
    await emulator.reset()
    expect(await own).toBe('Error: the emulator was reset')
    expect(await asked).toMatchObject(WAS_RESET)
    expect(await ask(emulator, '/emulator/clock')).toEqual({ status: 200, json: { now: START } })
  })
})

describe('reset() itself', () => {
  it('goes on behind another, and before an end', async () => {
    const emulator = await start(QUIET)
    await place(emulator)
    await Promise.all([emulator.reset(), emulator.reset(), emulator.reset()])
    expect(await orderCount(emulator)).toBe(0)
    const last = emulator.reset()
    await Promise.all([last, emulator.close()])
    await expect(emulator.reset()).rejects.toThrow('the emulator is closed')
  })

  it('is refused with a state', async () => {
    const emulator = await start({ ...QUIET, state: join(folder, 'kept.db') })
    await expect(emulator.reset()).rejects.toThrow('reset: an emulator with state cannot be reset')
    expect((await place(emulator)).status).toBe(201)
  })

  it('mends no engine that has failed', async () => {
    const failures: unknown[] = []
    const emulator = await start({ ...QUIET, onFailure: (error) => failures.push(error) })
    const { service } = emulator as Emulator & Pick<RunningServer, 'service'>
    const broken = new InvariantError('broken on purpose')
    service.exchange.audit = () => {
      throw broken
    }
    await expect(emulator.audit()).rejects.toBe(broken)
    expect(failures).toEqual([broken])
    await expect(emulator.reset()).rejects.toBe(broken)
    expect((await place(emulator)).status).toBe(503)
  })
})
