/**
 * The statistics of whole runs, worked out by hand: from the tape to `run.json`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filter, map, NEVER, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  buyLimit,
  buyMarket,
  defineStrategy,
  sellMarket,
  type Intent,
  type MarketTrade,
  type Strategy,
} from '../../src/index.ts'
import { backtest, verify, type BacktestOptions, type BacktestRun } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2024, 0, 1, 12)

type Row = readonly [time: number, price: number | string]

let tapes = 0
const tapeOf = (rows: readonly Row[]): string => {
  tapes += 1
  const lines = rows.map(([time, price]) => `${time},${price},1000`)
  return write(['time,price,qty', ...lines, ''].join('\n'), `tape-${tapes}.csv`)
}

const idle = defineStrategy({ name: 'idle', params: z.object({}), run: () => NEVER })
/** Without those of our own. */
const recorded = filter(({ isOwn }: MarketTrade) => !isOwn)

/** Does something at each of the first trades. */
const acting = (...acts: readonly (() => Intent | readonly Intent[])[]): Strategy =>
  defineStrategy({
    name: 'acting',
    params: z.object({}),
    run: ({ trades }) =>
      trades('A_USD').pipe(
        recorded,
        take(acts.length),
        map((_, index) => acts[index]?.() ?? []),
      ),
  })

const AT_ONCE = { latency: { orderMs: 0 }, liquidity: 'ideal', limits: false, bounds: false, believe: 'all' } as const

async function run(
  strategy: Strategy,
  rows: readonly Row[],
  more: Partial<BacktestOptions> = {},
): Promise<BacktestRun> {
  const file = tapeOf(rows)
  return await backtest({
    ...AT_ONCE,
    strategy,
    tapes: { A_USD: { file, pricePrecision: 2, qtyPrecision: 2 } },
    ...more,
  })
}

const numbersOf = (run: BacktestRun): readonly number[] =>
  Object.values(run.statistics)
    .flat()
    .filter((value): value is number => typeof value === 'number')

/** Bought at noon of the first day; a trade right at midnight, a day without one, a fall, a part of the way back. */
const FIVE_DAYS: readonly Row[] = [
  [NOON, 100],
  [NOON + 1_000, 100],
  [NOON + 12 * HOUR, 110],
  [NOON + 24 * HOUR, 120],
  [NOON + 2.75 * DAY, 90],
  [NOON + 3.25 * DAY, 99],
]

/** A trade an hour. */
const SOME_HOURS: readonly Row[] = Array.from({ length: 30 }, (_, hour) => [
  NOON + hour * HOUR,
  100 + ((hour * 7) % 11),
])

/** Five days of every seven, some with two trades. */
const SHARE_DAYS: readonly Row[] = Array.from({ length: 28 }, (_, day) => day)
  .filter((day) => day % 7 < 5)
  .flatMap((day): readonly Row[] => [
    [NOON + day * DAY, 100 + ((day * 5) % 7)],
    [NOON + day * DAY + HOUR, 101 + ((day * 3) % 8)],
  ])

describe('a run of a market that is closed on two days of seven', () => {
  it.each([undefined, 252])('has the ratios of its trading days, of which a year has %s', async (periodsPerYear) => {
    const rows = SHARE_DAYS
    const { statistics } = await run(
      acting(() => buyMarket('A_USD', '50')),
      rows,
      { periodsPerYear, riskFreeRate: 0.05 },
    )
    const closes = rows.filter((_, index) => index % 2 === 1).map(([, price]) => 10_000 + 50 * (Number(price) - 100))
    const yearly = periodsPerYear ?? (365 * 20) / 26
    const returns = closes.map((close, day) => close / (closes[day - 1] ?? 10_000) - 1)
    const excess = returns.map((value) => value - 0.05 / yearly)
    const center = excess.reduce((a, b) => a + b) / 20
    const spread = Math.sqrt(excess.reduce((sum, value) => sum + (value - center) ** 2, 0) / 19)
    expect(statistics).toMatchObject({
      periods: 20,
      periodsPerYear: expect.closeTo(yearly, 10) as number,
      volatility: expect.closeTo(spread * Math.sqrt(yearly), 12) as number,
      sharpe: expect.closeTo((center / spread) * Math.sqrt(yearly), 10) as number,
    })
  })
})

