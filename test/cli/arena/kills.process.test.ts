/**
 * kill -9 while an emulator saves snapshots and starts branches, and while a season runs, under load: everything that
 * was answered is there afterwards. `WORLD_KILLS=100 npx vitest run --mode built --project process FILE` does it 100
 * times for each.
 *
 * Known limit: the moments are random, and not those of a seed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ask } from '../../server/rig/emulator-caller.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { servers, type ServerLine, type Serving } from '../rig/serving.ts'

const { cli, folder } = cliFolder()
const start = servers()

const KILLS = Number(process.env.WORLD_KILLS ?? 3)
const PATIENCE_MS = 300_000 + KILLS * 60_000
const LONGEST_LIFE_MS = 800
const LIMITS = { general: 1_000_000, mutations: 1_000_000, windowSeconds: 60 }
const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '39000.00', qty: '0.01' }

interface Identified {
  readonly id: string
}

/** Repeats an action until the server is gone: nobody knows what became of the last one. */
async function untilGone(life: AbortSignal, action: () => Promise<unknown>): Promise<void> {
  const isOver = (): boolean => life.aborted
  while (!isOver()) {
    try {
      await action()
    } catch (error) {
      if (!isOver()) throw error
    }
  }
}

/** One life of a server under load, ended at a random moment. */
async function live(serving: Serving, actions: readonly (() => Promise<unknown>)[]): Promise<void> {
  const life = new AbortController()
  const all = actions.map((action) => untilGone(life.signal, action))
  await setTimeout(Math.random() * LONGEST_LIFE_MS)
  life.abort()
  await serving.stop('SIGKILL')
  await Promise.all(all)
}

/** Orders that were answered, and looks for each of them. */
class Acknowledged {
  readonly #ids = new Set<string>()

  get size(): number {
    return this.#ids.size
  }

  async place(line: ServerLine, key: string): Promise<void> {
    const { status, json } = await ask<Identified>(line, '/orders', { key, body: ORDER })
    if (status === 201) this.#ids.add(json.id)
  }

