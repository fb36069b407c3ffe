import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { HOUR_MS } from '../../../src/domain/time.ts'
import type { EmulatorControl } from '../../../src/server/emulator/emulator-control.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder } = temporaryFiles()
const start = emulators()

const START = Date.UTC(2024, 0, 1)
const QUIET = { virtualClock: true, config: { agents: false } } as const

const problemOf = async (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => 'done',
    (error: unknown) => (error instanceof InputError ? error.message : error),
  )

describe('advance()', () => {
  it('moves the clock by milliseconds or to a moment, and resolves with where it is', async () => {
    const emulator = await start(QUIET)
    expect(await emulator.advance(0)).toBe(START)
    expect(await emulator.advance(HOUR_MS)).toBe(START + HOUR_MS)
    expect(await emulator.advance({ to: new Date(START + HOUR_MS + 1) })).toBe(START + HOUR_MS + 1)
    expect(await emulator.advance({ to: START + HOUR_MS + 2 })).toBe(START + HOUR_MS + 2)
    expect(await ask(emulator, '/emulator/clock')).toMatchObject({ json: { now: START + HOUR_MS + 2 } })
  })

  it('adds up moves that are asked for at the same time', async () => {
    const emulator = await start(QUIET)
    const both = await Promise.all([emulator.advance(10), emulator.advance(5), emulator.advance({ to: START + 15 })])
    expect(both.at(-1)).toBe(START + 15)
    expect(await emulator.advance(0)).toBe(START + 15)
  })

  it.each<[message: string, by: Parameters<EmulatorControl['advance']>[0]]>([
    ['advanceMs: Too small', -1],
    ['advanceMs: Invalid input: expected int', 0.5],
    ['advanceMs: Too big', 367 * 24 * HOUR_MS],
    ['to: expected a time at or after 1704067200000, got 1704067199999', { to: START - 1 }],
    ['to: expected a time at or after 1704067200000, got NaN', { to: new Date('never') }],
  ])('refuses with %s', async (message, by) => {
    expect(await problemOf((await start(QUIET)).advance(by))).toContain(message)
  })

  it('refuses where time goes on by itself', async () => {
    const emulator = await start({ config: { agents: false } })
    expect(await problemOf(emulator.advance(1))).toBe(
      'advance: the clock runs in real time: start the emulator with virtualClock to move it yourself',
    )
  })

  it('rejects when the clock is stopped on its way, and when the emulator is closed', async () => {
    const emulator = await start({ virtualClock: true })
    const stopped = problemOf(emulator.advance(30 * 24 * HOUR_MS))
    await ask(emulator, '/emulator/clock', { method: 'DELETE' })
    expect(String(await stopped)).toMatch(/^Error: the clock was stopped before its target, at 17040/)
    const cut = problemOf(emulator.advance(30 * 24 * HOUR_MS))
    await emulator[Symbol.asyncDispose]()
    expect(String(await cut)).toBe('Error: the server stops')
    expect(String(await problemOf(emulator.audit()))).toBe('Error: the server stops')
  })
})

describe('fault()', () => {
  it('plans as the surface does, and its handle forgets', async () => {
    const emulator = await start(QUIET)
    const key = keyOf(emulator)
    const fault = await emulator.fault({ fault: 'engine-unavailable', route: 'GET /balances', count: 2 })
    expect(await ask(emulator, '/balances', { key })).toMatchObject({
      status: 503,
      json: { error: { code: 'ENGINE_UNAVAILABLE' } },
    })
    const left = { id: fault.id, fault: 'engine-unavailable', route: 'GET /balances', count: 1, seed: 1, ms: 1000 }
    expect(await emulator.faults()).toEqual([left])
    expect(await ask(emulator, '/emulator/faults')).toEqual({ status: 200, json: [left] })
    expect([fault.remove(), fault.remove()]).toEqual([true, false])
    expect((await ask(emulator, '/balances', { key })).status).toBe(200)
    await emulator.fault({ fault: 'delay', route: '*', probability: 1 })
    await emulator.clearFaults()
    expect(await emulator.faults()).toEqual([])
  })

  it.each<[message: string, plan: Parameters<EmulatorControl['fault']>[0]]>([
    ['count: expected a count or a probability', { fault: 'delay', route: '*' }],
    ["route: expected a route such as 'POST /orders'", { fault: 'delay', route: 'GET /nothing', count: 1 }],
    ["route: duplicate-order happens at 'POST /orders'", { fault: 'duplicate-order', route: 'GET /orders', count: 1 }],
    ['rows: required for page-cap', { fault: 'delay', route: '*', count: 1, rows: 1 }],
  ])('refuses with %s', async (message, plan) => {
    expect(await problemOf((await start(QUIET)).fault(plan))).toContain(message)
  })
})

