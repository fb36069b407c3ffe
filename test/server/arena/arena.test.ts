/** A season on the clock of the machine: who can join, which files are kept, and which names are refused. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startArena, type Arena, type ArenaOptions } from '../../../src/server/arena/arena.ts'
import { startEmulator } from '../../../src/server/emulator/emulator.ts'
import { LineChain } from '../../../src/server/arena/chained-lines.ts'
import { nameKey, nameSchema } from '../../../src/server/arena/player-name.ts'
import { readJournal } from '../../../src/server/arena/read-journal.ts'
import { ask } from '../rig/emulator-caller.ts'

const [START, END] = ['2100-01-07T09:00:00Z', '2100-01-07T10:00:00Z']
const SEASON = { name: 'Winter', start: START, end: END, agents: false, credits: { USD: '100' } }

interface Joined {
  readonly error?: { readonly message: string }
  readonly codes?: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'arena-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const started: Arena[] = []
const sockets: WebSocket[] = []
let journal = ''
beforeEach(() => {
  journal = join(folder, `${String(Math.random())}.journal`)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await Promise.all(started.splice(0).map((arena) => arena.close()))
})

async function start(season: object = {}, options: Partial<ArenaOptions> = {}): Promise<Arena> {
  const arena = await startArena({ where: 'season.json', season: { ...SEASON, ...season }, journal, ...options })
  started.push(arena)
  return arena
}

async function post(arena: Arena, path: string, body: object): Promise<Joined> {
  const method = 'POST'
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(arena.url + path, { method, headers, body: JSON.stringify(body) })
  return (await response.json()) as Joined
}
const invite = async (arena: Arena, body: object): Promise<Joined> =>
  (await ask<Joined>(arena, '/emulator/invitations', { body })).json

describe('the line of the board', () => {
  const follow = async (arena: Arena, headers: Record<string, string> = {}): Promise<Record<string, unknown>[]> => {
    const socket = new WebSocket(`${arena.url.replace('http', 'ws')}/arena/live`, { headers })
    const frames: Record<string, unknown>[] = []
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Record<string, unknown>))
    sockets.push(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return frames
  }

  it('sends the board once, then its time, and the board again when players join', async () => {
    const arena = await start({ players: ['Ann'] })
    const frames = await follow(arena)
    await expect.poll(() => frames.length, { timeout: 20_000 }).toBeGreaterThan(1)
    const board = (await (await fetch(`${arena.url}/arena/board`)).json()) as Record<string, unknown>
    expect({ ...frames[0], now: 0 }).toEqual({ ...board, now: 0 })
    expect(Object.keys(frames[1] ?? {})).toEqual(['name', 'start', 'end', 'now', 'state', 'quoteAsset', 'journal'])
    expect(await post(arena, '/join', { code: arena.invited[0]?.code ?? '' })).not.toHaveProperty('error')
    const hasAnn = (frame: Record<string, unknown>): boolean => JSON.stringify(frame.result ?? {}).includes('"Ann"')
    await expect.poll(() => frames.filter(hasAnn).length, { timeout: 20_000 }).toBe(1)
  })

  it('is refused to pages of elsewhere, and closed to those who talk', async () => {
    const arena = await start()
    await expect(follow(arena, { origin: 'http://evil.example' })).rejects.toThrow('403')
    await follow(arena)
    const [, socket] = sockets
    const closed = new Promise((resolve) => socket?.once('close', resolve))
    socket?.send('hello')
    expect(await closed).toBe(1008)
  })
})

describe('a season with listed players', () => {
  it('invites them once, and no one else', async () => {
    const players = ['Ann', 'Bob']
    const arena = await start({ players })
    expect(arena.invited.map(({ name }) => name)).toEqual(players)
    expect((await invite(arena, {})).error?.message).toBe('name: is missing: the season file lists players')
    expect((await invite(arena, { name: 'Carl' })).error?.message).toMatch('lists no player Carl')
    await arena.close()
    expect((await start({ players })).invited).toEqual([])
  })
})

it('keeps the name of an invitation from players with another', async () => {
  const arena = await start()
  await invite(arena, { name: 'Ann' })
  const [code] = (await invite(arena, {})).codes ?? []
  const { error } = await post(arena, '/join', { code, name: 'ann' })
  expect(error?.message).toBe('name: ann has an invitation of its own')
  expect((await post(arena, '/join', { code, name: 'Bob' })).error).toBeUndefined()
})

it('refuses own trades in recorded and mirrored markets too, and continues no recorded one', async () => {
  const source = await startEmulator({ config: { agents: false } })
  const season = { agents: undefined, players: ['Ann'] }
  for (const options of [{ mirror: source.baseUrl }, { replay: [tape()] }]) {
    journal += '-next'
    const arena = await start(season, options)
    const { markets } = arena.host.journal.fold.exchange
    expect(markets[0]).toMatchObject({ symbol: 'BTC_USD', selfTrade: 'reject' })
    await arena.close()
  }
  await source.close()
  const kept = readFileSync(journal, 'utf8')
  await expect(start(season, { replay: [tape()] })).rejects.toThrow('not over, and replay would begin again')
  expect(readFileSync(journal, 'utf8')).toBe(kept)
})

it.each(['notes without a line feed', '['])('overwrites no other file: %s', async (text) => {
  writeFileSync(journal, text)
  await expect(start()).rejects.toThrow('is not the journal of a season')
  expect(readFileSync(journal, 'utf8')).toBe(text)
  expect(existsSync(`${journal}-lock`)).toBe(false)
})

it('continues after a first line that a kill cut', async () => {
  writeFileSync(journal, '[{"type":"season","papertape":"1.')
  expect((await start({ players: ['Ann'] })).invited).toHaveLength(1)
})

const startMs = Date.parse(START)
const CREDIT = { type: 'credit', time: startMs, account: 'anyone', asset: 'USD', amount: '1' }
it.each([
  [{ type: 'result', time: startMs, players: [], disqualified: [], findings: [] }, 'before its end'],
  [{ type: 'joined', time: startMs, account: 'user-2', name: 'Bob', invitation: 'b' }, 'the season had begun'],
  [{ type: 'joined', time: 1, account: 'user-2', name: 'Bob', invitation: 'b' }, 'earlier than the lines before'],
  [{ type: 'invited', invitation: 'c' }, 'the season had begun'],
])('finds a line at a wrong time: %j', async (entry, why) => {
  await begun({}, [{ type: 'invited', invitation: 'b' }, CREDIT, entry])
  expect(() => readJournal(journal)).toThrow(why)
})

it('finds a result before the open orders of a player are cancelled', async () => {
  const player = { time: 1, account: 'user-1' }
  const request = { symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', price: 4_000_000, qty: 100_000_000 }
  await begun({ credits: { BTC: '1' } }, [
    { type: 'invited', invitation: 'b' },
    { ...player, type: 'credit', asset: 'BTC', amount: '100000000' },
    { ...player, type: 'joined', name: 'Bob', invitation: 'b' },
    { ...player, type: 'place', time: startMs, request },
    { type: 'result', time: Date.parse(END), players: [], disqualified: [], findings: [] },
  ])
  expect(() => readJournal(journal)).toThrow('Bob has open orders at the end')
})

/** Writes a journal with a valid chain: the first line of a season, and other lines. */
async function begun(season: object, entries: readonly object[]): Promise<void> {
  await (await start(season)).close()
  const [, head = ''] = /^\[(.*),"[\w-]+"\]\n/.exec(readFileSync(journal, 'utf8')) ?? []
  const chain = new LineChain()
  const lines = [head, ...entries.map((entry) => JSON.stringify(entry))]
  writeFileSync(journal, lines.map((line) => chain.add(line)).join(''))
}

it('refuses names with hidden characters, or letters that look like those of another script', () => {
  const refused = ['An\u115fn', 'Ann\ufe0f', 'a\u0323\u0323\u0323', 'e\u0301', 'P\u0430ul']
  expect(refused.filter((name) => nameSchema.safeParse(name).success)).toEqual([])
  const allowed = ['Ann', 'Zo\u00eb', '\u0410\u043d\u043d\u0430', '\u5c71\u7530 1', 'Dr. A_b-c']
  expect(allowed.filter((name) => !nameSchema.safeParse(name).success)).toEqual([])
  expect(nameKey('\uff21NN')).toBe(nameKey('ann'))
})

function tape(): { readonly file: string; readonly symbol: string } {
  const file = join(folder, 'BTC_USD.csv')
  writeFileSync(file, 'time,price,qty\n2024-01-01T00:00:00Z,40000.00,0.5\n2024-01-01T00:01:00Z,40001.00,0.5\n')
  return { file, symbol: 'BTC_USD' }
}
