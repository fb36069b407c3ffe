/**
 * How high luck reaches: published figures, the draws themselves, and the ends of the range.
 */
import { describe, expect, it } from 'vitest'
import {
  expectedMaximum,
  expectedMaximumSharpe,
  minimumBacktestYears,
} from '../../../src/sweep/selection/selection-statistics.ts'
import { normalDraws } from './rig/chance.ts'

describe('the expected maximum', () => {
  it('is 1.57 of ten, as the paper on minimum backtest length says, and 2.53 of a hundred, as that on deflation', () => {
    expect(expectedMaximum(10)).toBeCloseTo(1.57, 2)
    expect(expectedMaximum(100)).toBeCloseTo(2.53, 2)
  })

  it.each([10, 50, 1_000])('is what the largest of %i draws comes to within three in a hundred', (trials) => {
    const draw = normalDraws(trials)
    const rounds = 4_000
    let total = 0
    for (let round = 0; round < rounds; round += 1) {
      let largest = -Infinity
      for (let trial = 0; trial < trials; trial += 1) largest = Math.max(largest, draw())
      total += largest
    }
    expect((expectedMaximum(trials) ?? 0) / (total / rounds)).toBeGreaterThan(0.97)
    expect((expectedMaximum(trials) ?? 0) / (total / rounds)).toBeLessThan(1.03)
  })

  it('is 0 of one, grows with the trials, and stays a number of as many as there may ever be', () => {
    const reached = [1, 1.2, 1.5, 2, 5, 100, 1e6, 1e15, 1e300].map((trials) => expectedMaximum(trials) ?? Number.NaN)
    expect(reached[0]).toBe(0)
    reached.slice(1).forEach((value, index) => expect(value).toBeGreaterThanOrEqual(reached[index] ?? Infinity))
    expect(reached.every(Number.isFinite)).toBe(true)
  })

  it.each([0, 0.5, -1, Number.NaN, Infinity])('of %s trials is null', (trials) => {
    expect(expectedMaximum(trials)).toBeNull()
    expect(expectedMaximumSharpe(trials, 1)).toBeNull()
    expect(minimumBacktestYears(trials, 1)).toBeNull()
  })
})

describe('the largest Sharpe ratio of luck', () => {
  it('is 0.1132 a day for a hundred trials whose yearly ratios have a variance of a half, of 250 days: the paper', () => {
    expect(expectedMaximumSharpe(100, 1 / 2 / 250)).toBeCloseTo(0.1132, 4)
  })

  it('is null for what is no variance', () => {
    expect([-1, Number.NaN].map((variance) => expectedMaximumSharpe(10, variance))).toEqual([null, null])
    expect(expectedMaximumSharpe(10, 0)).toBe(0)
  })
})

describe('the least length of a backtest', () => {
  it('is five years for 45 trials and a ratio of 1: the paper', () => {
    expect(minimumBacktestYears(45, 1)).toBeCloseTo(5, 1)
  })

  it('is below the bound of the paper, 2 ln N / SR²', () => {
    for (const trials of [2, 7, 45, 1_000, 1e6]) {
      expect(minimumBacktestYears(trials, 1.3)).toBeLessThan((2 * Math.log(trials)) / 1.69)
    }
  })

  it('is null for a ratio that nothing is to be shown of, 0 for one trial', () => {
    expect([0, -1, Number.NaN].map((sharpe) => minimumBacktestYears(10, sharpe))).toEqual([null, null, null])
    expect(minimumBacktestYears(1, 1)).toBe(0)
  })
})
