import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { readBalances } from '../../src/wire/wire-balances.ts'
import { readCandles } from '../../src/wire/read-candle.ts'
import { documentedCode, readError } from '../../src/wire/read-error.ts'
import { readMarkets } from '../../src/wire/read-market.ts'
import { readOrder } from '../../src/wire/wire-order.ts'
import { readTrades } from '../../src/wire/wire-trade.ts'

const BTC: Market = {
  id: 'btc-usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 8,
}
const ORDER = {
  id: '17',
  userId: 'alice',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: '100.50',
  qty: '0.5',
  filledQty: '0',
  createdAt: '2024-01-01T00:00:00Z',
}
const CANDLE = { symbol: 'BTC_USD', open: '2', high: '3', low: '1', close: '2', volume: '4' }
const marketOf = (): Market => BTC

describe('an order', () => {
  it.each`
    changes                                              | read                                | why
    ${{}}                                                | ${{ createdAt: 1_704_067_200_000 }} | ${'whole seconds'}
    ${{ createdAt: '2024-01-01T01:00:00.123456+01:00' }} | ${{ createdAt: 1_704_067_200_123 }} | ${'another zone, and finer than a millisecond'}
    ${{ averagePrice: '0' }}                             | ${{ averagePrice: undefined }}      | ${'no average before a fill'}
    ${{ filledQty: '0.1', averagePrice: '100.50' }}      | ${{ averagePrice: '100.5' }}        | ${'an average with a zero'}
    ${{ filledQty: '0.1' }}                              | ${{ averagePrice: undefined }}      | ${'an average that is not reported'}
    ${{ type: 'MARKET', price: null }}                   | ${{ price: undefined }}             | ${'a market order has no price, whatever is reported'}
  `('is read with $changes: $why', ({ changes, read }) => {
    expect(readOrder({ ...ORDER, ...changes }, marketOf)).toMatchObject(read)
  })

  it('cannot be filled beyond its quantity', () => {
    expect(() => readOrder({ ...ORDER, filledQty: '0.50000001' }, marketOf)).toThrow(
      'filledQty: expected at most the qty',
    )
  })

  it('is of a listed market', () => {
    expect(() => readOrder(ORDER, () => undefined)).toThrow(
      "symbol: expected the symbol of a listed market, got 'BTC_USD'",
    )
  })

  it('reports what was found on one line, and not all of it', () => {
    const price = `1\n${'2'.repeat(1000)}`
    const read = (): unknown => readOrder({ ...ORDER, price }, marketOf)
    expect(read).toThrow(/^price: expected a non-negative decimal string, got '1\\n2{78}\.\.\.'$/)
  })
})

describe('a list', () => {
  it.each([null, undefined, {}, 'x', 5])('is an array, and not %j', (answer) => {
    expect(() => readTrades(answer, BTC)).toThrow('the answer: expected an array')
  })

  it('names each market once', () => {
    expect(() => readMarkets({ data: [BTC, BTC] })).toThrow("data[1].symbol: expected each market once, got 'BTC_USD'")
  })

  it.each(['../x_USD', 'BTC', 'BTC_BTC', 'A_B_C', 'BTC_USD\n', 'BTC_US/D'])(
    'has no market of the symbol %j',
    (symbol) => {
      expect(() => readMarkets({ data: [{ ...BTC, symbol }] })).toThrow('data[0].symbol: expected the form BASE_QUOTE')
    },
  )

  it.each([-1, 13, 2.5, '2', null])('has no market of precision %j', (pricePrecision) => {
    const read = (): unknown => readMarkets({ data: [{ ...BTC, pricePrecision }] })
    expect(read).toThrow('data[0].pricePrecision: expected an integer from 0 to 12')
  })
})

describe('candles', () => {
  it('are in the order of time, each once', () => {
    const at = (time: number): unknown => ({ ...CANDLE, time })
    const read = (): unknown => readCandles({ data: [at(1_704_067_200_000), at(1_704_067_200_000)] }, BTC)
    expect(read).toThrow('data[1].time: expected a time after the one before')
  })

  it('begin at a whole millisecond', () => {
    const read = (): unknown => readCandles({ data: [{ ...CANDLE, time: 1_704_067_200_000_001 }] }, BTC)
    expect(read).toThrow('data[0].time: expected a whole millisecond')
  })

  it.each`
    changes           | fault
    ${{ high: '1' }}  | ${'data[0].high'}
    ${{ low: '2.5' }} | ${'data[0].low'}
  `('have the highest and lowest price where they say: $changes', ({ changes, fault }) => {
    expect(() => readCandles({ data: [{ ...CANDLE, time: 1_704_067_200, ...changes }] }, BTC)).toThrow(fault)
  })
})

describe('balances', () => {
  it('are of any asset, also one with the name of what every object has', () => {
    const text = '{"__proto__":{"available":"1.0","locked":"0"},"constructor":{"available":"2","locked":"0"}}'
    expect([...readBalances(JSON.parse(text)).keys()]).toEqual(['__proto__', 'constructor'])
  })
})

describe('an error', () => {
  const error = { code: 'NO_LIQUIDITY', message: '', details: [{ message: 'm', field: 'qty' }, { message: 'n' }] }

  it('is read with its details', () => {
    expect(readError({ error, requestId: 'r' })).toEqual({ ...error, requestId: 'r' })
  })

  it.each([
    undefined,
    {},
    { error: 'no' },
    { error },
    { error, requestId: null },
    { error: { ...error, code: 5 }, requestId: 'r' },
    { error: { code: 'NO_LIQUIDITY' }, requestId: 'r' },
    { error: { ...error, details: [{ field: 'qty' }] }, requestId: 'r' },
  ])('is none when its envelope is not whole: %j', (answer) => {
    expect(readError(answer)).toBeUndefined()
  })

  it.each`
    status | code              | documented
    ${422} | ${'NO_LIQUIDITY'} | ${'NO_LIQUIDITY'}
    ${400} | ${'NO_LIQUIDITY'} | ${undefined}
    ${422} | ${'SOMETHING'}    | ${undefined}
    ${422} | ${'constructor'}  | ${undefined}
  `('is documented by its code with that code s status: $status $code', ({ status, code, documented }) => {
    expect(documentedCode(status, { code, message: '', details: undefined, requestId: 'r' })).toBe(documented)
  })
})
