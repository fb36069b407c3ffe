/**
 * The laws of a fork: one that changes nothing is the same run to the byte, and any other is the same until its moment.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { backtest, fork, verify, type BacktestOptions, type ForkChange } from '../../src/run.ts'
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

const CANDLES = [
  'time,open,high,low,close,volume',
  ...Array.from({ length: Math.floor(SPAN_MS / 60_000) }, (_, row) => {
    const priceAt = (at: number): number => 100 + 3 * Math.sin(at / 5) + ((at * 7919) % 13) / 20
    const [open, close] = [priceAt(row), priceAt(row + 1)]
    const prices = [open, Math.max(open, close) + 0.2, Math.min(open, close) - 0.2, close]
    return [1_700_000_040_000 + row * 60_000, ...prices.map((price) => price.toFixed(2)), 40].join(',')
  }),
  '',
].join('\n')

/** A level a side, as a whole book every few seconds. */
const BOOK = [
  'time,side,price,qty,snapshot',
  ...Array.from({ length: ROWS }, (_, row) =>
    [-0.1, 0.1].map((away) => {
      const [side, price] = [away < 0 ? 'bid' : 'ask', 100 + 3 * Math.sin(row / 40) + away]
      return `${START + row * STEP_MS + 1},${side},${price.toFixed(2)},${(row % 5) + 1},true`
    }),
  ).flat(),
  '',
].join('\n')

const SAME_AS_TAPE = `import { TapeLiquidity, TradeEstimates } from 'papertape/liquidity'
  export default ({ spread, terms }) => new TapeLiquidity(new TradeEstimates(spread), terms)`

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

const NAMES = ['sma-cross', 'quotes', 'on-book', 'on-candles'] as const
type Name = (typeof NAMES)[number]
const OF_SMA = { fast: 3, slow: 8, fraction: 1 }

/** Terms of each run, and of a fork that has the same. */
const FEES = { makerBps: '5', takerBps: '10' }
const RISK = { maxOrder: '1000', drawdownPercent: '0.04' }
const TERMS: Record<Name, Pick<BacktestOptions, 'fees' | 'risk'>> = {
  'sma-cross': {},
  quotes: { fees: FEES, risk: RISK },
  'on-book': { fees: FEES },
  'on-candles': { fees: FEES, risk: { maxPosition: '5000' } },
}
const SAME: Record<Name, () => ForkChange> = {
  'sma-cross': () => ({ params: OF_SMA, liquidity: join(folder, 'same.js'), risk: { dayLoss: 'off' } }),
  quotes: () => ({ fees: { makerBps: '5.00', takerBps: '10' }, liquidity: join(folder, 'same.js'), risk: RISK }),
  'on-book': () => ({ fees: FEES, liquidity: 'book' }),
  'on-candles': () => ({ fees: FEES, liquidity: 'tape', risk: { maxPosition: '5000.0', maxOrder: 'off' } }),
}

const runOf = (name: Name): string => join(folder, `run-of-${name}`)
const paramsOf = (name: Name, other = false): ForkChange['params'] =>
  name === 'sma-cross' ? { ...OF_SMA, ...(other && { fast: 5 }) } : { offset: other ? 0.05 : 0.2 }

const optionsOf = (name: Name): BacktestOptions => ({
  strategy: name === 'sma-cross' ? name : join(folder, 'quotes.js'),
  params: paramsOf(name) ?? {},
  tapes: { A_USD: join(folder, name === 'on-candles' ? 'candles.csv' : 'tape.csv') },
  ...(name === 'on-book' && { books: { A_USD: join(folder, 'book.csv') } }),
  bounds: false,
  ...TERMS[name],
})

beforeAll(async () => {
  write(TAPE, 'tape.csv')
  write(BOOK, 'book.csv')
  write(CANDLES, 'candles.csv')
  write(QUOTES, 'quotes.js')
  write(SAME_AS_TAPE, 'same.js')
  for (const name of NAMES) await backtest({ ...optionsOf(name), out: runOf(name) })
})

const ordersOf = (name: Name): readonly string[] =>
  readFileSync(join(runOf(name), 'orders.csv'), 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '')
    .filter((id) => /^\d+$/.test(id))

const digestOf = (directory: string): string =>
  JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')).digest as string

const textOf = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8')

const names = fc.constantFrom<Name>(...NAMES)
const moments = fc.integer({ min: START, max: START + SPAN_MS - STEP_MS })
const out = join(folder, 'fork')

it('a fork that changes nothing is the same run to the byte', async () => {
  const law = fc.asyncProperty(names, moments, fc.boolean(), async (name, at, hasTerms) => {
    // The same parameters: the strategy is handed over all the same. The state of the later one is not journaled.
    const { isSame } = await fork({ run: runOf(name), at, ...(hasTerms && SAME[name]()), out, force: true })
    expect(isSame).toBe(true)
    expect(digestOf(out)).toBe(digestOf(runOf(name)))
  })
  await fc.assert(law, { numRuns: runs(60), seed: PROPERTY_SEED })
}, 300_000)

const rates = fc.constantFrom('0', '1', '7.25', '40', '2500')

const otherTerms: fc.Arbitrary<ForkChange & Pick<BacktestOptions, 'fees' | 'risk'>> = fc.oneof(
  fc.record({ fees: fc.record({ makerBps: rates, takerBps: rates }, { requiredKeys: [] }) }),
  fc.record({ liquidity: fc.constantFrom('tape', 'touch', 'through', 'ideal') }),
  fc.record({
    risk: fc.record(
      {
        maxOrder: fc.constantFrom('99.50', '150'),
        maxPosition: fc.constantFrom('250', '1500'),
        collarPercent: fc.constantFrom('0.01', '3'),
        ordersPerMinute: fc.constantFrom(1, 2),
        dayLoss: fc.constantFrom('0.50', '8'),
        drawdownPercent: fc.constantFrom('0.01', '0.10'),
      },
      { requiredKeys: [] },
    ),
  }),
)

it('a fork from the start trades as a run with its terms', async () => {
  const plain = join(folder, 'plain')
  const law = fc.asyncProperty(names, otherTerms, async (name, { fees, liquidity, risk }) => {
    const terms = { fees: { ...TERMS[name].fees, ...fees }, liquidity, risk: { ...TERMS[name].risk, ...risk } }
    await backtest({ ...optionsOf(name), ...terms, out: plain, force: true })
    const { report } = await fork({ run: runOf(name), at: START, fees, liquidity, risk, out, force: true })
    expect(report.audit.ok).toBe(true)
    for (const file of ['orders.csv', 'fills.csv']) expect(textOf(out, file)).toBe(textOf(plain, file))
  })
  await fc.assert(law, { numRuns: runs(40), seed: PROPERTY_SEED })
}, 300_000)

it('any fork is the same until its moment, and repeats', async () => {
  const changes: fc.Arbitrary<(name: Name) => ForkChange> = fc.oneof(
    fc.constant((name: Name) => ({ params: paramsOf(name, true) })),
    fc.constant((name: Name) => ({ params: paramsOf(name, true), restart: true })),
    otherTerms.map((terms) => () => terms),
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
