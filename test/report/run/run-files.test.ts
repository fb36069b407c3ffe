import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { Market } from '../../../src/domain/market.ts'
import {
  CANDLES_HEADER,
  equityHeader,
  FILLS_HEADER,
  ORDERS_HEADER,
  candleRow,
  equityRow,
  fillRow,
  orderRow,
  periodRow,
} from '../../../src/report/run/run-files.ts'
import { ExactFill } from '../../../src/strategy/exact-fill.ts'
import { ExactOrder } from '../../../src/strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../../src/strategy/own-order.ts'

const MARKET: Market = {
  id: 'BTC_USD',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 3,
}

const NOON = Date.parse('2024-01-01T12:00:00.000Z')

const LIMIT: OwnOrder = {
  id: '7',
  tag: 'entry, "long"',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'PARTIALLY_FILLED',
  price: toDecimal('100.5'),
  qty: toDecimal('3'),
  filledQty: toDecimal('1.5'),
  averagePrice: toDecimal('100'),
  createdAt: NOON,
}

const MARKET_ORDER: OwnOrder = {
  id: '8',
  symbol: 'BTC_USD',
  side: 'SELL',
  type: 'MARKET',
  status: 'CANCELLED',
  qty: toDecimal('0.001'),
  filledQty: toDecimal('0'),
  createdAt: NOON + 1,
}

const FILL: OwnFill = {
  tradeId: '99',
  orderId: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  price: toDecimal('100'),
  qty: toDecimal('1.5'),
  fee: toDecimal('0.015'),
  isMaker: true,
  createdAt: NOON,
}

describe('the files of a run', () => {
  it('orders.csv', () => {
    const file =
      ORDERS_HEADER + orderRow(LIMIT, MARKET, toDecimal('0.015')) + orderRow(MARKET_ORDER, MARKET, toDecimal(0))
    expect(file).toBe(
      'id,symbol,side,type,status,price,qty,filled_qty,average_price,fee,created_at,tag,reason\n' +
        '7,BTC_USD,BUY,LIMIT,PARTIALLY_FILLED,100.50,3.000,1.500,100,0.015,2024-01-01T12:00:00.000Z,"entry, ""long""",\n' +
        '8,BTC_USD,SELL,MARKET,CANCELLED,,0.001,0.000,,0,2024-01-01T12:00:00.001Z,,\n',
    )
  })

  it('fills.csv', () => {
    expect(FILLS_HEADER + fillRow(FILL, MARKET)).toBe(
      'trade_id,time_ms,symbol,side,price,qty,order_id,is_maker,fee,fee_asset\n' +
        '99,1704110400000,BTC_USD,BUY,100.00,1.500,7,true,0.015,USD\n',
    )
  })

  it('has the same row for an order in ticks and lots', () => {
    const sent = { symbol: 'BTC_USD', userId: 'me', fee: 0n, createdAt: NOON }
    const limit = {
      ...sent,
      id: 7,
      side: 'BUY',
      type: 'LIMIT',
      status: 'PARTIALLY_FILLED',
      price: 10_050,
      qty: 3_000,
    } as const
    const partly = new ExactOrder({ ...limit, filledQty: 1_500, filledNotional: 15_000_000n }, MARKET, LIMIT.tag)
    expect(orderRow(partly, MARKET, toDecimal('0.015'))).toBe(orderRow(LIMIT, MARKET, toDecimal('0.015')))
    const none = { ...sent, id: 8, side: 'SELL', type: 'MARKET', status: 'CANCELLED', createdAt: NOON + 1 } as const
    const unfilled = new ExactOrder({ ...none, qty: 1, filledQty: 0, filledNotional: 0n }, MARKET)
    expect(orderRow(unfilled, MARKET, toDecimal(0))).toBe(orderRow(MARKET_ORDER, MARKET, toDecimal(0)))
  })

  it('has the same row for a fill in ticks and lots', () => {
    const trade = {
      id: 99,
      symbol: 'BTC_USD',
      price: 10_000,
      qty: 1_500,
      buyOrderId: 7,
      sellOrderId: 8,
      createdAt: NOON,
    }
    const sides = { buyerId: 'me', sellerId: 'crowd', isBuyerMaker: true }
    const fillOf = (fee: bigint) =>
      ({ trade: { ...trade, ...sides }, side: 'BUY', orderId: 7, isMaker: true, fee }) as const
    expect(fillRow(new ExactFill(fillOf(150n), MARKET, 4), MARKET)).toBe(fillRow(FILL, MARKET))
    const free = { ...FILL, fee: toDecimal(0) }
    expect(fillRow(new ExactFill(fillOf(0n), MARKET, 4), MARKET)).toBe(fillRow(free, MARKET))
  })

  it('equity.csv', () => {
    const samples = [
      { time: NOON, equity: 1_000_000n },
      { time: NOON + 1000, equity: -(10n ** 30n) - 1n },
    ]
    expect(equityHeader(false) + samples.map((sample) => equityRow(sample, 2)).join('')).toBe(
      'time_ms,equity\n1704110400000,10000\n1704110401000,-10000000000000000000000000000.01\n',
    )
  })

  it('periods.csv, without an equity where there was none', () => {
    const rows = [true, false].map((isPartial) =>
      periodRow({ time: NOON, equity: 105n, isPartial, marks: [], isTraded: true }, 2),
    )
    expect(equityHeader(false) + rows.join('')).toBe('time_ms,equity\n1704110400000,\n1704110400000,1.05\n')
  })

  it('candles.csv, without a volume where it is not exact', () => {
    const candle = { time: NOON, open: 10_000, high: 10_050, low: 9_999, close: 10_000 }
    const rows = [12_000, undefined].map((volume) => candleRow({ ...candle, volume }, MARKET, 60_000))
    expect(CANDLES_HEADER + rows.join('')).toBe(
      'symbol,interval_ms,time_ms,open,high,low,close,volume\nBTC_USD,60000,1704110400000,100.00,100.50,99.99,100.00,12\nBTC_USD,60000,1704110400000,100.00,100.50,99.99,100.00,\n',
    )
  })

  it.each`
    header                 | row                                                           | file
    ${ORDERS_HEADER}       | ${orderRow({ ...LIMIT, tag: 'entry' }, MARKET, toDecimal(0))} | ${'orders.csv'}
    ${FILLS_HEADER}        | ${fillRow(FILL, MARKET)}                                      | ${'fills.csv'}
    ${equityHeader(false)} | ${equityRow({ time: 0, equity: 0n }, 2)}                      | ${'equity.csv'}
  `('$file has as many fields in a row as in its header', ({ header, row }: { header: string; row: string }) => {
    expect(row.split(',')).toHaveLength(header.split(',').length)
  })
})
