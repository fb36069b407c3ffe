import { describe, expect, it } from 'vitest'
import { openTripReport } from '../../src/analysis/open-trip.ts'
import type { OpenTrip } from '../../src/analysis/round-trip.ts'
import { market } from '../exchange/rig/configs.ts'

const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 1 })

/** 2.0 left of 3.0 that were bought for 301.00 in all; a tick of the price is 20 units of 5 digits. */
const TRIP: OpenTrip = {
  symbol: 'BTC_USD',
  openedAt: 1_000,
  side: 'BUY',
  qty: 20n,
  entryQty: 30n,
  entryNotional: 301_000n,
  pnlAt: (price) => BigInt(price - 10_000) * 2_000n,
}

describe('an open round trip in figures', () => {
  it('has quantity, entry and profit as decimal strings, the price as its market writes it', () => {
    expect(openTripReport(TRIP, BTC, 5, 10_150)).toEqual({
      symbol: 'BTC_USD',
      side: 'BUY',
      openedAt: 1_000,
      qty: '2',
      entryPrice: '100.3333333333',
      lastPrice: '101.50',
      unrealizedPnl: '3',
      quoteAsset: 'USD',
    })
  })

  it('is exact beyond 2^53, a loss too', () => {
    const report = openTripReport({ ...TRIP, pnlAt: () => -(10n ** 25n) - 1n }, BTC, 5, 1)
    expect(report.unrealizedPnl).toBe('-100000000000000000000.00001')
  })

  it('says null, not nothing, where no price was recorded', () => {
    expect(openTripReport(TRIP, BTC, 5, 0)).toMatchObject({ lastPrice: null, unrealizedPnl: null })
  })
})
