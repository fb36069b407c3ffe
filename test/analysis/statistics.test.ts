import { describe, expect, it } from 'vitest'
import type { OpenTripReport } from '../../src/analysis/open-trip.ts'
import { statisticsOf } from '../../src/analysis/statistics.ts'
import type { RunFigures } from '../../src/analysis/statistics.ts'
import { TripStatisticsFold } from '../../src/analysis/trip-statistics.ts'
import { DAY_MS } from '../../src/domain/time.ts'

const OPEN: OpenTripReport = {
  symbol: 'BTC_USD',
  side: 'BUY',
  openedAt: 5,
  qty: '0.5',
  entryPrice: '110',
  lastPrice: '100.00',
  unrealizedPnl: '-5',
  quoteAsset: 'USD',
}

const noTrips = new TripStatisticsFold().statistics(2)

/** Of days with one market each. */
const samplesOf = (equities: readonly number[], mark = 110): RunFigures['samples'] =>
  equities.map((equity, day) => ({
    time: (day + 1) * DAY_MS,
    equity: BigInt(equity),
    isPartial: false,
    isTraded: true,
    marks: [mark],
  }))

const FIGURES: RunFigures = {
  initialEquity: 10_000n,
  finalEquity: 12_000n,
  factor: 1,
  isPartialAtStart: false,
  from: 0,
  samples: samplesOf([11_000, 9_900, 12_000]),
  sampling: { periodMs: DAY_MS, riskFreeRate: 0 },
  firstMarks: [100],
  drawdown: { fraction: 0.25, peakAt: 7, troughAt: 9, recoveredAt: undefined },
  prices: [{ firstPrice: 100, lastPrice: 110 }],
  roundTrips: 0,
  trips: noTrips,
  openTrips: [OPEN],
  fees: new Map([
    ['USD', 12_345n],
    ['EUR', 0n],
  ]),
  scales: new Map([
    ['USD', 3],
    ['EUR', 2],
  ]),
  exposure: 0.375,
  scale: 2,
  feesInQuote: 1_234n,
  profit: { price: 2_500n, spread: -20n, fees: -480n },
  traded: { all: 21_450n, made: 5_362n },
  fillRatio: 0.5,
  meanTimeToFirstFillMs: 25,
  random: () => 0.5,
}

describe('statistics', () => {
  it('are each figure from its own function, as plain JSON', () => {
    const statistics = statisticsOf(FIGURES)
    expect(statistics).toMatchObject({
      return: 0.2,
      buyAndHoldReturn: 0.1,
      maxDrawdown: 0.25,
      maxDrawdownFrom: 7,
      maxDrawdownTo: 9,
      maxDrawdownRecoveredAt: null,
      averageDrawdown: 0.1,
      timeUnderWater: 1 / 3,
      roundTrips: 0,
      openTrips: [OPEN],
      winRate: null,
      fees: { USD: '12.345', EUR: '0' },
      feesInQuote: '12.34',
      profit: { price: '25', spread: '-0.2', fees: '-4.8' },
      turnover: 2,
      makerShare: 5_362 / 21_450,
      fillRatio: 0.5,
      meanTimeToFirstFillMs: 25,
      exposure: 0.375,
    })
    expect(JSON.parse(JSON.stringify(statistics))).toEqual(statistics)
  })

  it('say null, not NaN, where there is no figure', () => {
    const statistics = statisticsOf({ ...FIGURES, initialEquity: 0n, prices: [], traded: null, profit: null })
    expect(statistics).toMatchObject({ return: null, buyAndHoldReturn: null, turnover: null, profit: null })
    expect(statistics).toMatchObject({ sharpe: null, volatility: null, worstReturn: null, averageDrawdown: null })
  })

  it.each<[string, Partial<RunFigures>]>([
    [
      'a holding had no price at a sample',
      { samples: samplesOf([1, 2]).map((each) => ({ ...each, isPartial: true })) },
    ],
    ['a part of what it began with never had a price', { isPartialAtStart: true }],
    ['an equity is not above 0', { samples: samplesOf([11_000, 0, 12_000]) }],
  ])('of returns are null where %s', (_, figures) => {
    const { volatility, ulcerIndex, turnover, maxDrawdown } = statisticsOf({ ...FIGURES, ...figures })
    expect([volatility, ulcerIndex, turnover, maxDrawdown]).toEqual([null, null, null, 0.25])
  })

  it('hold no number that is not finite, whatever the samples are', () => {
    for (const equities of [[], [1], [1, 1], Array.from({ length: 30 }, () => 10_000), [10 ** 15, 1]]) {
      for (const value of Object.values(statisticsOf({ ...FIGURES, samples: samplesOf(equities) })).flat()) {
        if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
      }
    }
  })

  it('refuse a fee in an asset that the ledger does not have', () => {
    expect(() => statisticsOf({ ...FIGURES, scales: new Map() })).toThrow('no ledger scale for USD')
  })
})
