import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TripStatisticsFold, type EndedTrip } from '../../src/analysis/trip-statistics.ts'

const trip = (pnl: bigint | number, more: Partial<EndedTrip> = {}): EndedTrip => ({
  pnl: BigInt(pnl),
  return: Number(pnl) / 1_000,
  openedAt: 0,
  closedAt: 10,
  mae: 0,
  mfe: 0,
  ...more,
})

const statisticsOf = (trips: readonly EndedTrip[], scale = 0) => {
  const fold = new TripStatisticsFold()
  for (const each of trips) fold.add(each)
  return fold.statistics(scale)
}

describe('figures of round trips', () => {
  it('by hand: three that won, two that lost, one that broke even', () => {
    const profits = [200, 100, 0, -50, -100, 300]
    const trips = profits.map((pnl, index) => trip(pnl, { closedAt: 10 * index, mae: 0.01 * index, mfe: 0.02 }))
    expect(statisticsOf(trips, 2)).toEqual({
      winRate: 0.5,
      profitFactor: 4,
      payoff: 200 / 75,
      expectancy: 0.75,
      meanTripReturn: expect.closeTo(0.075, 15) as number,
      bestTripReturn: 0.3,
      worstTripReturn: -0.1,
      // Mean 75, deviation 147.479.
      sqn: expect.closeTo(
        (Math.sqrt(6) * 75) / Math.sqrt((125 ** 2 + 25 ** 2 + 75 ** 2 + 125 ** 2 + 175 ** 2 + 225 ** 2) / 5),
        12,
      ) as number,
      kelly: expect.closeTo(0.5 - 0.5 / (200 / 75), 15) as number,
      meanTripMs: 25,
      longestTripMs: 50,
      winStreak: 2,
      lossStreak: 2,
      mae: expect.closeTo(0.025, 15) as number,
      mfe: expect.closeTo(0.02, 15) as number,
    })
  })

  it('are null without a trip, and where one kind is missing', () => {
    expect(Object.values(statisticsOf([])).every((value) => value === null)).toBe(true)
    expect(statisticsOf([trip(5)])).toMatchObject({
      profitFactor: null,
      payoff: null,
      kelly: null,
      sqn: null,
      winRate: 1,
    })
    expect(statisticsOf([trip(-5), trip(-5)])).toMatchObject({ profitFactor: 0, payoff: null, sqn: null, winStreak: 0 })
    expect(statisticsOf([trip(0)])).toMatchObject({ profitFactor: null, winRate: 0, winStreak: 0, lossStreak: 0 })
  })

  it('are exact in what they sum, beyond 2^53', () => {
    const large = 10n ** 25n
    expect(statisticsOf([trip(large), trip(1n), trip(-large)], 25).expectancy).toBe(Number(1n) / 3 / 1e25)
  })

  it('are what all trips at once give', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 40 }), (profits) => {
        const seen = statisticsOf(profits.map((pnl) => trip(pnl)))
        const center = profits.reduce((a, b) => a + b) / profits.length
        const spread = Math.sqrt(profits.reduce((a, b) => a + (b - center) ** 2, 0) / (profits.length - 1))
        if (spread > 1e-9) expect(seen.sqn).toBeCloseTo((Math.sqrt(profits.length) * center) / spread, 9)
        expect(seen.expectancy).toBeCloseTo(center, 12)
        const signs = profits.map((pnl) => (pnl > 0 ? 'w' : pnl < 0 ? 'l' : '-')).join('')
        const longest = (kind: RegExp): number => Math.max(0, ...(signs.match(kind) ?? []).map((run) => run.length))
        expect([seen.winStreak, seen.lossStreak]).toEqual([longest(/w+/g), longest(/l+/g)])
      }),
    )
  })
})