describe('a run of some days', () => {
  it('by hand: midnight belongs to the new day, and a day without a trade has no sample', async () => {
    const result = await run(
      acting(() => buyMarket('A_USD', '10')),
      FIVE_DAYS,
    )
    expect(result.fills.map(({ price, createdAt }) => [price, createdAt])).toEqual([['100', NOON]])
    const { statistics } = result
    // At the midnights 10 000 and 10 200, none for the third, and 9 990 at the end: too few for a figure of a year.
    const midnight = NOON + 12 * HOUR
    expect(statistics).toMatchObject({
      return: expect.closeTo(-0.001, 12) as number,
      cagr: null,
      calmar: null,
      volatility: null,
      sharpe: null,
      sortino: null,
      periods: 3,
      periodsPerYear: expect.closeTo((365 * 3) / 4, 12) as number,
      sharpeInterval: null,
      bestReturn: 0.02,
      worstReturn: expect.closeTo(-210 / 10_200, 12) as number,
      positiveReturns: 1 / 3,
      omega: expect.closeTo(0.02 / (210 / 10_200), 12) as number,
      maxDrawdown: expect.closeTo(300 / 10_200, 12) as number,
      maxDrawdownFrom: NOON + 24 * HOUR,
      maxDrawdownTo: NOON + 2.75 * DAY,
      maxDrawdownRecoveredAt: null,
      averageDrawdown: expect.closeTo(210 / 10_200, 12) as number,
      longestDrawdownMs: NOON + 3.25 * DAY - (midnight + DAY),
      timeUnderWater: 1 / 3,
      valueAtRisk: null,
      beta: null,
      buyAndHoldReturn: expect.closeTo(-0.01, 12) as number,
      profit: { price: '-10', spread: '0', fees: '0' },
      makerShare: 0,
      turnover: expect.closeTo(1_000 / ((10_000 + 10_000 + 10_200 + 9_990) / 4), 12) as number,
    })
  })

  it('says on the screen what is too short, and nothing that is not finite', async () => {
    const result = await run(
      acting(() => buyMarket('A_USD', '10')),
      FIVE_DAYS,
    )
    expect(numbersOf(result).every(Number.isFinite)).toBe(true)
  })

  it('of another period is the same run', async () => {
    const strategy = acting(() => buyMarket('A_USD', '10'))
    const daily = await run(strategy, FIVE_DAYS)
    const hourly = await run(strategy, FIVE_DAYS, { statsPeriod: '1h', riskFreeRate: 0.02, periodsPerYear: 252 })
    expect(hourly.digest).toBe(daily.digest)
    expect(hourly.report.config).toMatchObject({ statsPeriod: '1h', riskFreeRate: 0.02, periodsPerYear: 252 })
    // Of five hours with a trade the mark rose in three.
    expect(hourly.statistics).toMatchObject({ periods: 5, positiveReturns: 3 / 5, sharpe: null, sharpeInterval: null })
    expect(hourly.statistics.maxDrawdown).toBe(daily.statistics.maxDrawdown)
  })

  it('has the same intervals for the same seed, and others for another', async () => {
    const strategy = acting(() => buyMarket('A_USD', '10'))
    const hourly = { statsPeriod: '1h' } as const
    const [one, again, other] = await Promise.all([
      run(strategy, SOME_HOURS, hourly),
      run(strategy, SOME_HOURS, hourly),
      run(strategy, SOME_HOURS, { ...hourly, seed: 2 }),
    ])
    expect(one.statistics.sharpeInterval).not.toBeNull()
    expect(again.statistics).toEqual(one.statistics)
    expect(other.statistics.sharpeInterval).not.toEqual(one.statistics.sharpeInterval)
    expect({ ...other.statistics, sharpeInterval: 0, meanReturnInterval: 0 }).toEqual({
      ...one.statistics,
      sharpeInterval: 0,
      meanReturnInterval: 0,
    })
  })
})

