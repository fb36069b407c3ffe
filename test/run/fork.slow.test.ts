/**
 * The laws of a fork: one that changes nothing is the same run to the byte, and any other is the same until its moment.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { backtest, fork, verify, type ForkChange } from '../../src/run.ts'
import { PROPERTY_SEED, runs } from '../property/property.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000
const STEP_MS = 7_000
const ROWS = 800
const SPAN_MS = ROWS * STEP_MS

const TAPE = [
  'time,price,qty',
  ...Array.from({ length: ROWS }, (_, row) => {
    const price = 100 + 3 * Math.sin(row / 40) + ((row * 7919) % 13) / 20
    return `${START + row * STEP_MS},${price.toFixed(2)},2.5`
  }),
  '',
].join('\n')

/** Rests, cancels, draws by chance, and writes plots, notes and a state. */
const QUOTES = `import { buyLimit, cancelAll, defineStrategy, sellLimit } from 'papertape'
  import { map } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'quotes',
    params: z.object({ symbol: z.string(), offset: z.number().default(0.2) }),
    run: ({ params: { symbol, offset }, candles, balance, random, plot, note, state }) => {
      const memory = state(z.object({ count: z.int().default(0) }))
      return candles(symbol, '1m').pipe(map(({ close }) => {
        plot('close', close)
        memory.set({ count: memory.value.count + 1 })
        if (memory.value.count % 10 === 0) note('ten more')
        const far = close.times(1 + offset * random() / 100)
        const held = balance('A').available
        return [cancelAll(symbol), buyLimit(symbol, close.times(2).minus(far), '1'), ...(held.gt(1) ? [sellLimit(symbol, far, '1')] : [])]
      }))
    },
  })`

const STRATEGIES = { 'sma-cross': { fast: 3, slow: 8 }, quotes: { offset: 0.2 } } as const
type Name = keyof typeof STRATEGIES

const runOf = (name: Name): string => join(folder, `run-of-${name}`)
const OTHER: Record<Name, ForkChange['params']> = { 'sma-cross': { fast: 5 }, quotes: { offset: 0.05 } }

beforeAll(async () => {
  const file = write(TAPE)
  const quotes = write(QUOTES, 'quotes.js')
  for (const name of ['sma-cross', 'quotes'] as const) {
    const strategy = name === 'quotes' ? quotes : name
    await backtest({ strategy, params: STRATEGIES[name], tapes: { A_USD: file }, out: runOf(name), bounds: false })
  }
})

const ordersOf = (name: Name): readonly string[] =>
  readFileSync(join(runOf(name), 'orders.csv'), 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '')
    .filter((id) => /^\d+$/.test(id))

const digestOf = (directory: string): string =>
  JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')).digest as string

const names = fc.constantFrom<Name>('sma-cross', 'quotes')
const moments = fc.integer({ min: START, max: START + SPAN_MS - STEP_MS })
const out = join(folder, 'fork')

it('a fork that changes nothing is the same run to the byte', async () => {
  const law = fc.asyncProperty(names, moments, fc.boolean(), async (name, at, hasParams) => {
    // The same parameters: the strategy is handed over all the same. The state of the later one is not journaled.
    const isHandedOver = hasParams && name === 'sma-cross'
    const params = isHandedOver ? STRATEGIES[name] : undefined
    const { isSame } = await fork({ run: runOf(name), at, params, out, force: true })
    expect(isSame).toBe(true)
    expect(digestOf(out)).toBe(digestOf(runOf(name)))
  })
  await fc.assert(law, { numRuns: runs(60), seed: PROPERTY_SEED })
}, 300_000)

it('any fork is the same until its moment, and repeats', async () => {
  const changes: fc.Arbitrary<(name: Name) => ForkChange> = fc.oneof(
    fc.constant((name: Name) => ({ params: OTHER[name] })),
    fc.constant((name: Name) => ({ params: OTHER[name], restart: true })),
    fc.constant(() => ({ strategy: 'rsi-reversion', restart: true })),
    fc.constant(() => ({ orderLatency: 3_000, responseLatency: 500 })),
    fc.constant(() => ({ add: { type: 'market', symbol: 'A_USD', side: 'BUY', qty: '0.5' } as const })),
    fc.nat({ max: 1_000 }).map((index) => (name: Name) => {
      const orders = ordersOf(name)
      return { without: orders[index % orders.length] }
    }),
  )
  const law = fc.asyncProperty(names, moments, changes, async (name, moment, changeOf) => {
    const change = changeOf(name)
    const at = change.without === undefined ? moment : undefined
    const { report, sameLines } = await fork({ run: runOf(name), at, ...change, out, force: true })
    const [before, now] = [runOf(name), out].map((path) =>
      readFileSync(join(path, 'journal.jsonl'), 'utf8').split('\n'),
    )
    expect(now?.slice(0, sameLines)).toEqual(before?.slice(0, sameLines))
    const next = /^\{"t":(\d+)/.exec(before?.[sameLines] ?? '')?.[1]
    expect(Number(next)).toBeGreaterThanOrEqual(report.fork?.at ?? Number.NaN)
    expect(report.audit.ok).toBe(true)
    expect(await verify(out)).toMatchObject({ difference: undefined })
  })
  await fc.assert(law, { numRuns: runs(40), seed: PROPERTY_SEED })
}, 300_000)
