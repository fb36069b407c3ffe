/**
 * The bounds of a run against runs of their own, with a strategy from a file whose module remembers how often it ran.
 */
import { describe, beforeAll, expect, it } from 'vitest'
import { formatTrimmed } from '../../../src/domain/fixed-point.ts'
import { runBacktest } from '../../../src/runtime/backtest/backtest.ts'
import type { BacktestResult } from '../../../src/runtime/backtest/simulated-run.ts'
import {
  boundsOf,
  liquidityBounds,
  type BoundingRun,
  type BoundsElsewhere,
} from '../../../src/runtime/backtest/liquidity-bounds.ts'
import { backtestBeside } from '../../../src/run/backtest.ts'
import { prepareBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { SETTINGS } from '../rig/run-strategy.ts'

const SYMBOL = 'BTC_USD'
const MODELS = ['through', 'tape', 'touch'] as const
const files = temporaryFiles()

/** Unix milliseconds. */
const START = 1_700_000_000_000
/** Four are bid at 100, then three sellers come to that price and one beyond it. */
const ROWS = [
  '0,100,4,sell',
  '2000,100,3,sell',
  '3000,100,2,sell',
  '4000,100,5,sell',
  '5000,99,1,sell',
  '9000,120,1,buy',
]
const TAPE = ['time,price,qty,side', ...ROWS.map((row) => row.replace(/^[0-9]+/, (ms) => String(START + Number(ms))))]

/** Bids for 5 more each time that the module runs; fails at a fill at `failAt`. */
const STRATEGY = `
import { defineStrategy, buyLimit } from 'papertape'
import { map, merge, of, tap, ignoreElements } from 'rxjs'
import { z } from 'zod'
let runs = 0
export default defineStrategy({
  name: 'remembers',
  params: z.object({ price: z.number().default(100), failAt: z.number().default(0) }),
  run: ({ params, fills$ }) => {
    runs += 1
    const fail = ({ createdAt }) => {
      if (createdAt === params.failAt) throw new Error('as it was reported')
    }
    return merge(of(buyLimit('BTC_USD', params.price, 5 * runs)), fills$.pipe(tap(fail), ignoreElements()))
  },
})
`

let strategy: string
let file: string
beforeAll(() => {
  strategy = files.write(STRATEGY, 'remembers.ts')
  file = files.write(`${TAPE.join('\n')}\n`)
})

async function run(liquidity: string, params: Readonly<Record<string, number>> = {}): Promise<BacktestResult> {
  const tapes = [{ file, symbol: SYMBOL }]
  const settings = { ...SETTINGS, strategy, params, tapes, liquidity }
  return await runBacktest(await prepareBacktest(settings), {
    onLine: () => undefined,
    onOrder: () => undefined,
    onFill: () => undefined,
    onProgress: () => undefined,
    onLog: () => undefined,
  })
}

const boundingRun = ({ figures: { equity, quality } }: BacktestResult): BoundingRun => ({
  finalEquity: formatTrimmed(equity.equity(), equity.scale),
  makerFills: quality.report()[SYMBOL]?.maker.fills ?? 0,
  makerQty: { [SYMBOL]: quality.report()[SYMBOL]?.maker.qty ?? '' },
})

it.each(MODELS)('of a run under %s are what a run of its own comes to under each model', async (liquidity) => {
  const single: [string, BoundingRun][] = []
  for (const model of MODELS) single.push([model, boundingRun(await run(model))])
  expect(new Set(single.map(([, { finalEquity }]) => finalEquity)).size).toBeGreaterThan(1)
  expect(await liquidityBounds(await run(liquidity))).toEqual(Object.fromEntries(single))
})

it.each`
  reference         | hasBook  | expected                                  | why
  ${'tape'}         | ${false} | ${['through', 'tape', 'touch']}           | ${'what is ahead is not known'}
  ${'ideal'}        | ${false} | ${['through', 'tape', 'touch']}           | ${'whatever the model'}
  ${'book'}         | ${false} | ${['through', 'tape', 'touch']}           | ${'a model of books is that of trades without one'}
  ${'tape'}         | ${true}  | ${['through', 'tape', 'touch']}           | ${'the model does not follow the book'}
  ${'./own.ts'}     | ${true}  | ${['through', 'tape', 'touch']}           | ${'nor is it known of one of the user’s own'}
  ${'book'}         | ${true}  | ${['book', 'book-prorata']}               | ${'who cancels is not known'}
  ${'book-prorata'} | ${true}  | ${['book', 'book-prorata']}               | ${'nor from the other end'}
  ${'book-power'}   | ${true}  | ${['book', 'book-power', 'book-prorata']} | ${'one between them that was run'}
`(
  'of a run under $reference, with a book: $hasBook, are by $expected: $why',
  ({ reference, hasBook, expected }: { reference: string; hasBook: boolean; expected: readonly string[] }) => {
    expect(boundsOf(reference, hasBook)).toEqual(expected)
  },
)

it('bound the quantity that resting orders got', async () => {
  const bounds = await liquidityBounds(await run('tape'))
  const [through = 0, tape = 0, touch = 0] = MODELS.map((name) => Number(bounds?.[name]?.makerQty[SYMBOL]))
  expect(through).toBeGreaterThan(0)
  expect(through).toBeLessThanOrEqual(tape)
  expect(tape).toBeLessThanOrEqual(touch)
  expect(through).toBeLessThan(touch)
})

it('are null under a model under which the strategy fails', async () => {
  expect(await liquidityBounds(await run('through', { failAt: START + 2_000 }))).toMatchObject({ touch: null })
})

it('there are none when no resting order was filled', async () => {
  expect(await liquidityBounds(await run('tape', { price: 90 }))).toBeUndefined()
})

it('there are none of a run that failed', async () => {
  const result = await run('touch', { failAt: START + 2_000 })
  expect(result.figures.quality.makerFills).toBeGreaterThan(0)
  expect(await liquidityBounds(result)).toBeUndefined()
})

it('leave the result of the run as it was', async () => {
  const result = await run('tape')
  const { digest } = result
  await liquidityBounds(result)
  expect(result.digest).toBe(digest)
  expect(result.digest).toBe((await run('tape')).digest)
})

describe('beside another thread', () => {
  const here = async <T>(action: () => Promise<T>): Promise<T> => action()

  it('each run is done once, and those that are not reported from there are done here', async () => {
    const result = await run('tape')
    const alone = await liquidityBounds(result)
    for (const reported of [0, 1, 2]) {
      const asked: string[] = []
      const elsewhere: BoundsElsewhere = {
        run: (_, name) => Promise.resolve(asked.push(name) > reported ? undefined : (alone?.[name] ?? null)),
        quietly: here,
      }
      expect(await liquidityBounds(result, undefined, elsewhere)).toEqual(alone)
      expect(new Set(asked).size).toBe(asked.length)
    }
  })

  it('the first begins at the first fill of a resting order, and is not asked for again', async () => {
    const heard: string[] = []
    const elsewhere: BoundsElsewhere = {
      run: ({ liquidity: { reference } }, name) => Promise.resolve(void heard.push(`${reference}: ${name}`)),
      quietly: here,
    }
    const fills = { onFill: () => void heard.push('fill') }
    const bounds = async (more: Partial<Parameters<typeof backtestBeside>[0]> = {}) =>
      await backtestBeside({ strategy, tapes: { [SYMBOL]: file }, ...more }, elsewhere, fills)
    const { liquidityBounds: found, fills: own } = await bounds()
    expect([heard[0], heard[1], heard.length]).toEqual(['fill', 'tape: through', own.length + 1])
    expect(found).toEqual(await liquidityBounds(await run('tape')))

    heard.length = 0
    const { liquidityBounds: none } = await bounds({ params: { failAt: own[0]?.createdAt } })
    expect([heard, none]).toEqual([['fill', 'tape: through'], null])

    heard.length = 0
    await bounds({ params: { price: 90 } })
    await bounds({ bounds: false })
    expect(heard.filter((each) => each !== 'fill')).toEqual([])
  })
})