describe('a run at the edge', () => {
  it.each<[string, readonly Row[]]>([
    ['of one row', [[NOON, 100]]],
    ['of one row at midnight', [[NOON + 12 * HOUR, 100]]],
    ['of two rows at one moment', [[NOON, 100], [NOON, 50]]], // prettier-ignore
    ['from midnight to midnight', [[NOON + 12 * HOUR, 100], [NOON + 36 * HOUR, 50]]], // prettier-ignore
  ])('%s has finite numbers, and nothing of what too little was seen', async (_, rows) => {
    const result = await run(idle, rows)
    expect(numbersOf(result).every(Number.isFinite)).toBe(true)
    const { sharpe, volatility, winRate, profit, makerShare, bestReturn } = result.statistics
    expect([sharpe, volatility, winRate, makerShare]).toEqual([null, null, null, null])
    expect(profit).toEqual({ price: '0', spread: '0', fees: '0' })
    expect(bestReturn).toBe(0)
  })

  it('that held what never had a price has no figures of returns, and says why', async () => {
    const other = tapeOf([[NOON + 3 * DAY, 7]])
    const file = tapeOf(FIVE_DAYS)
    const result = await backtest({
      ...AT_ONCE,
      strategy: idle,
      tapes: { A_USD: file, B_USD: other },
      credits: { USD: '100', B: '5' },
    })
    expect(result.partial).toBe(false)
    expect(result.statistics).toMatchObject({ return: 0, volatility: null, timeUnderWater: null, turnover: null })
    expect(result.notices.join()).toContain('A holding had no price at 2024-01-02T00:00:00.000Z')
    expect(result.statistics.profit).toEqual({ price: '0', spread: '0', fees: '0' })
  })

  it('in two quote assets has no profit in parts, and adds up no profits of both', async () => {
    const strategy = defineStrategy({
      name: 'both',
      params: z.object({}),
      run: ({ trades }) =>
        trades('A_USD').pipe(
          recorded,
          take(2),
          map((_, index) =>
            index === 0
              ? [buyMarket('A_USD', '1'), buyMarket('A_EUR', '1')]
              : [sellMarket('A_USD', '1'), sellMarket('A_EUR', '1')],
          ),
        ),
    })
    const usd = { file: tapeOf([[NOON + 1, 100], [NOON + 1_000, 110]]), qtyPrecision: 0 } // prettier-ignore
    const eur = { file: tapeOf([[NOON, 90], [NOON + 999, 80]]), qtyPrecision: 0 } // prettier-ignore
    const credits = { USD: '1000', EUR: '1000' }
    const result = await backtest({ ...AT_ONCE, strategy, tapes: { A_USD: usd, A_EUR: eur }, credits })
    expect(result.statistics).toMatchObject({ roundTrips: 2, winRate: 0.5, profit: null, profitFactor: null })
    expect(result.statistics).toMatchObject({ expectancy: null, turnover: null, makerShare: null, feesInQuote: null })
    expect(result.partial).toBe(true)
  })

  it.each<[string, Partial<BacktestOptions>, string]>([
    ['a period that is none', { statsPeriod: '2d' as '1d' }, 'statsPeriod'],
    ['no period in a year', { periodsPerYear: 0 }, 'periodsPerYear'],
    ['a rate as text', { riskFreeRate: '0.02' as unknown as number }, 'riskFreeRate'],
    ['more periods than are reckoned with', { statsPeriod: '1m' }, 'more than 100000'],
  ])('is refused with %s', async (_, options, place) => {
    const rows: readonly Row[] = [[NOON, 100], [NOON + 300 * DAY, 100]] // prettier-ignore
    await expect(run(idle as unknown as Strategy, rows, options)).rejects.toThrow(place)
  })
})

