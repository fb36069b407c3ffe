/**
 * The JSON forms of what is read from an exchange, field by field (the specification, section 2; decisions 1, 2, 15 to
 * 17).
 */
import { describe, expect, it } from 'vitest'
import { auditToJson } from '../../src/domain/audit.ts'
import { balancesToJson } from '../../src/domain/balances.ts'
import { ALL_CANDLE_INTERVALS, candleOpenTime, candleToJson } from '../../src/domain/candle.ts'
import type { Market } from '../../src/domain/market.ts'
import { portfolioToJson } from '../../src/domain/portfolio.ts'
import type { Portfolio } from '../../src/domain/portfolio.ts'
import { tickerToJson } from '../../src/domain/ticker.ts'
import type { Ticker } from '../../src/domain/ticker.ts'
import { fillToJson, tradeToJson } from '../../src/domain/trade.ts'

const market: Market = {
  id: 'btc_usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 3,
}

describe('spec 2: Ticker', () => {
  const ticker: Ticker = {
    symbol: 'BTC_USD',
    lastPrice: 10_100,
    openPrice: 10_000,
    high: 10_150,
    low: 9_990,
    volume: 2_500n,
    quoteVolume: 25_000_000n,
    timestamp: Date.UTC(2025, 0, 2),
  }

  it('decision 15: prices with the decimals of the market, volumes without trailing zeros', () => {
    expect(tickerToJson(ticker, market)).toEqual({
      event: 'ticker',
      symbol: 'BTC_USD',
      lastPrice: '101.00',
      openPrice: '100.00',
      high: '101.50',
      low: '99.90',
      volume: '2.5',
      quoteVolume: '250',
      priceChange: '1.00',
      priceChangePercent: 1,
      timestamp: '2025-01-02T00:00:00.000Z',
    })
  })

  it('decision 16: before the first trade every figure is "0" and the percentage 0', () => {
    const none = { lastPrice: 0, openPrice: 0, high: 0, low: 0, volume: 0n, quoteVolume: 0n }
    expect(tickerToJson({ ...ticker, ...none }, market)).toEqual({
      event: 'ticker',
      symbol: 'BTC_USD',
      lastPrice: '0',
      openPrice: '0',
      high: '0',
      low: '0',
      volume: '0',
      quoteVolume: '0',
      priceChange: '0',
      priceChangePercent: 0,
      timestamp: '2025-01-02T00:00:00.000Z',
    })
  })

  it.each`
    last      | open           | change                  | percent  | why
    ${801}    | ${800}         | ${'0.01'}               | ${0.12}  | ${'0.125 to the even 0.12'}
    ${803}    | ${800}         | ${'0.03'}               | ${0.38}  | ${'0.375 to the even 0.38'}
    ${799}    | ${800}         | ${'-0.01'}              | ${-0.12} | ${'-0.125 to the even -0.12'}
    ${99_999} | ${100_000}     | ${'-0.01'}              | ${0}     | ${'-0.001 % is 0 and not -0'}
    ${100}    | ${100}         | ${'0.00'}               | ${0}     | ${'no change keeps its decimals'}
    ${300}    | ${100}         | ${'2.00'}               | ${200}   | ${'tripled'}
    ${1}      | ${2 ** 53 - 1} | ${'-90071992547409.90'} | ${-100}  | ${'exact at any size'}
  `('decision 16: $open -> $last changes by $change, $percent %: $why', ({ last, open, change, percent }) => {
    const json = tickerToJson({ ...ticker, lastPrice: last, openPrice: open }, market)
    expect(json.priceChange).toBe(change)
    expect(json.priceChangePercent).toBe(percent)
  })
})

describe('spec 2: Candle', () => {
  it('decision 2: time is Unix milliseconds; decision 15: prices with the decimals of the market, volume trimmed', () => {
    const candle = { time: 60_000, symbol: 'BTC_USD', open: 100, high: 250, low: 95, close: 200, volume: 1_500n }
    expect(candleToJson(candle, market)).toEqual({
      time: 60_000,
      symbol: 'BTC_USD',
      open: '1.00',
      high: '2.50',
      low: '0.95',
      close: '2.00',
      volume: '1.5',
    })
  })

  it.each`
    time                        | interval | expected                    | why
    ${0}                        | ${'1m'}  | ${0}                        | ${'the boundary itself'}
    ${59_999}                   | ${'1m'}  | ${0}                        | ${'the last millisecond'}
    ${60_000}                   | ${'1m'}  | ${60_000}                   | ${'the next boundary'}
    ${-1}                       | ${'1m'}  | ${-60_000}                  | ${'before 1970'}
    ${-60_000}                  | ${'1m'}  | ${-60_000}                  | ${'a boundary before 1970'}
    ${Date.UTC(2025, 0, 2, 23)} | ${'1d'}  | ${Date.UTC(2025, 0, 2)}     | ${'days open at midnight UTC'}
    ${Date.UTC(2025, 0, 2, 23)} | ${'4h'}  | ${Date.UTC(2025, 0, 2, 20)} | ${'four hours from midnight'}
  `('candleOpenTime of $time, $interval: $expected: $why', ({ time, interval, expected }) => {
    const length = ALL_CANDLE_INTERVALS[interval as keyof typeof ALL_CANDLE_INTERVALS]
    expect(candleOpenTime(time, length)).toBe(expected)
  })

  it('each interval divides the next, so that longer candles are made of shorter ones', () => {
    const lengths = Object.values(ALL_CANDLE_INTERVALS)
    lengths.slice(1).forEach((length, index) => {
      expect(length % (lengths[index] ?? Number.NaN)).toBe(0)
      expect(length).toBeGreaterThan(lengths[index] ?? 0)
    })
  })
})

