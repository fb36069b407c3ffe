/**
 * `papertape paper --state`: three strategies on one wallet, killed at random moments, continue their balances, orders
 * and conditional orders; nothing is filled twice, and nothing is lost.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ZERO, toDecimal, type Decimal } from '../../../src/domain/decimal.ts'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'

const { cli, write, folder } = cliFolder()

/** More of them find rarer faults: `PAPER_KILLS=100`. */
const KILLS = Number(process.env.PAPER_KILLS ?? 6)

/** Places brackets, resting orders and cancels by its seeded numbers, and says what it starts with. */
const BUSY = `
import { defineStrategy } from 'papertape'
import { interval, map, withLatestFrom } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'busy',
  params: z.object({ every: z.number() }),
  run: ({ params, trades, openOrders, market, bracket, buyMarket, buyLimit, sellLimit, cancel, random, balance }) =>
    interval(params.every).pipe(
      withLatestFrom(trades('A_USD')),
      map(([, { price }]) => {
        const { roundPrice } = market('A_USD')
        const [open, dice] = [openOrders('A_USD'), random()]
        const at = (factor) => roundPrice(price.times(factor))
        if (dice < 0.3) return bracket(buyMarket('A_USD', 1), { stop: at('0.9996'), target: at('1.0004') })
        if (dice < 0.5) return buyLimit('A_USD', at('0.9997'), 1)
        if (dice < 0.6 && balance('A').available.gt(2)) return sellLimit('A_USD', at('1.0003'), 1)
        return open.length > 4 ? cancel(open[0]) : []
      }),
    ),
})
`

const OWNERS = ['one', 'two', 'rest'] as const

const tapeRows = (): string => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= 40_000; number += 1) {
    const price = (100 + ((number * 7) % 13) / 100).toFixed(2)
    rows.push(`${number},${1_700_000_000_000 + 200 * number},${price},5.00,${number % 2 === 0}`)
  }
  return `${rows.join('\n')}\n`
}

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({ replay: [{ file: write(tapeRows(), 'source.csv'), symbol: 'A_USD' }], speed: 10 })
  write(BUSY, 'busy.js')
  const strategies = [
    { use: './busy.js', name: 'one', params: { every: 60 }, capital: { share: 0.5 }, limits: { position: '1500' } },
    { use: './busy.js', name: 'two', params: { every: 110 }, capital: { amount: '2000' } },
    { use: './busy.js', name: 'rest', params: { every: 170 }, capital: { amount: '1000' } },
  ]
  const paper = {
    url: emulator.baseUrl,
    state: 'state',
    takerFee: '7',
    makerFee: '3',
    orderLatency: 20,
    limits: false,
  }
  write(JSON.stringify({ strategies, paper }), 'papertape.config.json')
  await vi.waitUntil(async () => (await fetch(`${emulator.baseUrl}/markets/A_USD/trades`)).ok, { timeout: 60_000 })
})

afterAll(async () => {
  await emulator.close()
})

interface Started {
  readonly child: ChildProcess
  /** Output, and how it ended. */
  readonly ended: Promise<{ readonly said: string; readonly code: number | null }>
}

/** Starts a session; resolves when its strategies run. */
async function started(out: string): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [BIN, 'paper', '--out', out, '--json'], { cwd: folder, env: { PATH, HOME } })
  let said = ''
  child.stderr.on('data', (data) => void (said += String(data)))
  child.stdout.on('data', (data) => void (said += String(data)))
  const ended = once(child, 'close').then(([code]) => ({ said, code: code as number | null }))
  await vi.waitUntil(() => said.split('"type":"started"').length === 4 || child.exitCode !== null, { timeout: 60_000 })
  if (child.exitCode !== null) throw new Error(said)
  return { child, ended }
}

/** Ends it by a signal. @throws if it ended before */
async function endedBy({ child, ended }: Started, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  const { code, said } = await ended
  if (code !== (signal === 'SIGKILL' ? null : 0)) throw new Error(`ended with ${code}: ${said}`)
}

const rowsOf = (path: string): readonly string[][] =>
  readFileSync(path, 'utf8').split('\n').slice(1, -1).map((line) => line.split(',')) // prettier-ignore

interface Books {
  readonly keys: string[]
  cash: Decimal
  held: Decimal
}

/** The fills of a strategy in the files of all sessions. */
function booksOf(owner: string, outs: readonly string[]): Books {
  const books: Books = { keys: [], cash: ZERO, held: ZERO }
  for (const out of outs) {
    for (const row of rowsOf(join(folder, out, owner, 'fills.csv'))) {
      const [tradeId = '', , , side = '', price = '', qty = '', orderId = '', , fee = ''] = row
      books.keys.push(`${tradeId} ${orderId}`)
      const sign = side === 'BUY' ? 1 : -1
      books.cash = books.cash.minus(toDecimal(price).times(qty).times(sign)).minus(fee)
      books.held = books.held.plus(toDecimal(qty).times(sign))
    }
  }
  return books
}

