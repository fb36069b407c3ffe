/**
 * The probability of overfitting: by hand, against a naive twin, of chance, and of an edge that is there.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ascending, deviation, mean, quantile } from '../../../src/analysis/returns/float-sums.ts'
import { Overfitting, type OverfittingStatistics } from '../../../src/sweep/selection/overfitting.ts'
import { normalTrials } from './rig/chance.ts'

function statisticsOf(trials: readonly (readonly number[])[]): OverfittingStatistics {
  const overfitting = new Overfitting(trials[0]?.length ?? 0)
  for (const returns of trials) overfitting.add(returns)
  return overfitting.statistics()
}

const ratio = (returns: readonly number[]): number => {
  const spread = deviation(returns) ?? 0
  return spread === 0 ? 0 : (mean(returns) ?? 0) / spread
}

/** Every half by itself, from the returns, block by block. */
function naive(trials: readonly (readonly number[])[]): {
  readonly pbo: number
  readonly loss: number
  readonly median: number
} {
  const periods = trials[0]?.length ?? 0
  const blocks = Math.min(16, 2 * Math.floor(periods / 4))
  const logits: number[] = []
  let losses = 0
  for (let mask = 0; mask < 2 ** blocks; mask += 1) {
    const isIn = (period: number): boolean => {
      const block = Array.from({ length: blocks }, (_, index) => index).findLast(
        (index) => Math.floor((index * periods) / blocks) <= period,
      )
      return ((mask >> (block ?? 0)) & 1) === 1
    }
    if (mask.toString(2).replaceAll('0', '').length !== blocks / 2) continue
    const inside = trials.map((row) => ratio(row.filter((_, period) => isIn(period))))
    const outside = trials.map((row) => ratio(row.filter((_, period) => !isIn(period))))
    const best = inside.indexOf(Math.max(...inside))
    const shown = outside[best] ?? 0
    const equal = outside.filter((value) => value === shown).length
    const share = (outside.filter((value) => value < shown).length + (equal + 1) / 2) / (trials.length + 1)
    logits.push(Math.log(share / (1 - share)))
    if (shown < 0) losses += 1
  }
  return {
    pbo: logits.filter((logit) => logit <= 1e-12).length / logits.length,
    loss: losses / logits.length,
    median: quantile(ascending(logits), 0.5),
  }
}