describe('a run on candles', () => {
  it('has the close of a day in the sample at its end, and an open in none', async () => {
    const days = [[100, 110], [200, 121], [50, 60.5]] as const // prettier-ignore
    const lines = days.map(([open, close], day) => {
      const [high, low] = [Math.max(open, close), Math.min(open, close)]
      return `${Date.UTC(2024, 0, 1 + day)},${open},${high},${low},${close},5`
    })
    const file = write(['time,open,high,low,close,volume', ...lines, ''].join('\n'), 'days.csv')
    const options = { ...AT_ONCE, tapes: { A_USD: { file, candleInterval: '1d' } }, credits: { A: '1' } }
    const { statistics } = await backtest({ ...options, strategy: idle })
    expect(statistics.return).toBeCloseTo(-0.395, 12)
    expect(statistics.bestReturn).toBeCloseTo(0.1, 12)
    expect(statistics.worstReturn).toBeCloseTo(-0.5, 12)
    expect(statistics.positiveReturns).toBeCloseTo(2 / 3, 12)
    expect(statistics.maxDrawdown).toBeCloseTo(0.75, 12)
  })
})

describe('round trips and orders', () => {
  const trade = (): Promise<BacktestRun> => {
    const strategy = acting(
      () => buyMarket('A_USD', '10', { tag: 'in' }),
      () => buyLimit('A_USD', '95', '10', { tag: 'more, "cheap"' }),
      () => [],
      () => sellMarket('A_USD', '20', { tag: 'out' }),
    )
    const rows: readonly Row[] = [[NOON, 100], [NOON + 1_000, 104], [NOON + 3_000, 90], [NOON + 4_000, 92]] // prettier-ignore
    return run(strategy, rows, { fees: { makerBps: '1', takerBps: '10' }, out: join(folder, 'trip') })
  }

  it('are a row each in trades.csv, with how far the mark went and the tags', async () => {
    const { statistics, trips, report } = await trade()
    const [trip] = trips
    // Bought 10 at 100 and 10 at 95, which is 97.5 on average; the mark was at 104, and at 90 before that
    // filled the second: 4 above 100, and 10 below it.
    expect(trip).toMatchObject({ symbol: 'A_USD', side: 'BUY', qty: '20', entry: '97.5', exit: '92', fills: 3 })
    expect(trip?.tags).toEqual(['in', 'more, "cheap"', 'out'])
    expect(trip?.mfe).toBeCloseTo(0.04, 12)
    expect(trip?.mae).toBeCloseTo(0.1, 12)
    // Fees: 10 basis points of 1000 and of 1840, 1 of 950.
    expect([trip?.fees, trip?.profit]).toEqual(['2.935', '-112.935'])
    expect(statistics).toMatchObject({ roundTrips: 1, winRate: 0, profitFactor: 0, payoff: null, lossStreak: 1 })
    expect(statistics.expectancy).toBeCloseTo(-112.935, 9)
    // 10 from 100 to 104 to 90, then 20 to 92; the limit order was filled 5 above the mark.
    expect(statistics.profit).toEqual({ price: '-60', spread: '-50', fees: '-2.935' })
    expect(statistics).toMatchObject({ fillRatio: 1, meanTimeToFirstFillMs: 2_000, makerShare: 950 / 3_790 })
    const text = readFileSync(join(folder, 'trip', 'trades.csv'), 'utf8')
    const [, row] = text.split('\n')
    const times = '2024-01-01T12:00:00.000Z,2024-01-01T12:00:04.000Z'
    expect(row).toMatch(new RegExp(`^A_USD,BUY,${times},20.00,97.5,92,-112.935,-0.0579`))
    expect(row).toMatch(/,2\.935,0\.1,0\.04,3,"in;more, ""cheap"";out"$/)
    expect(Object.keys(report.statistics).toSorted()).toEqual(Object.keys(statistics).toSorted())
    expect(await verify(join(folder, 'trip')).catch((error: unknown) => String(error))).toContain(
      'its strategy came from a program',
    )
  })
})
