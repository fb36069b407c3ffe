/**
 * The touch as a strategy sees it: exact decimals, and doubles that are the nearest ones.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUnits } from '../../src/domain/fixed-point.ts'
import { MarketQuote } from '../../src/strategy/market-quote.ts'
import { market } from '../exchange/rig/configs.ts'

const units = fc.oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
const precision = fc.integer({ min: 0, max: 12 })

describe('a quote', () => {
  it('is exact in what it reports, and each number is the double nearest to it', () => {
    const qtys = fc.tuple(units, units)
    fc.assert(
      fc.property(
        units,
        units,
        qtys,
        precision,
        precision,
        (bid, ask, [bidQty, askQty], pricePrecision, qtyPrecision) => {
          const quote = new MarketQuote(
            { time: 1, bid, bidQty, ask, askQty },
            market('BTC_USD', { pricePrecision, qtyPrecision }),
          )
          const middle = formatUnits((BigInt(bid) + BigInt(ask)) * 5n, pricePrecision + 1)
          const reported = [
            [quote.bid, quote.bidNumber, formatUnits(bid, pricePrecision)],
            [quote.ask, quote.askNumber, formatUnits(ask, pricePrecision)],
            [quote.bidQty, quote.bidQtyNumber, formatUnits(bidQty, qtyPrecision)],
            [quote.askQty, quote.askQtyNumber, formatUnits(askQty, qtyPrecision)],
            [quote.mid, quote.midNumber, middle],
          ] as const
          for (const [exact, double, text] of reported) {
            expect(exact?.eq(text)).toBe(true)
            expect(double).toBe(Number(text))
          }
        },
      ),
    )
  })

  it('makes a Decimal once, on first use', () => {
    const quote = new MarketQuote({ time: 1, bid: 1, bidQty: 2, ask: 3, askQty: 4 }, market('BTC_USD'))
    for (const key of ['bid', 'bidQty', 'ask', 'askQty', 'mid'] as const) expect(quote[key]).toBe(quote[key])
    expect([quote.symbol, quote.time]).toEqual(['BTC_USD', 1])
  })
})
