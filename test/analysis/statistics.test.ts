import { describe, expect, it } from 'vitest'
import type { OpenTripReport } from '../../src/analysis/open-trip.ts'
import { statisticsOf } from '../../src/analysis/statistics.ts'
import type { RunFigures } from '../../src/analysis/statistics.ts'

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

const FIGURES: RunFigures = {
  initialEquity: 10_000n,
  finalEquity: 12_000n,
  maxDrawdown: 0.25,
  prices: [{ firstPrice: 100, lastPrice: 110 }],
  roundTrips: { closed: 4, won: 2 },
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
}

describe('statistics', () => {
  it('are each figure from its own function, as plain JSON', () => {
    const statistics = statisticsOf(FIGURES)
    expect(statistics).toEqual({
      return: 0.2,
      buyAndHoldReturn: 0.1,
      maxDrawdown: 0.25,
      roundTrips: 4,
      openTrips: [OPEN],
      winRate: 0.5,
      fees: { USD: '12.345', EUR: '0' },
      exposure: 0.375,
    })
    expect(JSON.parse(JSON.stringify(statistics))).toEqual(statistics)
  })

  it('say null, not NaN, where there is no figure', () => {
    const statistics = statisticsOf({ ...FIGURES, initialEquity: 0n, roundTrips: { closed: 0, won: 0 } })
    expect(statistics).toMatchObject({ return: null, winRate: null, roundTrips: 0 })
  })

  it('refuse a fee in an asset that the ledger does not have', () => {
    expect(() => statisticsOf({ ...FIGURES, scales: new Map() })).toThrow('no ledger scale for USD')
  })
})
