/**
 * `papertape arena`: a season from its invitations to its verified journal, through a kill, and every kind of change of
 * the journal is found.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineChain } from '../../../src/server/arena/chained-lines.ts'
import { ask } from '../../server/rig/emulator-caller.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { cli, folder } = cliFolder()
const start = servers()

const SEASON = {
  name: 'Winter',
  start: '2026-12-01T09:00:00Z',
  end: '2026-12-01T10:00:00Z',
  agents: false,
  credits: { USD: '100000', BTC: '2' },
  rules: { leastTrades: 1 },
}
const MINUTE_MS = 60_000

interface Refused {
  readonly error: { readonly code: string; readonly message: string }
}

interface Board {
  readonly state: string
  readonly journal: { readonly lines: number; readonly digest: string }
  readonly result: { readonly players: readonly { readonly name: string; readonly rank: number | null }[] }
}

const originOf = ({ baseUrl }: ServerLine): string => baseUrl.replace(/\/v1$/, '')

async function open<Json>(line: ServerLine, path: string, body?: object): Promise<Json> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(originOf(line) + path, body === undefined ? {} : request)
  return (await response.json()) as Json
}

const order = (side: string, type: string, price?: string): object => ({
  ...{ symbol: 'BTC_USD', side, type, qty: '0.5' },
  ...(price === undefined ? {} : { price }),
})

it('is hosted, survives a kill, and is verified by its journal alone', async () => {
  const file = join(folder, 'season.json')
  writeFileSync(file, JSON.stringify(SEASON))
  const args = [file, '--virtual-clock', '--json']
  const options = { command: ['arena', 'serve'] }
  const first = start(args, options)
  let line = await first.line()
  const invite = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (await cli('arena', 'invite', '--url', originOf(line), ...flags)).stdout.trim().split('\n')
  const links = [await invite('--name', 'Ann'), await invite('--name', 'Bob'), await invite('--count', '2')].flat()
  const codes = links.map((link) => link.split('/').at(-1) ?? '')
  const joining = async (index: number, name?: string): Promise<Record<string, string> & Partial<Refused>> =>
    await open(line, '/join', { code: codes[index], ...(name === undefined ? {} : { name }) })
  const [ann, bob, carl] = [await joining(0), await joining(1, 'Bob'), await joining(2, 'Carl')]
  expect([ann.name, bob.name, carl.name]).toEqual(['Ann', 'Bob', 'Carl'])
  const whys = [
    await joining(0),
    await joining(3),
    await joining(3, 'ann'),
    await joining(3, '<b>'),
    await joining(3, 'P\u0430ul'),
  ].map(({ error }) => error?.message)
  expect(whys).toEqual([
    'code: there is no such invitation, or it was used already: ask for another',
    'name: is missing: choose one',
    'name: ann is taken: choose another',
    'name: expected letters and digits, with spaces, dots, hyphens and underscores between them',
    'name: expected letters of one script',
  ])
  const reset = await cli('arena', 'reset', 'Carl', '--url', originOf(line))
  const again = await open<Record<string, string>>(line, '/join', { code: reset.stdout.trim().split('/').at(-1) })
  const keys = [ann.key, bob.key, again.key]
  const place = async (player: number, body: object): Promise<number> =>
    (await ask(line, '/orders', { key: keys[player], body })).status
  const advance = async (advanceMs: number): Promise<unknown> =>
    await ask(line, '/emulator/clock', { body: { advanceMs } })

  const early = await ask<Refused>(line, '/orders', { key: keys[0], body: order('BUY', 'LIMIT', '40000.00') })
  expect(early.status).toBe(422)
  expect(early.json.error.message).toBe('the season Winter has not begun: it begins at 2026-12-01T09:00:00.000Z')
  await advance(61 * MINUTE_MS)
  expect((await joining(3, 'Dora')).error?.code).toBe('FORBIDDEN')
  expect([await place(0, order('SELL', 'LIMIT', '40000.00')), await place(1, order('BUY', 'MARKET'))]).toEqual([
    201, 201,
  ])
  expect(await place(0, order('BUY', 'LIMIT', '39000.00'))).toBe(201)
  expect(await place(0, order('SELL', 'LIMIT', '39000.00'))).toBe(422)
  expect((await open<Refused>(line, '/arena/journal')).error.code).toBe('FORBIDDEN')
  const before = await open<Board>(line, '/arena/board')
  // Carl can still trade.
  expect(before.result.players.map(({ rank }) => rank)).not.toContain(null)

  await first.stop('SIGKILL')
  const second = start(args, options)
  line = await second.line()
  const after = await open<Board>(line, '/arena/board')
  expect(after.result.players).toEqual(before.result.players)
  expect(await place(1, order('SELL', 'MARKET'))).toBe(201)
  await advance(30 * MINUTE_MS)
  expect(await place(1, order('BUY', 'LIMIT', '39000.00'))).toBe(201)
  await advance(30 * MINUTE_MS)
  expect(await place(1, order('BUY', 'LIMIT', '39000.00'))).toBe(422)
  const final = await open<Board>(line, '/arena/board')
  expect(final.state).toBe('over')
  expect(final.result.players.map(({ name, rank }) => [name, rank === null])).toContainEqual(['Carl', true])
  const journal = await (await fetch(`${originOf(line)}/arena/journal`)).text()
  const { headers } = await fetch(`${originOf(line)}/arena/journal`, { method: 'HEAD' })
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(journal)))
  expect(await second.stop()).toBe(0)
  const third = start(args, options)
  expect(await open<Board>(await third.line(), '/arena/board')).toMatchObject({ journal: final.journal })

  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const verify = async (text: string): ReturnType<typeof cli> => {
    writeFileSync(join(elsewhere, 'season.journal'), text)
    return await cli('arena', 'verify', join(elsewhere, 'season.journal'))
  }
  expect(readFileSync(join(folder, 'season.journal'), 'utf8')).toBe(journal)
  const verified = await verify(journal)
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  expect(verified.stdout).toContain(`verified: ${final.journal.lines} lines, digest ${final.journal.digest}`)

  const lines = journal.split('\n').slice(0, -1)
  const at = lines.findIndex((each) => each.includes('"MARKET"'))
  const rechained = (change: (entry: string) => string): string => {
    const chain = new LineChain()
    const entries = lines.map((each) => each.slice(1, each.lastIndexOf(',"')))
    return entries.map((entry) => chain.add(change(entry))).join('')
  }
  const tampered: readonly (readonly [string, RegExp])[] = [
    [lines.with(at, lines[at]?.replace('"qty":5', '"qty":6') ?? '').join('\n'), RegExp(`:${at + 1}: does not follow`)],
    [lines.toSpliced(at, 1).join('\n'), RegExp(`:${at + 1}: does not follow`)],
    [
      lines
        .with(at, lines[at + 1] ?? '')
        .with(at + 1, lines[at] ?? '')
        .join('\n'),
      RegExp(`:${at + 1}: does not follow`),
    ],
    [lines.slice(0, -1).join('\n'), RegExp(`:${lines.length - 1}: is the last, and not the result`)],
    [
      rechained((entry) => entry.replace('"rank":null', '"rank":1')).trimEnd(),
      RegExp(`:${lines.length}: .*players.2.rank is null, the line says 1`),
    ],
    [rechained((entry) => entry.replace('"qty":50000000}', '"qty":40000000}')).trimEnd(), /:\d+: cannot be followed: /],
    [
      rechained((entry) =>
        entry.replace('"papertape":"', '"papertape":"0.').replace('"rank":null', '"rank":1'),
      ).trimEnd(),
      /the line says 1 \(written by papertape 0\./,
    ],
    [
      rechained((entry) => entry.replace('"amount":"200000000"', '"amount":"300000000"')).trimEnd(),
      /joined with another balance of BTC than the season gives/,
    ],
    [journal.replace('["', '[ "'), /season.journal:\d+: /],
  ]
  for (const [text, found] of tampered) {
    const { code, stderr } = await verify(`${text}\n`)
    expect([code, stderr]).toEqual([1, expect.stringMatching(found)])
  }
})