describe('strategies on paper with a state', () => {
  it(`continue after ${KILLS} kills with exact books, and take commands`, async () => {
    const random = seededRandom(11)
    const outs: string[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const out = `killed-${kill}`
      outs.push(out)
      const session = await started(out)
      await new Promise((resolve) => setTimeout(resolve, 100 + 2_000 * random()))
      await endedBy(session, 'SIGKILL')
    }
    outs.push('last')
    const last = await started('last')
    expect(await cli('paper', 'halt', '--state', 'state')).toMatchObject({
      code: 0,
      stdout: 'all sessions are HALTED\n',
    })
    const status = await cli('paper', 'status', '--state', 'state')
    expect(status.stdout).toMatch(/^process \d+ is trading since .*\n(?:.*\n)*papertape paper {2}http/)
    expectInputError(await cli('paper', '--out', 'second'), /^state: process \d+ is already trading on this state/)
    expect((await cli('paper', 'resume', '--state', 'state')).code).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const flat = await cli('paper', 'flatten', '--state', 'state', '--yes')
    expect(flat).toMatchObject({ code: 0, stderr: '' })
    await endedBy(last, 'SIGINT')
    const capitals = { one: '5000', two: '2000', rest: '1000' }
    for (const owner of OWNERS) {
      const { balances, config } = JSON.parse(readFileSync(join(folder, 'last', owner, 'run.json'), 'utf8'))
      const books = booksOf(owner, outs)
      expect(new Set(books.keys).size).toBe(books.keys.length)
      expect(books.keys.length).toBeGreaterThan(KILLS)
      const held = ({ available, locked }: Record<string, string>): string =>
        toDecimal(available ?? '0').plus(locked ?? '0').toFixed() // prettier-ignore
      expect({ owner, usd: held(balances.USD), a: held(balances.A ?? {}) }).toEqual({
        owner,
        usd: books.cash.plus(capitals[owner]).toFixed(),
        a: '0',
      })
      expect(books.held.toFixed()).toBe('0')
      expect(config.credit).toBeDefined()
    }
    const wallet = JSON.parse(readFileSync(join(folder, 'last', 'portfolio', 'run.json'), 'utf8'))
    expect(wallet).toMatchObject({ audit: { ok: true }, reserve: { USD: { available: '2000' } } })
    expect(readdirSync(join(folder, 'last', 'portfolio'))).toContain('report.html')
  })

  it('begin after a start that failed, and say at once that one of them failed', async () => {
    const asked = (...more: string[]) => cli('paper', '--config', 'fresh.json', '--json', '--for', '2s', ...more)
    write('export default 1', 'none.js')
    const strategies = [
      { use: './busy.js', name: 'one', params: { every: 60 } },
      { use: './throws.js', name: 'bad' },
    ]
    write(
      BUSY.replace(
        'const { roundPrice }',
        "if (random() < 0.5) throw new Error('no more')\n const { roundPrice }",
      ).replace('every: z.number()', 'every: z.number().default(40)'),
      'throws.js',
    )
    const config = { strategies, paper: { url: emulator.baseUrl, state: 'fresh' } }
    write(JSON.stringify({ ...config, strategies: [{ use: './none.js' }] }), 'fresh.json')
    expect((await asked('--out', 'never')).code).toBe(2)
    write(JSON.stringify({ ...config, paper: { ...config.paper, symbol: 'NO_USD' } }), 'fresh.json')
    expect((await asked('--out', 'never')).code).toBe(2)
    write(JSON.stringify(config), 'fresh.json')
    const { code, stdout, stderr } = await asked('--out', 'fresh-run')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(
      /"type":"ended".*"owner":"bad".*"failed: no more; its orders are cancelled, the others go on"/,
    )
    const status = await cli('paper', 'status', '--state', 'fresh')
    expect(status.stdout).toMatch(/no process is trading on .*\n(?:.*\n)*bad +HALTED/)
    expect((await cli('paper', 'resume', '--state', 'fresh')).code).toBe(0)
    const resumed = await cli('paper', 'status', '--state', 'fresh')
    expect(resumed.stdout).toMatch(/^bad +ACTIVE/m)
    expect(resumed.stdout).not.toContain('HALTED')
    expectInputError(
      await cli('live', 'halt', '--state', 'fresh'),
      /^fresh: has the state of paper sessions: use the commands of papertape paper/,
    )
    expectInputError(await cli('paper', 'flatten', '--state', 'fresh', '--yes'), /^flatten: no session is running/)
    // The orders of a strategy that is left out can still fill: flatten cancels them.
    write(JSON.stringify({ ...config, strategies: strategies.slice(1) }), 'fresh.json')
    const left = await asked('--out', 'left-out')
    expect(left.stdout).toMatch(
      /"'one' is not running, and (?:has open orders, which can still fill|keeps its holdings)/,
    )
    expect(left.stdout).toMatch(/"owner":"bad","time":\d+,"message":"continues 1 earlier session with 0 open orders"/)
  })
})
