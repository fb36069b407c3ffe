/**
 * Two whole backtests of which one has a setting changed: the comparison of their directories names it.
 */
import { map, take } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../src/domain/time.ts'
import { runDifference, type RunDifference } from '../../src/report/run-difference/run-difference.ts'
import { backtest, type BacktestOptions } from '../../src/run.ts'
import { readComparedRun } from '../../src/run/compared-run-files.ts'
import { generatedMarket, generatedTrades } from '../../src/simulation/agents/generated-tape.ts'
import { writeTape } from '../../src/store/tapes/tape-writer.ts'
import { buyLimit } from '../../src/strategy/orders.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const FROM = Date.UTC(2024, 0, 1)

const tapeOf = (seed: number): string => join(folder, `tape-${seed}.csv`)

const OPTIONS = {
  strategy: 'market-maker',
  tapes: { A_USD: tapeOf(1) },
  limits: false,
  bounds: false,
} as const satisfies BacktestOptions

/** Bids at the last price of a quantity by chance. */
const chance = defineStrategy({
  name: 'chance',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, random }) =>
    trades(symbol).pipe(
      take(20),
      map(({ price }) => buyLimit(symbol, price, (0.01 + random() / 100).toFixed(4))),
    ),
})

let runs = 0

/** Directory, and what the run itself counted. */
async function run(more: Partial<BacktestOptions>): Promise<{ directory: string; orders: number; fills: number }> {
  runs += 1
  const directory = join(folder, `run-${runs}`)
  const { orders, fills } = await backtest({ ...OPTIONS, ...more, out: directory })
  return { directory, orders: orders.length, fills: fills.length }
}

const between = (a: string, b: string): RunDifference =>
  runDifference({ a: readComparedRun(a), b: readComparedRun(b) }, true)

/** The run with nothing changed. */
let base: Awaited<ReturnType<typeof run>>

beforeAll(async () => {
  const market = generatedMarket('symbol', 'A_USD')
  for (const seed of [1, 2]) {
    await writeTape(tapeOf(seed), market, generatedTrades({ market, from: FROM, to: FROM + DAY_MS, seed }))
  }
  base = await run({})
})

describe('two backtests, of which one has another', () => {
  it.each<readonly [string, Partial<BacktestOptions>, string, readonly string[]]>([
    ['latency of orders', { latency: { orderMs: 4_000 } }, 'latency', ['orderLatencyMs']],
    ['latency of answers', { latency: { responseMs: 900 } }, 'latency', ['responseLatencyMs']],
    ['latency of the feed', { latency: { feedMs: 3_000 } }, 'market-data', ['feedLatencyMs']],
    ['tape', { tapes: { A_USD: tapeOf(2) } }, 'market-data', ['tape.A_USD.sha256']],
    ['fee', { fees: { makerBps: '20' } }, 'settings', ['makerFeeBps']],
    ['liquidity model', { liquidity: 'touch' }, 'settings', ['liquidity']],
    ['credit', { credits: { USD: '5000' } }, 'settings', ['credit.USD']],
    ['parameter', { params: { size: 0.1 } }, 'settings', ['params.size']],
    ['limit of the risk', { risk: { maxOrder: '100' } }, 'settings', ['maxOrder']],
  ])('%s', async (_, changed, kind, settings) => {
    const [a, b] = [base, await run(changed)]
    const { cause, isSame, totals, ...difference } = between(a.directory, b.directory)
    expect({ isSame, kind: cause?.kind }).toEqual({ isSame: false, kind })
    expect(cause?.settings).toEqual(expect.arrayContaining([...settings]))
    expect(difference.settings.map(({ setting }) => setting)).toEqual(expect.arrayContaining([...settings]))
    for (const [total, counted] of [
      [totals.a, a],
      [totals.b, b],
    ] as const) {
      expect([total.orders, total.fills]).toEqual([counted.orders, counted.fills])
    }
  })

  it('seed', async () => {
    const [a, b] = [await run({ strategy: chance, seed: 1 }), await run({ strategy: chance, seed: 2 })]
    expect(between(a.directory, b.directory).cause).toEqual({ kind: 'settings', told: null, settings: ['seed'] })
  })
})

it('an unchanged run is compared without checks of its journal, with the same result', async () => {
  const [a, b] = [base.directory, (await run({ latency: { orderMs: 4_000 } })).directory]
  const unchecked = between(a, b)
  // It is another file with the same content, so that the lines are checked.
  for (const directory of [a, b]) appendFileSync(join(directory, 'run.json'), '\n')
  const checked = between(a, b)
  const runs = unchecked.runs
  expect(checked).toEqual({
    ...unchecked,
    runs: { a: { ...runs.a, changed: ['run.json'] }, b: { ...runs.b, changed: ['run.json'] } },
  })
  expect([checked.partingCount, checked.totals.b.orders > 10]).toEqual([1, true])
  for (const directory of [a, b]) {
    const path = join(directory, 'run.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -1))
  }
})

it('two backtests of the same settings are the same', async () => {
  const [a, b] = [base, await run({})]
  expect(between(a.directory, b.directory)).toMatchObject({ isSame: true, cause: null, settings: [], partings: [] })
  expect(a.orders).toBeGreaterThan(10)
})
