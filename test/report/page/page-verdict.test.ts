/**
 * What the top of a page says of runs that are short or closed nothing.
 */
import { expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/time.ts'
import { figureGroups } from '../../../src/report/page/page-figures.ts'
import { pageVerdict } from '../../../src/report/page/page-verdict.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { REPORT, TAPE } from '../rig/some-report.ts'

const lasting = (days: number): RunReport => ({ ...REPORT, tapes: [{ ...TAPE, to: TAPE.from + days * DAY_MS }] })

it.each([
  [2, '–'],
  [30, '1.23'],
])('shows figures per year only for a run that is long enough: %i days', (days, sharpe) => {
  const report = lasting(days)
  const figures = [...pageVerdict(report, {}).figures, ...figureGroups(report, {}).flatMap((group) => group.figures)]
  const shown = figures.filter(({ path }) => path === 'statistics.sharpe')
  expect(shown.map(({ text }) => text)).toEqual([sharpe, sharpe])
  // What run.json has is never another.
  expect(shown.map(({ exact }) => exact)).toEqual(['1.234', '1.234'])
  const isExplained = shown.every(({ definition }) => definition.includes('the run is shorter than 7 days'))
  expect(isExplained).toBe(days === 2)
  expect(figures.find(({ path }) => path === 'statistics.omega')?.text).toBe('1.31')
})

it.each([
  [0, false, true],
  [3, true, false],
  [30, false, false],
])('%i closed round trips are a doubt: %s, or a note: %s', (roundTrips, isDoubt, isNote) => {
  const report = { ...REPORT, statistics: { ...REPORT.statistics, roundTrips } }
  const { doubts, notes } = pageVerdict(report, {})
  expect(doubts.some(({ text }) => text.includes('round trip'))).toBe(isDoubt)
  expect(notes.includes('No round trip was closed: the result comes from open positions alone.')).toBe(isNote)
})

it.each([
  [0.01, false, true],
  [0.31, true, false],
])('a p-value of %d is a doubt: %s, or a note: %s', (pValue, isDoubt, isNote) => {
  const returns = Array.from({ length: 99 }, (_, index) => index / 1000)
  const { doubts, notes } = pageVerdict({ ...REPORT, nullTest: { tapes: 99, returns, pValue } }, {})
  expect(doubts.some(({ text }) => text === 'p-value 0.31: 30 of 99 shuffled tapes return as much')).toBe(isDoubt)
  expect(notes.includes('p-value 0.01: 0 of 99 shuffled tapes return as much.')).toBe(isNote)
})