describe('addUser()', () => {
  it('makes a user with credits and keys, whole', async () => {
    const emulator = await start(QUIET)
    const named = 'pt_abcdefgh_0123456789012345678901234567890123456789012'
    const user = await emulator.addUser({
      email: 'b@example.com',
      credits: { BTC: '2', USD: '50000' },
      keys: [{ scopes: [...SCOPES] }, { scopes: ['ACCOUNT_READ'], key: named }],
    })
    expect(user).toEqual({ id: 'user-2', email: 'b@example.com', keys: [expect.stringMatching(/^pt_/), named] })
    expect(await ask(emulator, '/balances', { key: named })).toMatchObject({
      json: { BTC: { available: '2' }, USD: { available: '50000' } },
    })
    expect(await ask(emulator, '/orders', { key: user.keys[0], body: LIMIT_BUY })).toMatchObject({ status: 201 })
    expect(await emulator.audit()).toMatchObject({ ok: true, assets: { BTC: { credited: '2' } } })
  })

  it.each<[message: string, user: Parameters<EmulatorControl['addUser']>[0]]>([
    ['user email: Invalid email', { email: 'b' }],
    ['user email: a user with the email Trader@example.com exists already', { email: 'Trader@example.com' }],
    ['user credits.EUR: no market has the asset', { email: 'b@example.com', credits: { EUR: '1' } }],
    ['user credits.USD: expected an amount of 0 or more', { email: 'b@example.com', credits: { USD: '-1' } }],
    ['user verifed: unknown field', { email: 'b@example.com', ...{ verifed: true } }],
  ])('refuses with %s, and makes nothing', async (message, user) => {
    const emulator = await start(QUIET)
    expect(await problemOf(emulator.addUser(user))).toContain(message)
    expect((await ask<unknown[]>(emulator, '/emulator/users')).json).toHaveLength(1)
  })

  it('takes an e-mail with any sign that a mailbox may have, as the surface does', async () => {
    const emulator = await start(QUIET)
    const email = "o'neil+bot*1_@example.com"
    expect(await emulator.addUser({ email })).toMatchObject({ email })
    const other = { email: 'o*@example.com', verified: true }
    expect(await ask(emulator, '/emulator/users', { body: other })).toMatchObject({ status: 201, json: other })
  })

  it('refuses a key that there is, and one that is there twice', async () => {
    const emulator = await start(QUIET)
    const key = keyOf(emulator)
    const another = 'pt_abcdefgh_0123456789012345678901234567890123456789012'
    const scopes = [...SCOPES]
    expect(await problemOf(emulator.addUser({ email: 'b@example.com', keys: [{ scopes, key }] }))).toMatch(
      /^user keys\.0\.key: a key with the public id \w{8} exists already$/,
    )
    const twice = [another, another].map((text) => ({ scopes, key: text }))
    expect(await problemOf(emulator.addUser({ email: 'b@example.com', keys: twice }))).toMatch(/^user keys\.1\.key: /)
  })
})

describe('credit()', () => {
  it('credits and debits, and says what there is then', async () => {
    const emulator = await start(QUIET)
    expect(await emulator.credit('user-1', 'BTC', '0.5')).toMatchObject({ BTC: { available: '0.5', locked: '0' } })
    expect(await emulator.credit('user-1', 'USD', '-99999.5')).toMatchObject({ USD: { available: '0.5' } })
  })

  it.each<[message: string, args: Parameters<EmulatorControl['credit']>]>([
    ['userId: no such user', ['user-9', 'USD', '1']],
    ["asset: no asset 'EUR'", ['user-1', 'EUR', '1']],
    ['amount: ', ['user-1', 'USD', '1e3']],
    ['amount: ', ['user-1', 'USD', '0.00000000001']],
    ['amount: ', ['user-1', 'USD', '-100000.01']],
  ])('refuses with %s', async (message, args) => {
    const emulator = await start(QUIET)
    expect(await problemOf(emulator.credit(...args))).toContain(message)
    expect(await emulator.audit()).toMatchObject({ assets: { USD: { credited: '100000' } } })
  })
})

describe('book()', () => {
  it('shows what rests, as the surface does', async () => {
    const emulator = await start(QUIET)
    await ask(emulator, '/orders', { key: keyOf(emulator), body: LIMIT_BUY })
    expect(await emulator.book('BTC_USD')).toEqual({ bids: [['10000.00', '0.5']], asks: [] })
    expect((await ask(emulator, '/emulator/markets/BTC_USD/book')).json).toEqual(await emulator.book('BTC_USD'))
    expect(await problemOf(emulator.book('BTC'))).toBe("symbol: no market 'BTC'")
  })
})

describe('with a state', () => {
  it('all that was done is on the disk when it resolves', async () => {
    const state = join(folder, 'controlled.db')
    const emulator = await start({ ...QUIET, state })
    await emulator.advance(1234)
    const { keys } = await emulator.addUser({ email: 'b@example.com', keys: [{ scopes: ['ACCOUNT_READ'] }] })
    await emulator.credit('user-2', 'BTC', '1.5')
    const copy = join(folder, 'copy.db')
    for (const part of ['', '-wal']) copyFileSync(state + part, copy + part)
    const other = await start({ ...QUIET, state: copy })
    expect(await other.advance(0)).toBe(START + 1234)
    expect((await ask(other, '/balances', { key: keys[0] })).json).toMatchObject({ BTC: { available: '1.5' } })
  })
})

describe('agents', () => {
  it('have traded for hours when anyone asks for the first time', async () => {
    const emulator = await start({ virtualClock: true })
    const { bids, asks } = await emulator.book('ETH_USD')
    expect(Math.min(bids.length, asks.length)).toBeGreaterThan(3)
    const { json } = await ask<{ data: unknown[] }>(emulator, '/markets/ETH_USD/candles?limit=1000')
    expect(json.data.length).toBeGreaterThan(100)
  })
})
