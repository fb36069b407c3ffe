/**
 * Figures of returns: by hand on one curve, null where nothing can be said, and held against second formulas.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  benchmarkFigures,
  cagr,
  calmar,
  expectedShortfall,
  sampledDrawdowns,
  tailRatio,
  valueAtRisk,
} from '../../../src/analysis/returns/return-statistics.ts'
import { deviation, mean, quantile, sum } from '../../../src/analysis/returns/float-sums.ts'
import { returnSamples, type ReturnSamples } from '../../../src/analysis/returns/return-samples.ts'
import { gainToPain, omega, sharpe, sortino, volatility } from '../../../src/analysis/returns/risk-ratios.ts'
import { best, kurtosis, positiveShare, skew, worst } from '../../../src/analysis/returns/shape.ts'
import { DAY_MS } from '../../../src/domain/time.ts'

const P = 365
/** Two dozen days; the figures below were worked out apart from this code. */
const DAYS = [
  0.012, -0.004, 0.007, 0, -0.021, 0.018, 0.003, -0.009, 0.0125, -0.002, 0.006, -0.013, 0.022, 0.001, -0.007, 0.009,
  -0.031, 0.016, 0.004, -0.005, 0.011, 0.002, -0.008, 0.014,
]

const samplesOf = (equities: readonly (bigint | number)[], riskFreeRate = 0): ReturnSamples | undefined =>
  returnSamples(
    equities.map((equity, day) => ({ time: day * DAY_MS, equity: BigInt(equity) })),
    { periodMs: DAY_MS, riskFreeRate },
  )

const runOf = (returns: readonly number[]): ReturnSamples => ({
  equity: [],
  returns,
  excess: returns,
  riskFree: 0,
  periodsPerYear: P,
})

describe('figures of returns', () => {
  it.each<[string, number | null, number]>([
    ['volatility', volatility(DAYS, P), 0.23996915845764336],
    ['sharpe', sharpe(DAYS, P), 2.3766074926693754],
    ['sortino', sortino(DAYS, P), 3.4374215209524674],
    ['omega', omega(DAYS), 1.375],
    ['gainToPain', gainToPain(DAYS), 0.375],
    ['skew', skew(DAYS), -0.7278819046857676],
    ['kurtosis', kurtosis(DAYS), 0.6729682746773409],
    ['valueAtRisk', valueAtRisk(DAYS), 0.0198],
    ['expectedShortfall', expectedShortfall(DAYS), 0.026],
    ['tailRatio', tailRatio(DAYS), 0.0177 / 0.0198],
    ['best', best(DAYS), 0.022],
    ['worst', worst(DAYS), -0.031],
    ['positiveReturns', positiveShare(DAYS), 14 / 24],
  ])('%s of two dozen days', (_, figure, expected) => {
    expect(figure).toBeCloseTo(expected, 12)
  })

  it.each<[string, number | null]>([
    ['volatility of one return', volatility([0.01], P)],
    ['sharpe of one return', sharpe([0.01], P)],
    ['sharpe of returns that are all the same', sharpe([0.1 + 0.2, 0.3, 0.3], P)],
    ['sortino without a loss', sortino([0.01, 0], P)],
    ['omega without a loss', omega([0.01, 0])],
    ['gainToPain of nothing', gainToPain([])],
    ['skew of two', skew([0.1, 0.2])],
    ['kurtosis of three', kurtosis([0.1, 0.2, 0.4])],
    ['kurtosis of what does not vary', kurtosis([0.1, 0.1, 0.1, 0.1])],
    ['valueAtRisk of nineteen', valueAtRisk(DAYS.slice(0, 19))],
    ['expectedShortfall of nineteen', expectedShortfall(DAYS.slice(0, 19))],
    ['tailRatio over a quantile of 0', tailRatio(Array.from({ length: 20 }, () => 0))],
    ['best of none', best([])],
    ['positiveReturns of none', positiveShare([])],
    ['cagr of 27 days', cagr(100n, 110n, 27 * DAY_MS)],
    ['cagr of what was lost', cagr(100n, 0n, 90 * DAY_MS)],
    ['calmar without a drawdown', calmar(0.1, 0)],
    ['calmar of a short run', calmar(null, 0.1)],
  ])('is null: %s', (_, figure) => {
    expect(figure).toBeNull()
  })

  it('grows by a year what was made in a part of one', () => {
    expect(cagr(100n, 121n, 730 * DAY_MS)).toBeCloseTo(0.1, 14)
    expect(cagr(100n, 50n, 365 * DAY_MS)).toBeCloseTo(-0.5, 14)
    expect(calmar(0.1, 0.25)).toBeCloseTo(0.4, 15)
  })

  it('stay the same, whatever the order of the returns', () => {
    const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 20, maxLength: 60 })
    const figures = [mean, deviation, (r: readonly number[]) => sharpe(r, P), omega, skew, kurtosis, expectedShortfall]
    fc.assert(
      fc.property(returns, (values) => {
        const other = values.toReversed()
        for (const figure of figures) {
          const [one, two] = [figure(values), figure(other)]
          if (one === null || two === null) expect(one).toBe(two)
          else expect(Math.abs(one - two)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(one)))
        }
      }),
    )
  })

  it('sum what floats would lose', () => {
    expect(sum([1e16, 1, -1e16])).toBe(1)
    expect(sum([1, 1e100, 1, -1e100])).toBe(2)
    expect(sum([])).toBe(0)
  })

  it('have quantiles between the order statistics', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile([1, 2, 4, 8], share))).toEqual([1, 1.75, 3, 5, 8])
    expect(quantile([7], 0.3)).toBe(7)
  })
})

