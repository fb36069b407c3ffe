/**
 * What a page breaks the result of a run down into: drawdowns, groups of round trips, cash, rolling statistics, months
 * and years.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxDrawdown } from '../../../src/analysis/drawdown.ts'
import { Decimal } from '../../../src/domain/decimal.ts'
import { cashLine, exposureLine } from '../../../src/report/page/cash-series.ts'
import { monthReturns, yearReturns } from '../../../src/report/page/return-maps.ts'
import { rollingSeries } from '../../../src/report/page/rolling-series.ts'
import { tripGroups } from '../../../src/report/page/trip-groups.ts'
import { drawdownTable, fallsOf, worstFalls } from '../../../src/report/page/worst-drawdowns.ts'
import { REPORT } from '../rig/some-report.ts'

const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)
const line = (values: readonly number[], step = DAY) => ({ times: values.map((_, at) => START + at * step), values })

describe('drawdowns', () => {
  it.each`
    values                    | falls                         | why
    ${[100, 110, 120]}        | ${[]}                         | ${'no fall'}
    ${[100, 50, 100, 80]}     | ${['0-1-2 0.5', '2-3-? 0.2']} | ${'the last is not recovered'}
    ${[100, 90, 95, 70, 120]} | ${['0-3-4 0.3']}              | ${'a rise below the peak does not end it'}
    ${[100, -5, 20]}          | ${['0-1-? 1']}                | ${'no more than everything is lost'}
  `('of $values: $why', ({ values, falls }: { values: number[]; falls: string[] }) => {
    const day = (time: number | undefined): string => (time === undefined ? '?' : String((time - START) / DAY))
    const found = fallsOf(line(values)).map(
      ({ peakAt, troughAt, recoveredAt, depth }) =>
        `${day(peakAt)}-${day(troughAt)}-${day(recoveredAt)} ${Number(depth.toFixed(9))}`,
    )
    expect(found).toEqual(falls)
  })

  it('between samples are as deep as the largest one', () => {
    const law = fc.property(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 60 }), (values) => {
      const deepest = fallsOf(line(values)).reduce((most, { depth }) => Math.max(most, depth), 0)
      expect(deepest).toBeCloseTo(maxDrawdown(values), 12)
    })
    fc.assert(law)
  })

  it('begin with that of run.json, and have no other one within it', () => {
    const report = REPORT
    const statistics = {
      ...report.statistics,
      ...{ maxDrawdown: 0.6, maxDrawdownFrom: START + 1, maxDrawdownTo: START + DAY + 5 },
      maxDrawdownRecoveredAt: START + 2 * DAY,
    }
    const falls = worstFalls(line([100, 50, 100, 80, 110, 105]), { statistics })
    expect(falls.map(({ depth }) => Number(depth.toFixed(4)))).toEqual([0.6, 0.2, 0.0455])
    const { rows } = drawdownTable(falls, START + 5 * DAY, 'A_USD')
    expect(rows.map(({ cells }) => cells[1])).toEqual(['60.00 %', '20.00 %', '4.55 %'])
    expect(rows[2]?.cells.slice(4)).toEqual(['not recovered', '1 d'])
  })
})

const TRIPS = 'symbol,side,opened_at,closed_at,qty,entry,exit,profit,return,fees,mae,mfe,fills,tags'

describe('groups of round trips', () => {
  it('add up to the profit of all, exactly', () => {
    const trip = fc.record({
      symbol: fc.constantFrom('A_USD', 'B_USD'),
      side: fc.constantFrom('BUY', 'SELL'),
      hours: fc.nat(500),
      profit: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
      tags: fc.constantFrom('', 'a', 'a;b'),
    })
    const law = fc.property(fc.array(trip, { maxLength: 40 }), (trips) => {
      const rows = trips.map(({ symbol, side, hours, profit, tags }) => {
        const time = new Date(START + hours * 3_600_000).toISOString()
        return `${symbol},${side},${time},${time},1,1,1,${new Decimal(profit).div(1e7).toFixed()},0.1,0,0,0,2,${tags}`
      })
      const whole = trips.reduce((sum, { profit }) => sum.plus(profit), new Decimal(0)).div(1e7)
      for (const { table } of tripGroups('trades.csv', [TRIPS, ...rows, ''].join('\n'), 2)) {
        const profits = table.rows.map(({ cells }) => new Decimal((cells[3] ?? '').replaceAll(/[+,]/g, '')))
        expect(profits.reduce((sum, each) => sum.plus(each), new Decimal(0)).toFixed()).toBe(whole.toFixed())
        expect(table.rows.reduce((sum, { cells }) => sum + Number(cells[1]), 0)).toBe(trips.length)
      }
    })
    fc.assert(law)
  })

  it('are by tag, weekday and hour of the opening, and only where there are two', () => {
    const rows = [
      'A_USD,BUY,2024-01-01T23:30:00.000Z,2024-01-02T01:00:00.000Z,1,1,1,0.1,0.01,0,0,0,2,grid',
      'A_USD,BUY,2024-01-07T09:00:00.000Z,2024-01-08T01:00:00.000Z,1,1,1,0.2,0.03,0,0,0,2,grid',
      'A_USD,BUY,2024-01-07T23:59:59.999Z,2024-01-08T01:00:00.000Z,1,1,1,-0.5,-0.05,0,0,0,2,',
    ]
    const groups = tripGroups('trades.csv', [TRIPS, ...rows, ''].join('\n'), 2)
    expect(groups.map(({ name, table }) => [name, table.rows.map(({ cells }) => cells)])).toEqual([
      [
        'Tag',
        [
          ['grid', '2', '100.00 %', '+0.3', '+2.00 %'],
          ['no tag', '1', '0.00 %', '-0.5', '-5.00 %'],
        ],
      ],
      [
        'Weekday',
        [
          ['Monday', '1', '100.00 %', '+0.1', '+1.00 %'],
          ['Sunday', '2', '50.00 %', '-0.3', '-1.00 %'],
        ],
      ],
      [
        'Hour',
        [
          ['09:00', '1', '100.00 %', '+0.2', '+3.00 %'],
          ['23:00', '2', '50.00 %', '-0.4', '-2.00 %'],
        ],
      ],
    ])
    expect(tripGroups('trades.csv', `${TRIPS}\n${rows[0] ?? ''}\n`, 2)).toEqual([])
    expect(() => tripGroups('trades.csv', `${TRIPS}\n${(rows[0] ?? '').replace('0.1,', 'x,')}\n`, 2)).toThrow(
      'trades.csv',
    )
  })
})

describe('cash', () => {
  const fills = [
    'trade_id,time_ms,symbol,side,price,qty,order_id,is_maker,fee,fee_asset',
    `1,${START + 5},A_USD,BUY,10.5,3,1,false,0.03,USD`,
    `2,${START + DAY + 5},A_USD,SELL,12,1,2,false,0.01,USD`,
    '',
  ].join('\n')
  const report = (available: string) => ({
    ...REPORT,
    config: { ...REPORT.config, credit: { USD: '100' } },
    quoteAsset: 'USD',
    balances: { USD: { available, locked: '0' } },
  })

  it('follows from the fills, at each sample what came before it', () => {
    const times = [START, START + DAY, START + 2 * DAY]
    const cash = cashLine(report('80.46'), 'fills.csv', fills, times)
    expect(cash).toEqual({ times, values: [100, 68.47, 80.46] })
    const equity = { times, values: [100, 136.94, 80.46] }
    expect(exposureLine(equity, cash ?? equity).values).toEqual([0, 0.5, 0])
  })

  it('is not drawn where it does not end at the balance of run.json', () => {
    expect(cashLine(report('80.460001'), 'fills.csv', fills, [START])).toBeUndefined()
    expect(() => cashLine(report('1'), 'fills.csv', fills.replace('10.5', 'x'), [START])).toThrow('fills.csv')
  })
})

describe('rolling statistics', () => {
  it('are those of a window alone, and of a run against itself a beta of 1', () => {
    const values = Array.from({ length: 40 }, (_, at) => 100 + 10 * Math.sin(at) + at)
    const rolling = rollingSeries(line(values), line(values), { periodsPerYear: 365, riskFreeRate: 0 })
    expect(rolling?.periods).toBe(10)
    const { times = [], values: ratios = [] } = rolling?.sharpe ?? {}
    expect(times).toEqual(line(values).times.slice(10))
    const returns = values.slice(5, 15).map((value, at) => (values[at + 6] ?? 0) / value - 1)
    const mean = returns.reduce((sum, each) => sum + each, 0) / 10
    const spread = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 9)
    expect(ratios[5]).toBeCloseTo((mean / spread) * Math.sqrt(365), 4)
    expect(rolling?.volatility.values[5]).toBeCloseTo(spread * Math.sqrt(365), 4)
    expect(new Set(rolling?.beta.values)).toEqual(new Set([1]))
  })

  it('leave out a run that is too short, and periods in which nothing moved', () => {
    const setup = { periodsPerYear: 252, riskFreeRate: 0 }
    expect(rollingSeries(line([1, 2, 3]), line([]), setup)).toBeNull()
    const values = Array.from({ length: 30 }, (_, at) => 100 + 10 * Math.sin(at) + at)
    const resting = values.flatMap((value) => [value, value])
    expect(rollingSeries(line(resting, DAY / 2), line([]), setup)?.sharpe.values).toEqual(
      rollingSeries(line(values), line([]), setup)?.sharpe.values,
    )
  })
})

describe('months and years', () => {
  it('grow to what the run grew to, beside the benchmark over the same periods', () => {
    const values = Array.from({ length: 400 }, (_, at) => 100 * 1.001 ** at)
    const held = Array.from({ length: 401 }, (_, at) => 50 * 1.002 ** at)
    const months = monthReturns(line(values), line(held))
    const years = yearReturns(line(values), line(held))
    expect(years.map(({ year }) => year)).toEqual([2024, 2025])
    const growth = (all: readonly { readonly value: number }[]): number =>
      all.reduce((sum, { value }) => sum * (1 + value), 1)
    expect(growth(months)).toBeCloseTo((values.at(-1) ?? 0) / 100, 9)
    expect(growth(years)).toBeCloseTo(growth(months), 9)
    expect(growth(years.flatMap(({ benchmark }) => benchmark ?? []))).toBeCloseTo(1.002 ** 399, 9)
    expect(monthReturns(line(values), line([]))[0]?.benchmark).toBeNull()
    expect(yearReturns(line(values.slice(0, 20)), line(held))).toEqual([])
  })
})
