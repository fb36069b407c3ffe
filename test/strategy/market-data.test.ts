/**
 * Market data as a strategy sees it: exact decimals, and doubles that are the nearest ones.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUnits } from '../../src/domain/fixed-point.ts'
import type { Trade } from '../../src/domain/trade.ts'
import * as papertape from '../../src/index.ts'
import { exactTrade, MarketCandle, MarketTicker, MarketTrade } from '../../src/strategy/market-data.ts'
import { market } from '../exchange/rig/configs.ts'

const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 8 })

const TRADE: Trade = {
  id: 7,
  symbol: 'BTC_USD',
  price: 10_000_005,
  qty: 123,
  buyOrderId: 1,
  sellOrderId: 2,
  buyerId: 'a',
  sellerId: 'b',
  isBuyerMaker: true,
  createdAt: 1_700_000_000_123,
}

describe('a trade', () => {
  it('has the specification’s fields, exact and as numbers', () => {
    const trade = new MarketTrade(TRADE, BTC)
    expect(trade).toMatchObject({ symbol: 'BTC_USD', createdAt: 1_700_000_000_123, isBuyerMaker: true, id: '7' })
    expect([trade.price.toFixed(), trade.qty.toFixed()]).toEqual(['100000.05', '0.00000123'])
    expect([trade.priceNumber, trade.qtyNumber]).toEqual([100_000.05, 0.00000123])
  })

  it('makes a Decimal once, on first use', () => {
    const trade = new MarketTrade(TRADE, BTC)
    expect(trade.price).toBe(trade.price)
    expect(trade.qty).toBe(trade.qty)
  })

  it('reports the framework, and no strategy, its ticks and lots, without a decimal on the way', () => {
    const trade = new MarketTrade({ ...TRADE, price: Number.MAX_SAFE_INTEGER }, BTC)
    expect(exactTrade(trade)).toEqual({ price: Number.MAX_SAFE_INTEGER, qty: 123 })
    expect(Object.values(papertape)).not.toContain(exactTrade)
  })

  it('says nothing of who traded', () => {
    expect(Object.keys(new MarketTrade(TRADE, BTC))).toEqual([
      'symbol',
      'createdAt',
      'isBuyerMaker',
      'isOwn',
      'isOffMarket',
    ])
  })
})

it('gives, as a number, the double that is nearest to the exact value', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat(12), (units, precision) => {
      const trade = new MarketTrade(
        { ...TRADE, price: units, qty: units },
        market('BTC_USD', { pricePrecision: precision, qtyPrecision: precision }),
      )
      // A parser of decimal literals rounds once, to the nearest.
      const nearest = Number(formatUnits(units, precision))
      expect([trade.priceNumber, trade.qtyNumber]).toEqual([nearest, nearest])
      expect(trade.price.toFixed(precision)).toBe(formatUnits(units, precision))
    }),
  )
})

describe('a candle', () => {
  const candle = new MarketCandle(
    { time: 60_000, symbol: 'BTC_USD', open: 1, high: 300, low: 0, close: 250, volume: 10n ** 30n + 1n },
    BTC,
  )

  it('has the specification’s fields, exact and as numbers', () => {
    expect(candle).toMatchObject({ symbol: 'BTC_USD', time: 60_000 })
    const { open, high, low, close, volume } = candle
    expect([open, high, low, close].map((price) => price.toFixed())).toEqual(['0.01', '3', '0', '2.5'])
    expect([candle.openNumber, candle.highNumber, candle.lowNumber, candle.closeNumber]).toEqual([0.01, 3, 0, 2.5])
    expect(volume.toFixed()).toBe('10000000000000000000000.00000001')
    expect(candle.volumeNumber).toBe(1e22)
  })
})

describe('a ticker', () => {
  it('has the specification’s figures, exact at any size', () => {
    const ticker = new MarketTicker(
      {
        symbol: 'BTC_USD',
        lastPrice: 12_345,
        openPrice: 12_000,
        high: 13_000,
        low: 11_999,
        volume: 9_007_199_254_740_993n,
        quoteVolume: 9_007_199_254_740_993n * 12_345n,
        timestamp: 5,
      },
      BTC,
    )
    const { lastPrice, openPrice, high, low, volume, quoteVolume } = ticker
    expect(ticker).toMatchObject({ symbol: 'BTC_USD', timestamp: 5, lastPriceNumber: 123.45 })
    expect([lastPrice, openPrice, high, low].map((price) => price.toFixed())).toEqual([
      '123.45',
      '120',
      '130',
      '119.99',
    ])
    expect([volume.toFixed(), quoteVolume.toFixed()]).toEqual(['90071992.54740993', '11119387479.9777558585'])
  })
})
