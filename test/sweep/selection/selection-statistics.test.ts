/**
 * The best of many, judged whole: chance is seen through, an edge is found.
 */
import { describe, expect, it } from 'vitest'
import { sharpe } from '../../../src/analysis/returns/risk-ratios.ts'
import {
  deflatedSharpe,
  expectedMaximumSharpe,
  type SelectionStatistics,
  selectionStatistics,
  sharpeSample,
} from '../../../src/sweep/selection/selection-statistics.ts'
import { Overfitting } from '../../../src/sweep/selection/overfitting.ts'
import { TrialCorrelation } from '../../../src/sweep/selection/trial-correlation.ts'
import { normalTrials } from './rig/chance.ts'

const PERIODS_PER_YEAR = 365

/** As a sweep would: all returns, the best by Sharpe ratio. */
function judged(rows: readonly (readonly number[])[]): { readonly best: number; readonly found: SelectionStatistics } {
  const sharpes = rows.map((row) => sharpe(row, PERIODS_PER_YEAR))
  const best = sharpes.reduce<number>(
    (chosen, value, index) => ((value ?? -Infinity) > (sharpes[chosen] ?? -Infinity) ? index : chosen),
    0,
  )
  const correlation = new TrialCorrelation(rows[0]?.length ?? 0)
  for (const row of rows) correlation.add(row)
  const found = selectionStatistics({
    best: rows[best] ?? [],
    periodsPerYear: PERIODS_PER_YEAR,
    trials: rows.length,
    sharpes,
    correlation: correlation.mean,
  })
  return { best, found }
}

describe('a strategy of pure chance over 500 points', () => {
  it('has a deflated Sharpe ratio below 0.95 in 95 of 100 seeds at least, though nearly all look sure alone', () => {
    const found = Array.from({ length: 100 }, (_, seed) => judged(normalTrials(seed + 1, 500, 90)).found)
    expect(found.filter((each) => (each.deflatedSharpe ?? 1) < 0.95).length).toBeGreaterThanOrEqual(95)
    expect(found.filter((each) => (each.probabilisticSharpe ?? 0) > 0.95).length).toBeGreaterThanOrEqual(95)
  })

  it('has a best about as good as luck alone would show', () => {
    const rows = normalTrials(42, 500, 250)
    const { best, found } = judged(rows)
    expect((found.luckSharpe ?? 0) / (sharpe(rows[best] ?? [], PERIODS_PER_YEAR) ?? 1)).toBeCloseTo(1, 0)
  })
})

describe('a planted edge', () => {
  it('is found, by its deflated ratio and by a low probability of overfitting', () => {
    const rows = normalTrials(8, 500, 500)
    const [edge = []] = normalTrials(9, 1, 500, 0.3)
    rows[123] = edge
    const { best, found } = judged(rows)
    expect(best).toBe(123)
    expect(found.deflatedSharpe).toBeGreaterThan(0.95)
    expect(found.minimumTrackRecord).toBeLessThan(500)
    const overfitting = new Overfitting(500)
    for (const row of rows) overfitting.add(row)
    expect(overfitting.statistics().pbo).toBeLessThan(0.05)
  })
})

describe('its figures', () => {
  const [best = [], ...others] = normalTrials(3, 20, 100, 0.3)
  const sharpes = [best, ...others].map((row) => sharpe(row, PERIODS_PER_YEAR))
  const inputs = { best, periodsPerYear: PERIODS_PER_YEAR, trials: 1_240, sharpes, correlation: 0.25 }

  it('are those of their parts, a year made of a day by the root of P', () => {
    const found = selectionStatistics(inputs)
    const daily = sharpes.map((value) => (value ?? 0) / Math.sqrt(PERIODS_PER_YEAR))
    const center = daily.reduce((total, value) => total + value, 0) / 20
    const variance = daily.reduce((total, value) => total + (value - center) ** 2, 0) / 19
    const sample = sharpeSample(best)
    if (sample === null) throw new Error('no sample')
    expect(found.trials).toBe(1_240)
    expect(found.effectiveTrials).toBeCloseTo(0.25 + 0.75 * 1_240, 9)
    expect(found.deflatedSharpe).toBeCloseTo(deflatedSharpe(sample, found.effectiveTrials, variance) ?? 2, 12)
    const luck = expectedMaximumSharpe(found.effectiveTrials, variance) ?? 0
    expect(found.luckSharpe).toBeCloseTo(luck * Math.sqrt(PERIODS_PER_YEAR), 9)
  })

  it('of a single trial take no luck off', () => {
    const found = selectionStatistics({ ...inputs, trials: 1, sharpes: sharpes.slice(0, 1), correlation: null })
    expect(found.luckSharpe).toBe(0)
    expect(found.minimumBacktestYears).toBe(0)
    expect(found.deflatedSharpe).toBe(found.probabilisticSharpe)
  })

  it.each`
    change                                   | nulls                                                                                      | why
    ${{ best: [] }}                          | ${['deflatedSharpe', 'minimumBacktestYears', 'minimumTrackRecord', 'probabilisticSharpe']} | ${'no returns'}
    ${{ best: Array(50).fill(0.001) }}       | ${['deflatedSharpe', 'minimumBacktestYears', 'minimumTrackRecord', 'probabilisticSharpe']} | ${'returns that never varied'}
    ${{ sharpes: [null, 1.2, null] }}        | ${['deflatedSharpe', 'luckSharpe', 'minimumTrackRecord']}                                  | ${'one ratio only'}
    ${{ best: best.map((value) => -value) }} | ${['minimumBacktestYears', 'minimumTrackRecord']}                                          | ${'a best that lost'}
  `('are null where they have no meaning: $why', ({ change, nulls }) => {
    const found = selectionStatistics({ ...inputs, ...change })
    const names = Object.entries(found).flatMap(([name, value]) => (value === null ? [name] : []))
    expect(names.toSorted()).toEqual(nulls)
    expect(Object.values(found).every((value) => value === null || Number.isFinite(value))).toBe(true)
  })
})