describe('the probability of overfitting', () => {
  it('by hand: two trials whose luck swaps with every half are always overfit', () => {
    // Four blocks of two periods. One gains in the first two blocks and loses in the others, the other the other way round.
    const up = [0.02, 0.01, 0.02, 0.01, -0.02, -0.01, -0.02, -0.01]
    const down = up.map((value) => -value)
    const { pbo, medianLogit, lossProbability, degradation, blocks } = statisticsOf([up, down])
    expect(blocks).toBe(4)
    // In 2 of the 6 halves one wins and loses on the other; in the 4 mixed ones both have a ratio of 0, and the first is chosen.
    expect(pbo).toBe(1)
    expect(lossProbability).toBeCloseTo(2 / 6, 12)
    expect(medianLogit).toBe(0)
    expect(degradation).toBeCloseTo(-1, 12)
  })

  it('is 0 where one trial is the best in every block', () => {
    const shape = [1, 2, 1, 3, 2, 1, 2, 3, 1, 2, 3, 1, 1, 2, 3, 2]
    const trials = [3, 1, 2].map((level) =>
      shape.map((value, period) => level / 100 + ((value * (period % 3)) % 4) / 1_000),
    )
    const { pbo, lossProbability, medianLogit } = statisticsOf(trials)
    expect(pbo).toBe(0)
    expect(lossProbability).toBe(0)
    expect(medianLogit).toBeCloseTo(Math.log(3), 12)
  })

  it('is that of a naive twin', () => {
    const trials = fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 8, max: 21 }), fc.nat(1_000_000))
    fc.assert(
      fc.property(trials, ([count, periods, seed]) => {
        const rows = normalTrials(seed, count, periods)
        const ours = statisticsOf(rows)
        const theirs = naive(rows)
        expect(ours.pbo).toBeCloseTo(theirs.pbo, 12)
        expect(ours.lossProbability).toBeCloseTo(theirs.loss, 12)
        expect(ours.medianLogit).toBeCloseTo(theirs.median, 9)
      }),
      { numRuns: 30 },
    )
  })

  it('of chance is near one half, over many seeds', () => {
    const found = Array.from(
      { length: 20 },
      (_, seed) => statisticsOf(normalTrials(seed + 1, 50, 240)).pbo ?? Number.NaN,
    )
    expect(mean(found)).toBeGreaterThan(0.4)
    expect(mean(found)).toBeLessThan(0.6)
  })

  it('of 500 points of chance is near one half; of a planted edge near 0', () => {
    const rows = normalTrials(77, 500, 500)
    const { pbo } = statisticsOf(rows)
    expect(pbo).toBeGreaterThan(0.3)
    expect(pbo).toBeLessThan(0.7)
    const planted = rows.map((row, index) => (index === 321 ? row.map((value) => value + 0.003) : row))
    expect(statisticsOf(planted).pbo).toBeLessThan(0.05)
    expect(statisticsOf(planted).lossProbability).toBeLessThan(0.05)
  })

  it('stands still when trials change places, but for ties', () => {
    const rows = normalTrials(9, 12, 60)
    expect(statisticsOf(rows.toReversed())).toEqual(statisticsOf(rows))
  })

  it('does not see how large the returns are', () => {
    const rows = normalTrials(9, 12, 60)
    const larger = rows.map((row, index) => row.map((value) => value * 2 ** (index - 20)))
    expect(statisticsOf(larger)).toEqual(statisticsOf(rows))
  })

  it('counts a trial that stood still, in all or in half of the blocks, as one of ratio 0', () => {
    const [row = []] = normalTrials(4, 1, 64)
    const losing = row.map((value) => Math.abs(value) * -1)
    const late = losing.map((value, period) => (period < 32 ? 0 : value))
    const still = row.map(() => 0.0001)
    const found = statisticsOf([losing, late, still])
    // What stood still is the best on every half but the one in which the late one had not begun: there the two are equal, and the first is taken.
    expect(found.lossProbability).toBeCloseTo(1 / 12_870, 12)
    expect(found.pbo).toBeLessThan(0.001)
  })

  it.each`
    periods | blocks  | why
    ${7}    | ${null} | ${'too few for four blocks of two'}
    ${8}    | ${4}    | ${'just enough'}
    ${31}   | ${14}   | ${'two in each, at least'}
    ${32}   | ${16}   | ${'as many as there ever are'}
    ${1000} | ${16}   | ${'whatever is left over'}
  `('takes $blocks blocks of $periods periods: $why', ({ periods, blocks }) => {
    expect(statisticsOf(normalTrials(2, 2, periods)).blocks).toBe(blocks)
  })

  it('is null, all of it, for one trial, for none, and for no periods', () => {
    const nothing = { pbo: null, medianLogit: null, degradation: null, lossProbability: null, blocks: null }
    expect(statisticsOf(normalTrials(2, 1, 100))).toEqual(nothing)
    expect(statisticsOf([])).toEqual(nothing)
    expect(statisticsOf([[], []])).toEqual(nothing)
  })

  it('says nothing of degradation where all stood still', () => {
    const found = statisticsOf([Array(40).fill(0), Array(40).fill(0)] as number[][])
    expect(found.degradation).toBeNull()
    expect(found.pbo).toBe(1)
    expect(found.lossProbability).toBe(0)
  })

  it('refuses returns of other periods', () => {
    expect(() => statisticsOf([Array(40).fill(0), Array(39).fill(0)] as number[][])).toThrow('39 returns next to 40')
  })
})
