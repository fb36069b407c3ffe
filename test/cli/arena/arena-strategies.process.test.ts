/**
 * Strategies in a season: the server runs them as players, goes on whatever they do, and starts them again after a
 * kill. `arena verify` needs none of them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '../../server/rig/emulator-caller.ts'
import { eventually } from '../live/rig/patience.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { cli, folder } = cliFolder()
const start = servers()

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** Strategies yield the machine: on a busy one they start in minutes. */
const PATIENCE_MS = 540_000
/** Longest silence of strategies that are not meant to be stopped for it. */
const turnSeconds = 600
const iso = (time: number): string => new Date(time).toISOString()

/** Does something at each trade of others. @param act  returns an intent */
const atTrades = (name: string, act: string): string => `
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: '${name}',
  params: z.object({ symbol: z.string(), qty: z.string().default('0.01') }),
  run: ({ params: { symbol, qty }, trades, log, openOrders, buyLimit }) => {
    log('open at start: ' + openOrders().length + ', key ' + process.env.PAPERTAPE_API_KEY + ', token ' + process.env.PAPERTAPE_ADMIN_TOKEN)
    return trades(symbol).pipe(filter(({ isOwn }) => !isOwn), map(() => { ${act} }))
  },
})
`

interface Refused {
  readonly error: { readonly message: string }
}

interface Row {
  readonly name: string
  readonly strategy?: { readonly stopped?: { readonly reason: string } }
}

const originOf = ({ baseUrl }: ServerLine): string => baseUrl.replace(/\/v1$/, '')

async function rowsOf(line: ServerLine): Promise<readonly Row[]> {
  const response = await fetch(`${originOf(line)}/arena/board`)
  return ((await response.json()) as { readonly result: { readonly players: readonly Row[] } }).result.players
}

