/**
 * Runs that might have been: repeatable, around what there was, and as wide as chance.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviation, sum } from '../../../src/analysis/returns/float-sums.ts'
import { type Spread, equityMonteCarlo, tripMonteCarlo } from '../../../src/sweep/selection/monte-carlo.ts'
import { chance, normalTrials } from './rig/chance.ts'

const rises = ({ low, lowerQuarter, median, upperQuarter, high }: Spread): void => {
  const values = [low, lowerQuarter, median, upperQuarter, high]
  values.slice(1).forEach((value, index) => expect(value).toBeGreaterThanOrEqual(values[index] ?? Infinity))
}

describe('round trips', () => {
  const profits = (normalTrials(4, 1, 200, 0.1)[0] ?? []).map((value) => 10_000 * value)

  it('in another order come to the same, with another fall on the way', () => {
    const found = tripMonteCarlo(profits, 'permute', chance(1))
    expect(found?.rounds).toBe(1_000)
    const total = sum(profits)
    expect(found?.final.low).toBeCloseTo(total, 6)
    expect(found?.final.high).toBeCloseTo(total, 6)
    expect(found?.maxDrawdown.high).toBeGreaterThan(1.5 * (found?.maxDrawdown.low ?? Infinity))
    expect(found?.lossShare).toBe(total < 0 ? 1 : 0)
  })

  it('drawn again spread as the root of their number says', () => {
    const found = tripMonteCarlo(profits, 'resample', chance(2), 4_000)
    const error = (deviation(profits) ?? 0) * Math.sqrt(profits.length)
    const width = (found?.final.high ?? 0) - (found?.final.low ?? 0)
    // From 5 to 95 of a hundred are 3.29 deviations.
    expect(width / error).toBeGreaterThan(3.1)
    expect(width / error).toBeLessThan(3.5)
    expect(found?.final.median).toBeGreaterThan(sum(profits) - error / 5)
    expect(found?.final.median).toBeLessThan(sum(profits) + error / 5)
  })

  it('that all lose fall by all of it; that all win never fall', () => {
    const lost = tripMonteCarlo(new Array<number>(20).fill(-2), 'permute', chance(1))
    expect([lost?.final.median, lost?.maxDrawdown.low, lost?.lossShare]).toEqual([-40, 40, 1])
    const won = tripMonteCarlo(new Array<number>(20).fill(2), 'resample', chance(1))
    expect([won?.final.median, won?.maxDrawdown.high, won?.lossShare]).toEqual([40, 0, 0])
  })

  it('fall at least by what they end below their start, and by no more than all losses', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 10, maxLength: 30 }),
        fc.nat(),
        (trips, seed) => {
          const found = tripMonteCarlo(trips, 'permute', chance(seed), 50)
          if (found === null) throw new Error('ten are enough')
          const losses = trips.reduce((total, profit) => total + Math.max(-profit, 0), 0)
          expect(found.maxDrawdown.low).toBeGreaterThanOrEqual(Math.max(0, -sum(trips)) - 1e-9)
          expect(found.maxDrawdown.high).toBeLessThanOrEqual(losses + 1e-9)
          rises(found.final)
          rises(found.maxDrawdown)
        },
      ),
    )
  })

  it('are the same for the same seed, others for another', () => {
    expect(tripMonteCarlo(profits, 'resample', chance(5))).toEqual(tripMonteCarlo(profits, 'resample', chance(5)))
    expect(tripMonteCarlo(profits, 'resample', chance(5))).not.toEqual(tripMonteCarlo(profits, 'resample', chance(6)))
  })

  it('stand beside what they made in the order in which they came', () => {
    const trips = [5, -2, -4, 3, 1, 1, 1, 1, 1, 1]
    for (const draw of ['resample', 'permute'] as const) {
      expect(tripMonteCarlo(trips, draw, chance(1))?.actual).toEqual({ final: 8, maxDrawdown: 6 })
    }
  })

  it('say nothing when there are fewer than ten', () => {
    expect(tripMonteCarlo(profits.slice(0, 9), 'permute', chance(1))).toBeNull()
  })
})

describe('equity', () => {
  const [returns = []] = normalTrials(7, 1, 300, 0.05)

  it('spreads around what the returns made together', () => {
    const found = equityMonteCarlo(returns, chance(1), 2_000)
    const made = returns.reduce((equity, value) => equity * (1 + value), 1) - 1
    expect(found?.final.low).toBeLessThan(made)
    expect(found?.final.high).toBeGreaterThan(made)
    expect(Math.abs((found?.final.median ?? 9) - made)).toBeLessThan(0.1)
    rises(found?.final ?? { low: 1, lowerQuarter: 0, median: 0, upperQuarter: 0, high: 0 })
  })

  it('keeps what follows upon what: of runs of losses it falls deeper than of the same days mixed', () => {
    const runs = Array.from({ length: 400 }, (_, day) => (Math.floor(day / 20) % 2 === 0 ? 0.01 : -0.0095))
    const mixed = runs.map((_, day) => runs[(day * 149) % 400] ?? 0)
    const [ofRuns, ofMixed] = [runs, mixed].map((row) => equityMonteCarlo(row, chance(3))?.maxDrawdown.median ?? 0)
    expect(ofRuns).toBeGreaterThan(1.5 * (ofMixed ?? Infinity))
  })

  it('of days that all lose by a half is gone but for a hair, and falls by a share below 1', () => {
    const found = equityMonteCarlo(new Array<number>(10).fill(-0.5), chance(1))
    expect(found?.final.high).toBe(2 ** -10 - 1)
    expect(found?.maxDrawdown.low).toBe(1 - 2 ** -10)
    expect(found?.lossShare).toBe(1)
  })

  it('stands beside what the days made in the order in which they came', () => {
    const days = [1, -0.5, -0.5, 1, 0, 0, 0, 0, 0, 0]
    expect(equityMonteCarlo(days, chance(1))?.actual).toEqual({ final: 0, maxDrawdown: 0.75 })
  })

  it('says nothing of fewer than ten days', () => {
    expect(equityMonteCarlo(returns.slice(0, 9), chance(1))).toBeNull()
  })
})
