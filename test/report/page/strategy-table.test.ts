import { expect, it } from 'vitest'
import { strategyTable } from '../../../src/report/page/strategy-table.ts'
import type { PortfolioPart } from '../../../src/report/run/run-report.ts'

const part = (more: Partial<PortfolioPart>): PortfolioPart =>
  ({ name: 'a', profit: '0', contribution: null, drawdownContribution: null, return: null, maxDrawdown: 0, fills: 0, failure: null, correlations: {}, ...more }) as PortfolioPart // prettier-ignore

it('has a row for each strategy of a portfolio, and none for a run of one', () => {
  expect(strategyTable({}).rows).toEqual([])
  const failure = { message: 'boom', time: 0, place: null }
  const shares = { contribution: 0.0125, drawdownContribution: -0.5, return: 0.1, maxDrawdown: 0.2, fills: 3 }
  const { columns, rows } = strategyTable({
    strategies: [
      part({ ...shares, profit: '12.5', correlations: { b: -0.25, c: null } }),
      part({ name: 'b', profit: '-3', failure }),
    ],
  })
  expect(rows.map(({ cells, tone }) => [...cells, tone])).toEqual([
    ['a', '+12.5', '+1.25 %', '-50.00 %', '+10.00 %', '20.00 %', '3', 'b -0.25, c –', '', 'good'],
    ['b', '-3', '–', '–', '–', '0.00 %', '0', '', 'failed: boom', 'bad'],
  ])
  for (const { cells, order } of rows) expect([cells.length, order.length]).toEqual([columns.length, columns.length])
})
