/**
 * The mean correlation of trials against all pairs one by one, and what it makes of their number.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comoment, deviation } from '../../../src/analysis/returns/float-sums.ts'
import { TrialCorrelation, effectiveTrials } from '../../../src/sweep/selection/trial-correlation.ts'
import { normalTrials } from './rig/chance.ts'

const meanOf = (trials: readonly (readonly number[])[]): number | null => {
  const correlation = new TrialCorrelation(trials[0]?.length ?? 0)
  for (const returns of trials) correlation.add(returns)
  return correlation.mean
}

/** Pair by pair. */
function naive(trials: readonly (readonly number[])[]): number | null {
  const varied = trials.filter((returns) => (deviation(returns) ?? 0) > 0)
  const pairs = varied.flatMap((one, index) =>
    varied
      .slice(index + 1)
      .map((other) => comoment(one, other) / Math.sqrt(comoment(one, one) * comoment(other, other))),
  )
  return pairs.length === 0 ? null : pairs.reduce((total, value) => total + value, 0) / pairs.length
}

describe('the mean correlation', () => {
  it('is that of all pairs', () => {
    const value = fc.integer({ min: -5, max: 5 }).map((each) => each / 100)
    const trials = fc
      .integer({ min: 2, max: 6 })
      .chain((periods) =>
        fc.array(fc.array(value, { minLength: periods, maxLength: periods }), { minLength: 1, maxLength: 7 }),
      )
    fc.assert(
      fc.property(trials, (rows) => {
        const [ours, theirs] = [meanOf(rows), naive(rows)]
        if (theirs === null) expect(ours).toBeNull()
        else expect(ours).toBeCloseTo(theirs, 10)
      }),
    )
  })

  it('is 1 of copies, -1 of a pair of opposites, about 0 of chance', () => {
    const rows = normalTrials(3, 200, 300)
    const [first = []] = rows
    expect(meanOf([first, first.map((value) => 3 * value + 1), first])).toBeCloseTo(1, 12)
    expect(meanOf([first, first.map((value) => -value)])).toBeCloseTo(-1, 12)
    expect(Math.abs(meanOf(rows) ?? 1)).toBeLessThan(0.01)
  })

  it('leaves out trials that did not vary, and is null without two that did', () => {
    const [one = [], other = []] = normalTrials(3, 2, 20)
    const flat = one.map(() => 0.01)
    expect(meanOf([one, flat, other])).toBe(meanOf([one, other]))
    expect([meanOf([]), meanOf([one]), meanOf([one, flat]), meanOf([[], []])]).toEqual([null, null, null, null])
  })

  it('refuses returns of other periods', () => {
    expect(() => meanOf([[1, 2], [1]])).toThrow('1 returns next to 2')
  })
})

describe('the effective number of trials', () => {
  it.each`
    trials | correlation | expected | why
    ${100} | ${0}        | ${100}   | ${'independent'}
    ${100} | ${1}        | ${1}     | ${'all the same'}
    ${100} | ${0.5}      | ${50.5}  | ${'half-way'}
    ${100} | ${-0.2}     | ${100}   | ${'never more than there are'}
    ${100} | ${null}     | ${100}   | ${'not known'}
    ${1}   | ${null}     | ${1}     | ${'a single one'}
  `('$why: $trials at $correlation are $expected', ({ trials, correlation, expected }) => {
    expect(effectiveTrials(trials, correlation)).toBe(expected)
  })

  it('there is none without a trial', () => {
    expect(() => effectiveTrials(0, 0)).toThrow('0 trials have no best')
  })
})
