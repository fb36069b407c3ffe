/**
 * The text of an order book is that of its prices and quantities as the market writes them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTrimmed, formatUnits } from '../../src/domain/fixed-point.ts'
import type { DepthLevel } from '../../src/domain/depth.ts'
import type { Market } from '../../src/domain/market.ts'
import { depthText } from '../../src/wire/depth-text.ts'

const precision = fc.integer({ min: 0, max: 12 })
const qty = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }),
  fc.constantFrom(10n ** 12n, 2n ** 53n - 1n, 2n ** 53n, 10n ** 30n),
  fc.bigInt({ min: 0n, max: 10n ** 20n }),
)
const price = fc.oneof(fc.nat(20), fc.maxSafeNat())
const side = fc.array(fc.record({ price, qty }), { maxLength: 6 })

describe('depthText', () => {
  it('is to the byte what JSON.stringify writes of it', () => {
    fc.assert(
      fc.property(precision, precision, side, side, (pricePrecision, qtyPrecision, bids, asks) => {
        const market: Market = {
          id: 'm',
          name: 'm',
          symbol: 'BTC_USD',
          baseAsset: 'BTC',
          quoteAsset: 'USD',
          pricePrecision,
          qtyPrecision,
        }
        const shown = (levels: readonly DepthLevel[]): readonly (readonly string[])[] =>
          levels.map((level) => [formatUnits(level.price, pricePrecision), formatTrimmed(level.qty, qtyPrecision)])
        const text = JSON.stringify({ bids: shown(bids), asks: shown(asks) })
        expect(depthText({ bids, asks }, market).toString()).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})
