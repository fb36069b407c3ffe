/** Series of a run change nothing by themselves, and no row is early, whatever the rows, the trades and the latency. */
import fc from 'fast-check'
import { map, merge, withLatestFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { SeriesCursor } from '../../../src/store/series/inspected-series.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import { testStrategy, type StrategyTest } from '../../../src/testing/test-strategy.ts'
import { memorySeries, type TestSeriesRow } from '../../../src/testing/tapes/memory-series.ts'
import { runs } from '../../property/property.ts'

const START = 1_704_067_200_000
const increasing = fc.uniqueArray(fc.integer({ min: -50, max: 400 }), { minLength: 1, maxLength: 20 })

const rowsAt = (seconds: readonly number[]): readonly TestSeriesRow[] =>
  [...seconds].sort((a, b) => a - b).map((each) => ({ timestamp: START + each * 1_000, value: each }))

const trades = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 1, maxLength: 30 })

/** Orders at random, and never looks at a series. */
const unaware = defineStrategy({
  name: 'unaware',
  params: z.object({ symbol: z.string().default('BTC_USD') }),
  run: ({ trades: tradesOf, buyLimit, sellMarket, random, params: { symbol } }) =>
    tradesOf(symbol).pipe(
      map(({ price }) => (random() < 0.5 ? buyLimit(symbol, price.toFixed(), '1') : sellMarket(symbol, '1'))),
    ),
})

const outcome = ({ timeline, orders, fills, balances }: StrategyTest): unknown => ({
  timeline,
  orders,
  fills,
  balances,
})

it('a series that is not read changes no order and no fill', () =>
  fc.assert(
    fc.asyncProperty(trades, increasing, async (prices, seconds) => {
      const given = { trades: prices.join(' ') }
      const plain = await testStrategy(unaware, given)
      const beside = await testStrategy(unaware, { ...given, series: { mood: rowsAt(seconds) } })
      expect(outcome(beside)).toEqual(outcome(plain))
    }),
    { numRuns: runs(60) },
  ))

it('every row arrives once, in order, at its time plus the latency, and the latest before the start is the first', () =>
  fc.assert(
    fc.asyncProperty(trades, increasing, fc.constantFrom(0, 1, 1_000, 7_500), async (prices, seconds, feedMs) => {
      const seen: (readonly [row: number, at: number])[] = []
      const reader = defineStrategy({
        name: 'reader',
        params: z.object({}),
        run: ({ series, now }) => {
          series('mood').subscribe(({ timestamp }) => seen.push([timestamp, now()]))
          return merge()
        },
      })
      const rows = rowsAt(seconds)
      const afterMs = 60_000
      await testStrategy(reader, { trades: prices.join(' '), series: { mood: rows }, latency: { feedMs }, afterMs })
      const end = START + (prices.length - 1) * 1_000 + afterMs
      const due = rows.map(({ timestamp }) => [timestamp, timestamp + feedMs] as const).filter(([, at]) => at < end)
      const before = due.filter(([, at]) => at < START)
      const first = before.slice(-1).map(([row]) => [row, START] as const)
      expect(seen.filter(([, at]) => at < end)).toEqual([...first, ...due.slice(before.length)])
    }),
    { numRuns: runs(60) },
  ))

it('a cursor that passes rows in steps finds the same rows as one that reads each', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.array(fc.integer({ min: -5, max: 5_100 })), (count, times) => {
      const rows = Array.from({ length: count }, (_, index) => ({ timestamp: index, value: String(index) }))
      const cursor = new SeriesCursor(memorySeries('mood', rows))
      let passed = 0
      for (const time of times) {
        const now = Math.min(Math.max(time, passed), count)
        expect(cursor.passBefore(time)?.timestamp).toBe(now > passed ? now - 1 : undefined)
        passed = now
      }
      expect(cursor.nextTime).toBe(passed < count ? passed : Number.POSITIVE_INFINITY)
    }),
    { numRuns: runs(40) },
  ))

it('a later subscriber gets the latest row, too', async () => {
  const { plots } = await testStrategy(
    defineStrategy({
      name: 'late',
      params: z.object({}),
      run: ({ series, trades: tradesOf, plot }) =>
        tradesOf('BTC_USD').pipe(
          withLatestFrom(series('mood', ['value'])),
          map(([, { value }]) => {
            plot('value', value ?? '0')
            return undefined
          }),
        ),
    }),
    {
      trades: '100 100 100',
      series: {
        mood: [
          { timestamp: START - 1, value: '0.10' },
          { timestamp: START + 1_500, value: 2 },
        ],
      },
    },
  )
  expect(plots.map(([, , value]) => value)).toEqual(['0.1', '0.1', '2'])
})