  async missing(line: ServerLine, key: string): Promise<readonly string[]> {
    const found = new Set<string>()
    for (let page = 1; ; page += 1) {
      const { json } = await ask<readonly Identified[]>(line, `/orders?limit=500&page=${page}`, { key })
      for (const { id } of json) {
        expect(found.has(id)).toBe(false)
        found.add(id)
      }
      if (json.length < 500) break
    }
    return [...this.#ids].filter((id) => !found.has(id))
  }
}

it(
  'keeps each order and each snapshot that was answered, and every snapshot can be loaded',
  { timeout: PATIENCE_MS },
  async () => {
    const config = join(folder, 'config.json')
    const key = `pt_aaaaaaaa_${'a'.repeat(43)}`
    const user = { email: 'a@example.com', verified: true, credits: { USD: '100000000' } }
    const keys = [{ scopes: ['ORDER_READ', 'ORDER_CREATE', 'ACCOUNT_READ'], key }]
    writeFileSync(config, JSON.stringify({ agents: false, limits: LIMITS, users: [{ ...user, keys }] }))
    const args = ['--state', join(folder, 'state.db'), '--config', config, '--json']
    const acknowledged = new Acknowledged()
    const openBySnapshot = new Map<string, number>()
    let [saved, branched] = [0, 0]
    const look = async (line: ServerLine): Promise<void> => {
      expect(await acknowledged.missing(line, key)).toEqual([])
      expect((await ask<{ ok: boolean }>(line, '/emulator/audit')).json.ok).toBe(true)
      const { json } = await ask<readonly { name: string; openOrders: number }[]>(line, '/emulator/snapshots')
      for (const [name, openOrders] of openBySnapshot) expect(json).toContainEqual(expect.objectContaining({ name, openOrders })) // prettier-ignore
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const serving = start(args)
      const line = await serving.line()
      await look(line)
      const place = (): Promise<void> => acknowledged.place(line, key)
      const save = async (): Promise<void> => {
        const name = `s${String((saved += 1) % 20)}`
        openBySnapshot.delete(name)
        const { status, json } = await ask<{ openOrders: number }>(line, '/emulator/snapshots', {
          body: { name, replace: true },
        })
        if (status === 201) openBySnapshot.set(name, json.openOrders)
      }
      const branch = async (): Promise<void> => {
        const name = `b${String((branched += 1))}`
        await ask(line, '/emulator/branches', { body: { name } })
        await ask(line, `/emulator/branches/${name}`, { method: 'DELETE' })
      }
      await live(serving, [place, place, place, save, branch])
    }
    const line = await start(args).line()
    await look(line)
    for (const [name, openOrders] of openBySnapshot) {
      expect((await ask(line, `/emulator/snapshots/${name}/load`, { method: 'POST' })).status).toBe(200)
      const { json } = await ask<{ openOrders: number }>(line, '/emulator/snapshots', {
        body: { name: 'again', replace: true },
      })
      expect(json.openOrders).toBe(openOrders)
    }
    console.log(`${KILLS} kills: ${acknowledged.size} orders, ${saved} snapshots, ${branched} branches, nothing lost`)
    expect([acknowledged.size, openBySnapshot.size].every((count) => count > 0)).toBe(true)
  },
)

it(
  'keeps each order of a season that was answered, and each digest that was shown',
  { timeout: PATIENCE_MS },
  async () => {
    const file = join(folder, 'season.json')
    const times = { start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' }
    const terms = { name: 'Killed', ...times, agents: false, credits: { USD: '100000000' }, players: ['Ann'] }
    writeFileSync(file, JSON.stringify({ ...terms, limits: LIMITS }))
    const args = [file, '--virtual-clock', '--json']
    const options = { command: ['arena', 'serve'] }
    const acknowledged = new Acknowledged()
    const shown = new Map<number, string>()
    let key = ''
    const board = async (line: ServerLine): Promise<void> => {
      const response = await fetch(line.baseUrl.replace('/v1', '/arena/board'))
      const { journal } = (await response.json()) as { journal: { lines: number; digest: string } }
      shown.set(journal.lines, journal.digest)
    }
    const advance = (line: ServerLine, advanceMs: number): Promise<unknown> => ask(line, '/emulator/clock', { body: { advanceMs } }) // prettier-ignore
    for (let kill = 0; kill < KILLS; kill += 1) {
      const serving = start(args, options)
      const line = await serving.line()
      if (key === '') {
        const { players } = line as unknown as { readonly players: readonly [{ readonly link: string }] }
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ code: players[0].link.split('/').at(-1) })
        const response = await fetch(line.baseUrl.replace('/v1', '/join'), { method: 'POST', headers, body })
        ;({ key } = (await response.json()) as { readonly key: string })
        await advance(line, 3_600_000)
      }
      expect(await acknowledged.missing(line, key)).toEqual([])
      const place = (): Promise<void> => acknowledged.place(line, key)
      const tick = (): Promise<unknown> => advance(line, 10)
      await live(serving, [place, place, place, () => board(line), tick])
    }
    const last = start(args, options)
    const line = await last.line()
    expect(await acknowledged.missing(line, key)).toEqual([])
    await advance(line, 3_700_000)
    expect(await last.stop()).toBe(0)
    const journal = file.replace('.json', '.journal')
    expect(await cli('arena', 'verify', journal)).toMatchObject({ code: 0, stderr: '' })
    const lines = readFileSync(journal, 'utf8').split('\n')
    for (const [count, digest] of shown) expect(lines[count - 1]).toContain(`,"${digest}"]`)
    console.log(`${KILLS} kills of a season: ${acknowledged.size} orders, ${shown.size} digests, nothing lost`)
    expect([acknowledged.size, shown.size].every((count) => count > 0)).toBe(true)
  },
)
