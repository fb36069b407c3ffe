/**
 * The position of a market at every moment, and within the steps of a chart of any interval.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HeldPosition } from '../../pages/report/held-position.ts'
import { fillsBySymbol } from '../../src/report/page/market-series.ts'
import type { FillColumns } from '../../src/report/page/page-data.ts'

const fill = fc.record({
  time: fc.nat(500),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  units: fc.integer({ min: 1, max: 999 }),
})
type Fill = typeof fill extends fc.Arbitrary<infer T> ? T : never

const columnsOf = (fills: readonly Fill[]): FillColumns => ({
  times: fills.map(({ time }) => time),
  sides: fills.map(({ side }) => side),
  prices: fills.map(() => '1'),
  qtys: fills.map(({ units }) => (units / 100).toFixed(2)),
  orders: fills.map((_, index) => String(index)),
})

it('is what the account began with and the sum of the fills so far, and in a step from the lowest to the highest of it', () => {
  fc.assert(
    fc.property(
      fc.array(fill, { maxLength: 40 }),
      fc.record({
        from: fc.nat(400),
        intervalMs: fc.integer({ min: 1, max: 90 }),
        count: fc.integer({ min: 1, max: 9 }),
      }),
      fc.nat(9_999),
      (unsorted, steps, initial) => {
        const fills = unsorted.toSorted((one, other) => one.time - other.time)
        const held = new HeldPosition(columnsOf(fills), (initial / 1_000).toFixed(3))
        const after = (count: number): number =>
          fills
            .slice(0, count)
            .reduce((sum, { side, units }) => sum + 10 * (side === 'BUY' ? units : -units), initial) / 1_000
        const until = (end: number): number => fills.filter(({ time }) => time < end).length
        for (const moment of [0, 100, 499, 500]) expect(held.at(moment)).toBe(after(until(moment + 1)))
        expect(held.over(steps)).toEqual(
          Array.from({ length: steps.count }, (_, step) => {
            const from = steps.from + step * steps.intervalMs
            const [first, end] = [until(from), until(from + steps.intervalMs)]
            const all = Array.from({ length: end - first + 1 }, (__, index) => after(first + index))
            return { low: Math.min(...all), high: Math.max(...all), last: after(end) }
          }),
        )
      },
    ),
  )
})

it('fills of a session that became known late are in the order of their times', () => {
  const csv = [
    'trade_id,time_ms,symbol,side,price,qty,order_id,is_maker,fee,fee_asset',
    '1,1000,A_USD,BUY,10.50,2,7,false,0,USD',
    '2,3000,A_USD,SELL,11.00,1,8,false,0,USD',
    '3,2000,A_USD,BUY,10.75,3,9,true,0,USD',
    '4,2000,B_USD,BUY,1,1,10,true,0,USD',
    '',
  ].join('\n')
  expect(fillsBySymbol('fills.csv', csv).get('A_USD')).toEqual({
    times: [1_000, 2_000, 3_000],
    sides: ['BUY', 'BUY', 'SELL'],
    prices: ['10.50', '10.75', '11.00'],
    qtys: ['2', '3', '1'],
    orders: ['7', '9', '8'],
  })
})