describe('spec 2: Portfolio', () => {
  const portfolio: Portfolio = {
    quoteAsset: 'USD',
    valueScale: 5,
    equity: 15_000_000n,
    baselineEquity: 14_000_000n,
    baselineAt: Date.UTC(2025, 0, 1),
    asOf: Date.UTC(2025, 0, 2),
    partial: false,
    positions: [
      {
        asset: 'BTC',
        available: 500n,
        locked: 1_000n,
        total: 1_500n,
        scale: 3,
        markPrice: 5_000,
        markScale: 2,
        value: 7_500_000n,
      },
    ],
  }

  it('decision 15: every figure a decimal string without trailing zeros, the times as ISO 8601', () => {
    expect(portfolioToJson(portfolio)).toEqual({
      quoteAsset: 'USD',
      equity: '150',
      baselineEquity: '140',
      pnl: '10',
      pnlPercent: '7.14',
      baselineAt: '2025-01-01T00:00:00.000Z',
      asOf: '2025-01-02T00:00:00.000Z',
      partial: false,
      positions: [{ asset: 'BTC', available: '0.5', locked: '1', total: '1.5', markPrice: '50', value: '75' }],
    })
  })

  it.each`
    equity      | baseline    | pnl           | percent    | why
    ${0n}       | ${0n}       | ${'0'}        | ${'0'}     | ${'nothing'}
    ${500_000n} | ${0n}       | ${'5'}        | ${'0'}     | ${'"0" when the baseline is 0'}
    ${0n}       | ${500_000n} | ${'-5'}       | ${'-100'}  | ${'all lost'}
    ${801n}     | ${800n}     | ${'0.00001'}  | ${'0.12'}  | ${'0.125 to the even 0.12'}
    ${799n}     | ${800n}     | ${'-0.00001'} | ${'-0.12'} | ${'-0.125 to the even -0.12'}
    ${99_999n}  | ${100_000n} | ${'-0.00001'} | ${'0'}     | ${'-0.001 % is "0" and not "-0"'}
    ${110_000n} | ${100_000n} | ${'0.1'}      | ${'10'}    | ${'no trailing zeros'}
  `('decision 17: pnlPercent of $equity from $baseline: $percent: $why', ({ equity, baseline, pnl, percent }) => {
    const json = portfolioToJson({ ...portfolio, equity, baselineEquity: baseline })
    expect(json.pnl).toBe(pnl)
    expect(json.pnlPercent).toBe(percent)
  })
})

describe('spec 2: trades', () => {
  const trade = {
    id: 7,
    symbol: 'BTC_USD',
    price: 10_000,
    qty: 1_500,
    buyOrderId: 3,
    sellOrderId: 2,
    buyerId: 'alice',
    sellerId: 'bob',
    isBuyerMaker: false,
    createdAt: 1_735_689_600_000,
  }
  const json = {
    id: '7',
    symbol: 'BTC_USD',
    price: '100.00',
    qty: '1.500',
    buyOrderId: '3',
    sellOrderId: '2',
    buyerId: 'alice',
    sellerId: 'bob',
    isBuyerMaker: false,
    createdAt: 1_735_689_600_000,
  }

  it('a public trade: price and qty with the decimals of the market, the time in Unix milliseconds', () => {
    expect(tradeToJson(trade, market)).toEqual(json)
  })

  it('decision 1: a private trade adds side, orderId and isMaker, and nothing else', () => {
    const fill = { trade, side: 'SELL', orderId: 2, isMaker: true, fee: 9n } as const
    expect(fillToJson(fill, market)).toEqual({ ...json, side: 'SELL', orderId: '2', isMaker: true })
  })
})

describe('spec 2: Balances, and the audit', () => {
  const scales = new Map([
    ['BTC', 3],
    ['USD', 5],
  ])

  it('decision 15: each asset with available and locked, without trailing zeros', () => {
    const balances = new Map([
      ['BTC', { available: 1_500n, locked: 0n }],
      ['USD', { available: 1n, locked: 10n ** 30n }],
    ])
    expect(balancesToJson(balances, scales)).toEqual({
      BTC: { available: '1.5', locked: '0' },
      USD: { available: '0.00001', locked: '10000000000000000000000000' },
    })
  })

  it('the audit reports by how much it does not hold', () => {
    const line = { asset: 'BTC', scale: 3, credited: 2_000n, held: 1_500n, fees: 500n }
    expect(auditToJson([line])).toEqual({
      assets: { BTC: { credited: '2', held: '1.5', fees: '0.5', difference: '0' } },
      ok: true,
    })
    expect(auditToJson([line, { ...line, asset: 'USD', held: 1_501n }])).toMatchObject({
      assets: { USD: { difference: '-0.001' } },
      ok: false,
    })
  })
})
