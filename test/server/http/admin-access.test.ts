/**
 * Who may use the control API of an emulator that others can reach. The attacks are those of a stranger in the network.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import { tokenHash } from '../../../src/server/http/token-proof.ts'

let emulator: Emulator | undefined

afterEach(async () => {
  await emulator?.close()
  emulator = undefined
})

const start = async (options: EmulatorOptions): Promise<Emulator> =>
  (emulator = await startEmulator({ config: { agents: false }, ...options }))

const statusOf = async (
  path: string,
  { token, ...headers }: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<number> => {
  const all = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(new URL(path, emulator?.baseUrl), { method, headers: all })
  await response.arrayBuffer()
  return response.status
}

const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': address })

describe('the admin token', () => {
  it('can be given as a hash, which is no token itself', async () => {
    const adminToken = await tokenHash('chosen by a person')
    await start({ adminToken })
    expect(adminToken).not.toContain('chosen')
    expect(await tokenHash('chosen by a person')).not.toBe(adminToken)
    const statuses = []
    for (const token of ['chosen', adminToken, 'chosen', 'chosen.by.a.person', '']) {
      statuses.push(await statusOf('/emulator/users', { token }))
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    await emulator?.close()
    await start({ adminToken: await tokenHash('token') })
    const many = await Promise.all(Array.from({ length: 3 }, () => statusOf('/emulator/users', { token: 'token' })))
    expect(many).toEqual([200, 200, 200])
    expect(await statusOf('/emulator/users', { token: 'tokem' })).toBe(401)
  })

  it.each(['$scrypt$', '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '$2b$10$abc'])(
    'is refused as %s, which is no hash that can be proven',
    async (adminToken) => {
      await expect(start({ adminToken })).rejects.toThrow('adminToken: begins with $ but is not a hash')
    },
  )

  it('takes only a few proofs at the same time', async () => {
    await start({ adminToken: await tokenHash('token'), behindProxy: '127.0.0.1' })
    const guesses = Array.from({ length: 40 }, (_, index) => ({ token: 'guess', ...from(`192.0.2.${index}`) }))
    const statuses = await Promise.all(guesses.map((headers) => statusOf('/emulator/users', headers)))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(await statusOf('/emulator/users', { token: 'token', ...from('192.0.2.99') })).toBe(200)
  })

  it('can be guessed ten times a minute from an address, on every way', async () => {
    const { windowUrl } = await start({ adminToken: 'token', behindProxy: '127.0.0.1' })
    const stranger = from('2001:db8::1')
    for (let guess = 0; guess < 9; guess += 1) {
      expect(await statusOf(guess % 2 === 0 ? '/metrics' : '/emulator/users', { token: 'guess', ...stranger })).toBe(
        401,
      )
    }
    // One without a token is no guess.
    expect(await statusOf('/metrics', stranger)).toBe(401)
    const socket = new WebSocket(windowUrl.replace('http', 'ws').replace('/window', '/emulator/window'), {
      headers: stranger,
    })
    const said: string[] = []
    socket.on('message', (data: Buffer) =>
      said.push((JSON.parse(data.toString()) as { error: { code: string } }).error.code),
    )
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (let guess = 0; guess < 3; guess += 1) {
      socket.send(JSON.stringify({ watch: { symbol: 'BTC_USD', interval: '1m' }, token: 'guess' }))
    }
    expect(await closed).toBe(1008)
    expect(said.slice(0, 2)).toEqual(['AUTHENTICATION_REQUIRED', 'RATE_LIMITED'])
    expect(await statusOf('/metrics', { token: 'token', ...from('2001:db8::2') })).toBe(429)
    expect(await statusOf('/v1/markets', stranger)).toBe(200)
    expect(await statusOf('/metrics', { token: 'token', ...from('2001:db8:0:1::1') })).toBe(200)
    expect(await statusOf('/metrics', { token: 'token', 'x-forwarded-proto': 'http' })).toBe(403)
  })
})

it('limits wrong keys from elsewhere, but not a right one', async () => {
  const { users } = await start({ adminToken: 'token', behindProxy: '127.0.0.1' })
  const key = users[0]?.keys[0] ?? ''
  const stranger = from('192.0.2.1')
  const statuses = []
  for (let guess = 0; guess < 61; guess += 1) {
    statuses.push(await statusOf('/v1/balances', { 'x-api-key': `${key.slice(0, -4)}aaaa`, ...stranger }))
  }
  expect([statuses.indexOf(429), new Set(statuses)]).toEqual([60, new Set([401, 429])])
  expect(await statusOf('/v1/balances', { 'x-api-key': key, ...stranger })).toBe(200)
})

it('windows that never send the token do not keep out those with it', async () => {
  const { windowUrl } = await start({ adminToken: 'token' })
  const url = windowUrl.replace('http', 'ws').replace('/window', '/emulator/window')
  const strangers = Array.from({ length: 120 }, () => new WebSocket(url).on('error', () => undefined))
  await Promise.all(strangers.map((each) => new Promise((resolve) => each.once('open', resolve))))
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.once('open', resolve))
  const frame = new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())))
  socket.send(JSON.stringify({ watch: { symbol: 'BTC_USD', interval: '1m' }, token: 'token' }))
  expect(JSON.parse(await frame)).toHaveProperty('users')
  await expect.poll(() => strangers.filter(({ readyState }) => readyState === WebSocket.OPEN).length).toBeLessThan(51)
  for (const each of [...strangers, socket]) each.terminate()
})

it('a proxy in front of a server without a token opens nothing', async () => {
  await start({})
  expect(await statusOf('/emulator/users')).toBe(200)
  for (const headers of [from('192.0.2.1'), { forwarded: 'for=192.0.2.1' }]) {
    expect(await statusOf('/emulator/users', headers)).toBe(403)
  }
})

it('a branch has the same token, and the same rules', async () => {
  const served = await start({ adminToken: 'token', behindProxy: '127.0.0.1' })
  const { baseUrl } = await served.branch({ name: 'twin' })
  const url = new URL('/emulator/users', baseUrl)
  const statuses = []
  for (const headers of [{}, { authorization: 'Bearer guess' }, { authorization: 'Bearer token' }]) {
    statuses.push((await fetch(url, { headers })).status)
  }
  statuses.push((await fetch(url, { headers: { authorization: 'Bearer token', 'x-forwarded-proto': 'http' } })).status)
  expect(statuses).toEqual([401, 401, 200, 403])
})
