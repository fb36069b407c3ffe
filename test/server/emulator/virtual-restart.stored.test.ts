/**
 * Time, restart, revocation and faults, crossed: a state under a virtual clock that is closed or killed anywhere goes
 * on, and never back.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { copyStateFile } from '../../store/rig/state-file-copy.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { advance, ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder } = temporaryFiles()
const start = emulators()
let made = 0
const freshPath = (): string => join(folder, `restart-${(made += 1)}.db`)

const open = (state: string, more: object = {}): Promise<Emulator> =>
  start({ state, virtualClock: true, config: { agents: false }, ...more })

const now = async (emulator: Emulator): Promise<number> =>
  (await ask<{ now: number }>(emulator, '/emulator/clock')).json.now

const requestId = async (emulator: Emulator): Promise<string | null> =>
  (await fetch(`${emulator.baseUrl}/markets`)).headers.get('x-request-id')

/** An emulator that is ended one way, and begins again. */
interface Life {
  readonly emulator: Emulator
  readonly state: string
}

async function next({ emulator, state }: Life, how: string): Promise<Life> {
  const copy = freshPath()
  // What a kill would leave.
  if (how === 'killed') copyStateFile(state, copy)
  await emulator.close()
  const path = how === 'killed' ? copy : state
  return { emulator: await open(path), state: path }
}

const SCOPES = ['ORDER_READ', 'ORDER_CREATE']

describe.each(['closed', 'killed'])('a state under a virtual clock that is %s', (how) => {
  it('does not go back, though nothing happened but time', async () => {
    const state = freshPath()
    let life = { emulator: await open(state, { start: Date.UTC(2024, 5, 1) }), state }
    life = await next(life, how)
    expect(await now(life.emulator)).toBe(Date.UTC(2024, 5, 1))
    const moved = await advance(life.emulator, 7 * 86_400_000)
    life = await next(life, how)
    expect(await now(life.emulator)).toBe(moved)
  })

  it('repeats no request id, and draws no key and no id of a key twice', async () => {
    const state = freshPath()
    let life = { emulator: await open(state), state }
    const ids: (string | null)[] = []
    const keys: string[] = []
    for (let count = 0; count < 4; count += 1) {
      const { emulator } = life
      for (let each = 0; each < 20; each += 1) ids.push(await requestId(emulator))
      const path = '/emulator/users/user-1/keys'
      const { json } = await ask<{ id: string; key: string }>(emulator, path, { body: { scopes: SCOPES } })
      keys.push(json.id, json.key)
      await ask(emulator, `/emulator/keys/${json.id}`, { method: 'DELETE' })
      life = await next(life, how)
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect((await ask(life.emulator, '/balances', { key })).status).toBe(401)
  })

  it('repeats no request id either when nothing but questions was asked', async () => {
    const state = freshPath()
    let life = { emulator: await open(state), state }
    const ids: (string | null)[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.push(await requestId(life.emulator))
      life = await next(life, how)
    }
    expect(new Set(ids).size).toBe(3)
  })

  it('has a key that was revoked stay revoked, and what a fault left to be done later stays undone', async () => {
    const state = freshPath()
    let life = { emulator: await open(state), state }
    const key = keyOf(life.emulator)
    const fault = { fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms: 60_000 }
    await ask(life.emulator, '/emulator/faults', { body: fault })
    expect((await ask(life.emulator, '/orders', { key, body: LIMIT_BUY })).status).toBe(504)
    await ask(life.emulator, `/emulator/keys/${key.split('_')[1] ?? ''}`, { method: 'DELETE' })
    const moved = await advance(life.emulator, 1_000)
    life = await next(life, how)
    expect(await now(life.emulator)).toBe(moved)
    expect((await ask(life.emulator, '/orders', { key })).status).toBe(401)
    await advance(life.emulator, 120_000)
    const path = '/emulator/users/user-1/keys'
    const { json } = await ask<{ key: string }>(life.emulator, path, { body: { scopes: SCOPES } })
    expect((await ask(life.emulator, '/orders', { key: json.key })).json).toEqual([])
  })
})

it('a new state that is killed right after its start has the hours that its agents traded, and its users', async () => {
  const state = freshPath()
  const first = { emulator: await start({ state, virtualClock: true }), state }
  const seen = async (emulator: Emulator, key: string): Promise<unknown[]> =>
    Promise.all(
      ['/markets/tickers', '/markets/BTC_USD/candles', '/markets/BTC_USD/trades?limit=500', '/balances'].map(
        async (path) => (await ask(emulator, path, { key })).json,
      ),
    )
  const key = keyOf(first.emulator)
  const before = await seen(first.emulator, key)
  expect(JSON.stringify(before)).toContain('"available":"100000"')
  const killed = await next(first, 'killed')
  expect(killed.emulator.users).toEqual([{ id: 'user-1', email: 'trader@example.com', keys: [] }])
  expect(await seen(killed.emulator, key)).toEqual(before)
})