describe('samples', () => {
  it('have a return each, exact before it is a float, and the excess over the rate of a period', () => {
    const samples = samplesOf([10n ** 30n, 10n ** 30n + 10n ** 12n, 10n ** 30n], 0.0365)
    expect(samples?.returns[0]).toBe(1e-18)
    expect(samples?.riskFree).toBeCloseTo(0.0001, 15)
    expect(samples?.excess[0]).toBeCloseTo(-0.0001, 15)
    expect(samples?.periodsPerYear).toBe(365)
  })

  it('say nothing where an equity is not above 0', () => {
    expect(samplesOf([100, 0, 100])).toBeUndefined()
    expect(samplesOf([100, -1])).toBeUndefined()
  })
})

describe('drawdowns between samples', () => {
  const drawdownsOf = (...equities: number[]) =>
    sampledDrawdowns(equities.map((equity, day) => ({ time: day, equity: BigInt(equity) })))

  it('go from a peak to the sample at or above it, or to the end', () => {
    // Down 10 % for three days in all, flat, then down 20 % to the end.
    expect(drawdownsOf(100, 90, 95, 100, 200, 200, 180, 160)).toEqual({
      averageDrawdown: expect.closeTo(0.15, 15) as number,
      longestDrawdownMs: 3,
      timeUnderWater: 4 / 7,
      ulcerIndex: expect.closeTo(Math.sqrt((0.01 + 0.0025 + 0.01 + 0.04) / 7), 15) as number,
    })
  })

  it('are none of a curve that never falls, and of one sample', () => {
    expect(drawdownsOf(100, 100, 101)).toMatchObject({ averageDrawdown: 0, longestDrawdownMs: 0, ulcerIndex: 0 })
    expect(drawdownsOf(100)).toMatchObject({ averageDrawdown: 0, timeUnderWater: 0, ulcerIndex: null })
  })

  it('are what a look back from each sample sees', () => {
    const curve = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(curve, (equities) => {
        const seen = drawdownsOf(...equities)
        const falls = equities.map((equity, k) => 1 - equity / Math.max(...equities.slice(0, k + 1))).slice(1)
        const under = falls.filter((fall) => fall > 1e-12)
        expect(seen.timeUnderWater).toBeCloseTo(falls.length === 0 ? 0 : under.length / falls.length, 12)
        expect(seen.averageDrawdown).toBeLessThanOrEqual(Math.max(0, ...falls) + 1e-12)
        const squares = falls.reduce((total, fall) => total + fall ** 2, 0)
        if (seen.ulcerIndex !== null) expect(seen.ulcerIndex).toBeCloseTo(Math.sqrt(squares / falls.length), 12)
      }),
    )
  })
})

describe('a benchmark', () => {
  const market = DAYS.map((value, day) => value * 0.5 + (day % 3) * 0.001)

  it('explains a run that is a line of it', () => {
    const { beta, alpha, correlation } = benchmarkFigures(runOf(market.map((value) => 2 * value + 0.001)), market)
    expect(beta).toBeCloseTo(2, 12)
    expect(alpha).toBeCloseTo(0.365, 12)
    expect(correlation).toBeCloseTo(1, 12)
  })

  it('explains nothing of what does not vary, and says nothing where it does not', () => {
    const still = market.map(() => 0.001)
    expect(benchmarkFigures(runOf(still), market)).toMatchObject({ beta: expect.closeTo(0, 12), correlation: null })
    expect(benchmarkFigures(runOf(market), still)).toEqual({ beta: null, alpha: null, correlation: null })
    expect(benchmarkFigures(runOf(DAYS.slice(0, 9)), DAYS.slice(0, 9))).toMatchObject({ beta: null })
  })
})
