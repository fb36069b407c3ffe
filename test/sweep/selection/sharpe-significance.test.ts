/**
 * What a Sharpe ratio is worth: the worked examples of the papers, and chance itself.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviation, mean } from '../../../src/analysis/returns/float-sums.ts'
import {
  deflatedSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeSample,
} from '../../../src/sweep/selection/selection-statistics.ts'
import { normalTrials } from './rig/chance.ts'

/** 2.5 a year of 250 days over 1 250 of them, γ₃ = -3, γ₄ = 10. */
const OF_THE_PAPER = { sharpe: 2.5 / Math.sqrt(250), periods: 1_250, skew: -3, kurtosis: 7 }
const VARIANCE = 1 / 2 / 250

describe('the deflated Sharpe ratio', () => {
  it.each`
    trials | sample                                       | expected  | why
    ${100} | ${OF_THE_PAPER}                              | ${0.9004} | ${'the worked example of Bailey and López de Prado (2014)'}
    ${46}  | ${OF_THE_PAPER}                              | ${0.9505} | ${'the same after 46 trials only'}
    ${88}  | ${{ ...OF_THE_PAPER, skew: 0, kurtosis: 0 }} | ${0.9505} | ${'after 88, had the returns been normal'}
  `('$why', ({ trials, sample, expected }) => {
    expect(deflatedSharpe(sample, trials, VARIANCE)).toBeCloseTo(expected, 3)
  })

  it('is that of the paper to the fourth digit', () => {
    expect(deflatedSharpe(OF_THE_PAPER, 100, VARIANCE)?.toFixed(4)).toBe('0.9004')
  })

  it('of one trial is the probabilistic one against 0, and never rises with more of them', () => {
    expect(deflatedSharpe(OF_THE_PAPER, 1, VARIANCE)).toBe(probabilisticSharpe(OF_THE_PAPER, 0))
    const trials = fc.integer({ min: 1, max: 1e9 })
    fc.assert(
      fc.property(trials, trials, (one, other) => {
        const [few, many] = [Math.min(one, other), Math.max(one, other)]
        const [ofFew, ofMany] = [few, many].map((count) => deflatedSharpe(OF_THE_PAPER, count, VARIANCE) ?? Number.NaN)
        expect(ofMany).toBeLessThanOrEqual((ofFew ?? 0) + 1e-15)
      }),
    )
  })

  it('is null without a trial, and for no variance', () => {
    expect(deflatedSharpe(OF_THE_PAPER, 0, VARIANCE)).toBeNull()
    expect(deflatedSharpe(OF_THE_PAPER, 10, Number.NaN)).toBeNull()
  })
})

describe('the probabilistic Sharpe ratio', () => {
  it.each`
    skew      | kurtosis | expected | why
    ${0}      | ${0}     | ${0.982} | ${'normal returns'}
    ${-2.448} | ${7.164} | ${0.913} | ${'skewed and fat-tailed ones'}
  `('of 0.458 a month over 24 months is $expected with $why: Bailey and López de Prado (2012)', (row) => {
    const sample = { sharpe: 0.458, periods: 24, skew: row.skew, kurtosis: row.kurtosis }
    expect(probabilisticSharpe(sample, 0)).toBeCloseTo(row.expected, 3)
  })

  it('is one half at its own benchmark', () => {
    expect(probabilisticSharpe(OF_THE_PAPER, OF_THE_PAPER.sharpe)).toBe(0.5)
  })

  it('is above 95 % in one of twenty runs of luck', () => {
    const runs = normalTrials(5, 2_000, 250)
    const sure = runs.filter((run) => {
      const sample = sharpeSample(run)
      return sample !== null && (probabilisticSharpe(sample, 0) ?? 0) > 0.95
    })
    // Of 2 000 a hundred are expected, give or take thirty.
    expect(sure.length).toBeGreaterThan(70)
    expect(sure.length).toBeLessThan(130)
  })

  it('is null where adjusted moments are those of no distribution, and for one return', () => {
    expect(probabilisticSharpe({ sharpe: 1, periods: 10, skew: 3, kurtosis: -1 }, 0)).toBeNull()
    expect(probabilisticSharpe({ ...OF_THE_PAPER, periods: 1 }, 0)).toBeNull()
  })
})

describe('the least track record', () => {
  it.each`
    periodsPerYear | skew     | kurtosis | years   | why
    ${12}          | ${0}     | ${0}     | ${3.24} | ${'months, normal'}
    ${12}          | ${-0.72} | ${2.78}  | ${4.99} | ${'months, skewed and fat-tailed'}
    ${52}          | ${0}     | ${0}     | ${2.83} | ${'weeks, normal'}
    ${250}         | ${0}     | ${0}     | ${2.73} | ${'days, normal'}
  `('to hold 2 a year for more than 1 is $years years of $why: Bailey and López de Prado (2012)', (row) => {
    const yearly = Math.sqrt(row.periodsPerYear)
    const sample = { sharpe: 2 / yearly, periods: 10, skew: row.skew, kurtosis: row.kurtosis }
    const periods = minimumTrackRecord(sample, 1 / yearly, 0.95) ?? 0
    expect(periods / row.periodsPerYear).toBeCloseTo(row.years, 1)
  })

  it('is the length at which the probabilistic ratio reaches the confidence', () => {
    const periods = minimumTrackRecord(OF_THE_PAPER, 0.1, 0.95)
    expect(periods).not.toBeNull()
    expect(probabilisticSharpe({ ...OF_THE_PAPER, periods: periods ?? 0 }, 0.1)).toBeCloseTo(0.95, 12)
  })

  it.each([OF_THE_PAPER.sharpe, 1])('is null where the ratio is not above the benchmark of %s', (benchmark) => {
    expect(minimumTrackRecord(OF_THE_PAPER, benchmark, 0.95)).toBeNull()
  })

  it.each([0.5, 0.3, 1, 0, Number.NaN])('is null for a confidence of %s', (confidence) => {
    expect(minimumTrackRecord(OF_THE_PAPER, 0, confidence)).toBeNull()
  })
})

describe('the sample of returns', () => {
  it('has their moments', () => {
    const [run = []] = normalTrials(1, 1, 500)
    const sample = sharpeSample(run)
    expect(sample?.sharpe).toBe((mean(run) ?? 0) / (deviation(run) ?? 0))
    expect(sample?.periods).toBe(500)
    expect(Math.abs(sample?.skew ?? 9)).toBeLessThan(0.3)
    expect(Math.abs(sample?.kurtosis ?? 9)).toBeLessThan(0.6)
  })

  it.each([[[]], [[0.1, 0.2, 0.3]], [[0.1, 0.1, 0.1, 0.1, 0.1]]])('is null of %j', (returns) => {
    expect(sharpeSample(returns)).toBeNull()
  })
})
