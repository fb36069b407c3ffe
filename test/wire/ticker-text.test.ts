/**
 * The text of a ticker is that of its JSON form, whatever was written before for the same market.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { tickerToJson, type Ticker } from '../../src/domain/ticker.ts'
import { tickerText } from '../../src/wire/ticker-text.ts'

const MARKETS = [2, 0].map((precision): Market => ({
  id: 'm',
  name: 'm',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: precision,
  qtyPrecision: 5 - precision,
}))

// Few values, so that tickers often differ in one figure alone, or in the time alone.
const price = fc.constantFrom(0, 1, 10_050, Number.MAX_SAFE_INTEGER)
const volume = fc.constantFrom(0n, 7n, 10n ** 30n)
const ticker: fc.Arbitrary<Ticker> = fc.record({
  symbol: fc.constantFrom('BTC_USD', 'ETH_USD'),
  lastPrice: price,
  openPrice: price,
  high: price,
  low: price,
  volume,
  quoteVolume: volume,
  timestamp: fc.constantFrom(0, 1_700_000_000_000, 1_700_000_000_001),
})

describe('the text of a ticker', () => {
  it('equals its JSON, after any tickers of the same and of another market', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...MARKETS), ticker), { maxLength: 30 }), (written) => {
        for (const [market, each] of written) {
          for (const timestamp of [each.timestamp, each.timestamp + 1]) {
            const one = { ...each, timestamp }
            expect(tickerText(one, market)).toBe(JSON.stringify(tickerToJson(one, market)))
          }
        }
      }),
    )
  })
})
