/**
 * The figures that decide, as a trader reads them; a figure that is undefined is `n/a`.
 */
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { REPORT, TAPE } from '../rig/some-report.ts'

const LONG: RunReport = { ...REPORT, tapes: [{ ...TAPE, to: TAPE.from + 100 * DAY_MS }] }

const TWO_DAYS: RunReport = { ...REPORT, tapes: [{ ...TAPE, to: TAPE.from + 2 * DAY_MS }] }
const FAILED: RunReport = { ...LONG, failure: { message: 'boom', time: TAPE.from + 2.5 * DAY_MS, place: null } }

const lineOf = (report: RunReport, label: string): string =>
  summary(report, [], false, undefined)
    .split('\n')
    .find((line) => line.startsWith(label)) ?? `no line begins with ${label}`

const withFigures = (more: Partial<RunReport['statistics']>, report = LONG): RunReport => ({
  ...report,
  statistics: { ...report.statistics, ...more },
})

describe('the annualized figures', () => {
  it.each<[string, RunReport, string]>([
    ['all of them', LONG, '+41.23 %, Sharpe 1.23 (-0.46 to 2.79), Sortino 1.87, Calmar 19.50'],
    [
      'a run of less than 28 days',
      withFigures({ cagr: null, calmar: null }),
      'Sharpe 1.23 (-0.46 to 2.79), Sortino 1.87',
    ],
    [
      'no deviation',
      withFigures({ sharpe: null, sharpeInterval: null, sortino: null, calmar: null, cagr: 0 }),
      '0.00 %',
    ],
    ['no loss', withFigures({ sortino: null, calmar: null }), '+41.23 %, Sharpe 1.23 (-0.46 to 2.79), Sortino n/a'],
    ['beyond what digits tell', withFigures({ sharpe: 1.23456e21 }), 'Sharpe 1.2e+21'],
    ['a run of ten minutes', withFigures({ volatility: null }, REPORT), 'n/a: fewer than ten periods of 1d'],
    ['a run of two days', withFigures({}, TWO_DAYS), 'n/a: the run is shorter than 7 days'],
    ['a run that failed on its third day', withFigures({}, FAILED), 'n/a: the run is shorter than 7 days'],
    ['samples without a value', withFigures({ timeUnderWater: null }), 'n/a: the equity had no value at some point'],
  ])('%s', (_, report, expected) => {
    expect(lineOf(report, 'annualized')).toContain(expected)
  })

  it('are followed by the periods in a year where markets were closed in some, and who said how many', () => {
    const shares = withFigures({ periods: 260, periodsPerYear: 262.15 })
    expect(lineOf(shares, 'periods')).toContain('260 of 1d with trades, 262.1 per year (measured)')
    const asked = { ...shares, config: { ...shares.config, periodsPerYear: 252 } }
    const line = lineOf({ ...asked, statistics: { ...asked.statistics, periodsPerYear: 252 } }, 'periods')
    expect(line).toContain('260 of 1d with trades, 252 per year (from --periods-per-year)')
    expect(lineOf(LONG, 'periods')).toBe('no line begins with periods')
  })
})

describe('the figures per trade', () => {
  it.each<[string, RunReport, string]>([
    ['all of them', LONG, 'mean +10.29 USDT (+0.10 %), profit factor 1.56, SQN 1.40'],
    ['no loss', withFigures({ profitFactor: null, sqn: null }), 'profit factor n/a, SQN n/a'],
    ['several quote assets', withFigures({ expectancy: null }), 'mean +0.10 %, profit factor'],
    ['a very small quote', withFigures({ expectancy: -1.2345678e-9 }), 'mean -0.00000000… USDT'],
    ['none has ended', withFigures({ roundTrips: 0 }), 'no line begins with per trade'],
  ])('%s', (_, report, expected) => {
    expect(lineOf(report, 'per trade')).toContain(expected)
  })
})