const reasonsOf = (rows: readonly Row[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(rows.flatMap(({ name, strategy }) => (strategy && [[name, strategy.stopped?.reason]]) ?? []))

async function joined(line: ServerLine, code: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${originOf(line)}/join`, { method: 'POST', headers, body: JSON.stringify({ code }) })
  return ((await response.json()) as { readonly key: string }).key
}

/**
 * Flags of Node for a server whose clock jumps an hour ahead at SIGUSR2: strategies load and stop as slowly as a busy
 * machine lets them.
 *
 * @param aheadMs  of the clock of the machine, until then
 */
function jumpingClock(aheadMs: number): readonly string[] {
  const source = `
    let ahead = ${aheadMs}
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock)
      clock.now = () => now() + ahead
    }
    process.on('SIGUSR2', () => { ahead += ${HOUR_MS} })`
  return ['--import', `data:text/javascript,${encodeURIComponent(source)}`]
}

/** A season of an hour. @param inSeconds  until its start @returns its file */
function season(name: string, inSeconds: number, strategies: readonly object[]): string {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const begins = Math.ceil(Date.now() / SECOND_MS + inSeconds) * SECOND_MS
  const terms = { name, start: iso(begins), end: iso(begins + HOUR_MS), sampleSeconds: 1, agents: false }
  const file = join(own, 'season.json')
  const credits = { USD: '100000', BTC: '2' }
  writeFileSync(file, JSON.stringify({ ...terms, credits, players: ['Ann', 'Bob'], strategies }))
  writeFileSync(join(own, 'buys.ts'), atTrades('buys', "return buyLimit(symbol, qty, '39000')"))
  writeFileSync(join(own, 'throws.ts'), atTrades('throws', "throw new Error('no more')"))
  writeFileSync(join(own, 'loops.ts'), atTrades('loops', 'for (;;);'))
  writeFileSync(join(own, 'fills.ts'), atTrades('fills', 'const all = []; for (;;) all.push({ all })'))
  return file
}

it.each`
  what                        | strategies                                                         | flags                                                    | message
  ${'a file that is missing'} | ${[{ name: 'A', strategy: 'none.ts' }]}                            | ${[]}                                                    | ${/strategies\.0: .*none\.ts/}
  ${'a parameter of none'}    | ${[{ name: 'A', strategy: 'buys.ts', params: { fast: 1 } }]}       | ${[]}                                                    | ${/strategies\.0: params\.fast: /}
  ${'an unknown market'}      | ${[{ name: 'A', strategy: 'buys.ts', params: { symbol: 'A_B' } }]} | ${[]}                                                    | ${/strategies\.0\.params\.symbol: expected one of BTC_USD, ETH_USD/}
  ${'a name of a player'}     | ${[{ name: 'ann', strategy: 'buys.ts' }]}                          | ${[]}                                                    | ${/strategies\.0\.name: ann is listed twice/}
  ${'no way past a proxy'}    | ${[{ name: 'A', strategy: 'buys.ts' }]}                            | ${['--host', '127.0.0.2', '--behind-proxy', '10.0.0.2']} | ${/strategies: trade on this machine, which is not the proxy: use --host 0\.0\.0\.0/}
  ${'a virtual clock'}        | ${[{ name: 'A', strategy: 'buys.ts' }]}                            | ${['--virtual-clock']}                                   | ${/strategies: trade in real time: leave out --virtual-clock/}
`('are refused at the start, and no journal is begun: $what', async ({ strategies, flags, message }) => {
  const file = season('Wrong', 3_600, strategies as readonly object[])
  const { code, stderr } = await cli('arena', 'serve', file, '--port', '0', ...(flags as readonly string[]))
  expect([code, stderr]).toEqual([2, expect.stringMatching(message as RegExp)])
  expect(existsSync(file.replace('.json', '.journal'))).toBe(false)
})

it('trade as players do, end with a reason, survive a kill of the server, and are verified without them', async () => {
  const file = season('Real', 0, [
    { name: 'Buys', strategy: 'buys.ts', params: { qty: '0.02' }, turnSeconds },
    { name: 'Throws', strategy: 'throws.ts', turnSeconds },
    { name: 'Loops', strategy: 'loops.ts', turnSeconds: 2 },
    { name: 'Fills', strategy: 'fills.ts', memoryMb: 64, turnSeconds },
  ])
  const logOf = (name: string): string =>
    readFileSync(join(file.replace('.json', '-strategies'), name, 'strategy.log'), 'utf8')
  const command = ['arena', 'serve']
  const first = start([file, '--json'], { command, nodeFlags: jumpingClock(-HOUR_MS) })
  let line = await first.line()
  const { players } = line as unknown as { readonly players: readonly { readonly link: string }[] }
  const keys = await Promise.all(players.map(({ link }) => joined(line, link.split('/').at(-1) ?? '')))
  const place = async (player: number, body: object): Promise<number> =>
    (await ask(line, '/orders', { key: keys[player], body: { symbol: 'BTC_USD', qty: '0.01', ...body } })).status
  const trade = async (): Promise<void> => {
    expect(await place(0, { side: 'SELL', type: 'LIMIT', price: '40000.00' })).toBe(201)
    expect(await place(1, { side: 'BUY', type: 'MARKET' })).toBe(201)
  }
  const reset = await ask<Refused>(line, '/emulator/players/reset', { body: { name: 'Buys' } })
  expect(reset.json.error.message).toBe('name: Buys is a strategy, which the server runs')

  const logged = (name: string, text: string): Promise<boolean> =>
    eventually(
      () => logOf(name).includes(text),
      () => `${name} logs: ${logOf(name)}`,
      PATIENCE_MS,
    )
  first.child.kill('SIGUSR2')
  for (const name of ['Buys', 'Throws', 'Fills']) await logged(name, 'started')
  // On a busy machine it is silent for 2 s before it starts.
  const isSilent = async (): Promise<boolean> => reasonsOf(await rowsOf(line)).Loops !== undefined
  await eventually(async () => logOf('Loops').includes('started') || (await isSilent()), () => logOf('Loops'), PATIENCE_MS) // prettier-ignore
  expect(logOf('Buys')).toContain('open at start: 0, key undefined, token undefined')
  await trade()
  const reasons = {
    Buys: undefined,
    Throws: expect.stringMatching(/^no more \(throws\.ts:\d+:\d+\)$/) as string,
    Loops: 'it did not respond for 2 s',
    Fills: 'it ran out of memory at 64 MB',
  }
  const stopped = async (): Promise<boolean> =>
    Object.values(reasonsOf(await rowsOf(line))).filter(Boolean).length === 3
  await eventually(stopped, () => 'three strategies are stopped', PATIENCE_MS)
  expect(reasonsOf(await rowsOf(line))).toEqual(reasons)

  await first.stop('SIGKILL')
  const second = start([file, '--json'], { command, nodeFlags: jumpingClock(0) })
  line = await second.line()
  await logged('Buys', 'open at start: 1')
  expect(reasonsOf(await rowsOf(line))).toEqual(reasons)

  const isOver = async (): Promise<boolean> => {
    const board = (await (await fetch(`${originOf(line)}/arena/board`)).json()) as { readonly state: string }
    return board.state === 'over'
  }
  second.child.kill('SIGUSR2')
  await eventually(isOver, () => 'the season is over')
  expect(await second.stop()).toBe(0)
  const { code, stdout } = await cli('arena', 'verify', file.replace('.json', '.journal'))
  expect(code).toBe(0)
  expect(stdout).toMatch(/Loops +\d+\S* +stopped: it did not respond for 2 s/)
})
