/** `papertape twin` of sessions on paper, on the trades of an emulator that replays a tape. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { livings } from '../rig/living.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { eventually } from '../live/rig/patience.ts'
import { strategySource } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()
const start = livings()

/** @param everyMs  milliseconds between two trades */
const tapeRows = (everyMs: number): string => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= 20_000; number += 1) {
    const price = (100 + 2 * Math.sin(number / 40)).toFixed(2)
    rows.push(`${number},${1_700_000_000_000 + everyMs * number},${price},5.00,${number % 3 === 0}`)
  }
  return `${rows.join('\n')}\n`
}

/** Buys and sells in turn, at every tenth trade. */
const FLIPPING = strategySource({
  run:
    'let count = 0; return trades(params.symbol).pipe(concatMap(() => (count += 1) % 10 !== 0 ? [] : ' +
    "count % 20 === 10 ? [buyMarket(params.symbol, '1')] : [sellMarket(params.symbol, '1')]))",
})

/** Buys one in a few trades and sells one in twice as many, and counts in its state. */
const COUNTING = strategySource({
  name: 'counting',
  params: 'every: z.int().default(10)',
  run:
    "if (params.every === 2 && existsSync('broken')) throw new Error('no second start');" +
    'const memory = state(z.object({ count: z.int().default(0) }));' +
    'return trades(params.symbol).pipe(concatMap(() => {' +
    'const count = memory.value.count + 1; memory.set({ count });' +
    "return count % params.every !== 0 ? [] : count % (2 * params.every) === 0 ? [sellMarket(params.symbol, '1')] " +
    ": [buyMarket(params.symbol, '1')] }))",
})

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({ replay: [{ file: write(tapeRows(50), 'source.csv'), symbol: 'A_USD' }] })
  write(FLIPPING, 'flipping.js')
})

afterAll(async () => {
  await emulator.close()
})

const paper = (...args: string[]) => cli('paper', ...args, '--url', emulator.baseUrl, '--for', '4s', '--quiet')
const text = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

const requests = (run: string): unknown => text(run, 'journal.jsonl').match(/"t":\d+,"type":"place".*/g)

describe('papertape twin', () => {
  it('of a session without trouble explains everything, which is nothing but ties of a millisecond', async () => {
    // One trade comes before an order arrives, and none together with it.
    expect(await paper('flipping.js', '--out', 'run', '--order-latency', '70')).toMatchObject({ code: 0 })
    expect(text('run', 'fills.csv').split('\n').length).toBeGreaterThan(3)
    const { code, stdout, stderr } = await cli('twin', 'run', '--out', 'run-twin')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^sample: the session made (?:what|0\.\d+ USD (?:more|less) than) its twin/)
    expect(stdout).not.toMatch(/unexplained|nondeterminism|rejected|operator/)
    expect(requests('run-twin')).toEqual(requests('run'))
    expect(text('run-twin.html')).toContain('<!doctype html>')
    expectInputError(
      await cli('verify', 'run-twin'),
      /^run-twin\/run\.json: is the twin of a session: run papertape twin/,
    )
  })

  it('explains other fees and latencies of the twin, to the last digit', async () => {
    const { code, stdout } = await cli('twin', 'run', '--json', '--taker-fee', '7')
    expect(code).toBe(0)
    const { strategies, totals } = JSON.parse(stdout)
    const [{ gap, parts }] = strategies
    expect(Number(parts.fees)).toBeGreaterThan(0.2)
    expect(parts).toMatchObject({ refusals: '0', operator: '0', unexplained: '0' })
    expect(totals).toEqual([{ quoteAsset: 'USD', gap, parts }])
    const faster = await cli('twin', 'run', '--order-latency', '0')
    expect(faster.stdout).toMatch(/^latency +[+-]/m)
    expect(faster.stdout).not.toContain('unexplained')
  })

  it('refuses a session whose strategy has changed, or that has no received trades', async () => {
    appendFileSync(join(folder, 'flipping.js'), '// changed\n')
    expectInputError(await cli('twin', 'run'), /flipping\.js: has changed: expected sha256 /)
    expect(await paper('flipping.js', '--out', 'bare', '--no-received')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'bare', 'received.csv'))).toBe(false)
    expectInputError(await cli('twin', 'bare'), /^bare\/run\.json: has no received\.csv, the trades as they arrived/)
    expectInputError(
      await cli('twin', 'none'),
      /^none\/run\.json: no such file; expected a directory written by live or/,
    )
    expectInputError(await cli('twin', 'run', '--out', 'run'), /^--out: is the session itself: name another directory/)
  })

  it('repeats what an operator did', async () => {
    write(`import { existsSync } from 'node:fs'\n${COUNTING}`, 'counting.js')
    const state = ['--state', 'state']
    // Trades are so far apart that no order arrives after the next one, also if the machine is busy.
    await using slow = await startEmulator({ replay: [{ file: write(tapeRows(400), 'slow.csv'), symbol: 'A_USD' }] })
    const args = ['--url', slow.baseUrl, '--order-latency', '20', '--out', 'led', ...state]
    const session = start(['counting.js', ...args], { cwd: folder, env: {} }, 'paper')
    const operator = (...words: string[]): Promise<true> =>
      eventually(async () => (await cli('paper', ...words, ...state)).code === 0, () => words.join(' ')) // prettier-ignore
    await eventually(() => existsSync(join(folder, 'led', 'received.csv')), () => 'no session') // prettier-ignore
    await operator('set', 'every=2')
    await operator('halt')
    await operator('resume')
    await operator('flatten', '--yes')
    await operator('resume')
    await setTimeout(6_000)
    expect(await session.stop()).toBe(0)
    const { states, paramChanges } = JSON.parse(text('led', 'run.json'))
    expect(states.map(({ state: now, why }: { state: string; why: string }) => `${now} ${why}`)).toEqual([
      'HALTED by an operator',
      'ACTIVE by an operator',
      'HALTED by an operator: flatten',
      'ACTIVE by an operator',
    ])
    expect(paramChanges).toEqual([{ time: expect.any(Number), changed: { every: 2 } }])

    const { code, stdout } = await cli('twin', 'led', '--with-operator', '--out', 'led-twin')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^counting: the session made what its twin made/)
    // The head has the time of the first trade, not that of the start. Lines of one millisecond have no fixed order.
    const events = (run: string): readonly string[] => text(run, 'journal.jsonl').split('\n').slice(2).sort()
    expect(events('led').length).toBeGreaterThan(25)
    expect(events('led-twin')).toEqual(events('led'))

    write('', 'broken')
    const failed = await cli('twin', 'led', '--with-operator')
    expect(failed.code).toBe(0)
    expect(failed.stderr).toMatch(/The strategy of the twin failed at .*: no second start/)
  })

  it('runs the strategies of one session, and adds them up', async () => {
    write(FLIPPING.replace('% 10 !==', '% 8 !==').replace('% 20 === 10', '% 16 === 8'), 'other.js')
    expect(await paper('flipping.js', 'other.js', '--out', 'both')).toMatchObject({ code: 0 })
    const { code, stdout } = await cli('twin', 'both', '--json')
    expect(code).toBe(0)
    const { strategies, totals } = JSON.parse(stdout)
    expect(strategies).toHaveLength(2)
    const sumOf = ({ parts }: { readonly parts: Readonly<Record<string, string>> }): number =>
      Object.values(parts).reduce((sum, part) => sum + Number(part), 0)
    expect(sumOf(strategies[0]) + sumOf(strategies[1])).toBeCloseTo(Number(totals[0].gap), 9)
  })
})
