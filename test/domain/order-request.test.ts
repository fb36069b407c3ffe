/**
 * Order creation requests as they come in (the specification, section 2 and section 4, rules 2 and 3; decisions 20, 28,
 * 29).
 */
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { decodeOrderRequest } from '../../src/domain/order-request.ts'

const market: Market = {
  id: 'btc_usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 3,
}

const decode = (input: unknown) => decodeOrderRequest(input, (symbol) => (symbol === 'BTC_USD' ? market : undefined))

const limit = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100.5', qty: '2' }
const atMarket = { symbol: 'BTC_USD', side: 'SELL', type: 'MARKET', qty: '0.001' }

/** The fields named by a VALIDATION_ERROR, undefined where the whole is meant. */
function faultyFields(input: unknown): readonly (string | undefined)[] {
  const decoded = decode(input)
  expect(decoded).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR' } })
  return decoded.ok ? [] : (decoded.refusal.details ?? []).map(({ field }) => field)
}

describe('spec 2: order creation request', () => {
  it('a limit request, in ticks and lots', () => {
    const request = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: 10_050, qty: 2_000 }
    expect(decode(limit)).toEqual({ ok: true, request })
  })

  it('a market request has no price', () => {
    expect(decode(atMarket)).toEqual({
      ok: true,
      request: { symbol: 'BTC_USD', side: 'SELL', type: 'MARKET', qty: 1 },
    })
  })

  it('decision 10: zero is a number: the exchange refuses it, not the decoder', () => {
    expect(decode({ ...limit, price: '0', qty: '0.000' })).toMatchObject({ ok: true, request: { price: 0, qty: 0 } })
  })

  it('decision 29: leading zeros, all decimals of the market, and 2^53 - 1 units are taken', () => {
    const request = { price: '00090071992547409.91', qty: '9007199254740.991' }
    expect(decode({ ...limit, ...request })).toMatchObject({
      ok: true,
      request: { price: 2 ** 53 - 1, qty: 2 ** 53 - 1 },
    })
  })
})

describe('decision 28: nothing is coerced, nothing dropped in silence', () => {
  it.each`
    input                                                                                      | fields                               | why
    ${{ ...limit, note: 'hi' }}                                                                | ${['note']}                          | ${'an extra field'}
    ${{ ...limit, a: 1, b: 2 }}                                                                | ${['a', 'b']}                        | ${'each extra field is named'}
    ${JSON.parse('{"__proto__":1,"symbol":"BTC_USD","side":"BUY","type":"MARKET","qty":"1"}')} | ${['__proto__']}                     | ${'a field that means something to JavaScript'}
    ${{ ...limit, Qty: '1' }}                                                                  | ${['Qty']}                           | ${'names are exact'}
    ${{ ...limit, symbol: undefined }}                                                         | ${['symbol']}                        | ${'symbol is required'}
    ${{ ...limit, side: undefined }}                                                           | ${['side']}                          | ${'side is required'}
    ${{ ...limit, type: undefined }}                                                           | ${['type']}                          | ${'type is required'}
    ${{ ...limit, price: undefined }}                                                          | ${['price']}                         | ${'a limit request needs a price'}
    ${{ ...limit, qty: undefined }}                                                            | ${['qty']}                           | ${'qty is required'}
    ${{}}                                                                                      | ${['symbol', 'side', 'type', 'qty']} | ${'everything is missing, and each is named'}
    ${{ ...limit, symbol: null }}                                                              | ${['symbol']}                        | ${'null is not a string'}
    ${{ ...limit, side: null }}                                                                | ${['side']}                          | ${'null is not a side'}
    ${{ ...limit, type: null }}                                                                | ${['type']}                          | ${'null is not a type'}
    ${{ ...limit, price: null }}                                                               | ${['price']}                         | ${'null is not a decimal'}
    ${{ ...limit, qty: null }}                                                                 | ${['qty']}                           | ${'null is not a decimal'}
    ${{ ...atMarket, price: null }}                                                            | ${['price']}                         | ${'null is not omitted'}
    ${{ ...atMarket, price: '1' }}                                                             | ${['price']}                         | ${'a market request has no price'}
    ${{ ...limit, symbol: 1 }}                                                                 | ${['symbol']}                        | ${'a number for a string'}
    ${{ ...limit, price: 100.5 }}                                                              | ${['price']}                         | ${'a number for a decimal string'}
    ${{ ...limit, qty: 2 }}                                                                    | ${['qty']}                           | ${'a number for a decimal string'}
    ${{ ...limit, qty: 2n }}                                                                   | ${['qty']}                           | ${'a bigint for a decimal string'}
    ${{ ...limit, qty: true }}                                                                 | ${['qty']}                           | ${'a boolean'}
    ${{ ...limit, qty: ['2'] }}                                                                | ${['qty']}                           | ${'an array, which would turn into its text'}
    ${{ ...limit, qty: { toString: () => '2' } }}                                              | ${['qty']}                           | ${'an object, which would turn into its text'}
    ${{ ...limit, side: 'buy' }}                                                               | ${['side']}                          | ${'names are exact'}
    ${{ ...limit, side: ['BUY'] }}                                                             | ${['side']}                          | ${'an array, which would turn into its text'}
    ${{ ...limit, type: 'STOP' }}                                                              | ${['type']}                          | ${'a type that there is not'}
    ${{ ...limit, type: 'limit' }}                                                             | ${['type']}                          | ${'names are exact'}
  `('$why: names $fields', ({ input, fields }) => {
    expect(faultyFields(input)).toEqual(fields)
  })

  it.each([null, undefined, 1, true, 'BUY', [], [limit]])('%j is not a request at all', (input) => {
    expect(faultyFields(input)).toEqual([undefined])
  })
})

describe('decision 29: range of decimals', () => {
  it.each`
    value                                          | why
    ${''}                                          | ${'nothing'}
    ${'-1'}                                        | ${'negative'}
    ${'+1'}                                        | ${'a plus sign'}
    ${'-0'}                                        | ${'a sign'}
    ${'.5'}                                        | ${'no digit before the point'}
    ${'5.'}                                        | ${'no digit behind the point'}
    ${'1e2'}                                       | ${'an exponent'}
    ${' 1'}                                        | ${'a blank'}
    ${'1\n'}                                       | ${'a line end'}
    ${'1,5'}                                       | ${'a comma'}
    ${'0x1'}                                       | ${'hexadecimal'}
    ${'١'}                                         | ${'a digit that is not ASCII'}
    ${'NaN'}                                       | ${'no number'}
    ${'00000000000000000000000000000000000000001'} | ${'41 characters'}
    ${'1.0000'}                                    | ${'more decimals than the market has, though they are zeros'}
    ${'9007199254740992'}                          | ${'more than 2^53 - 1 units'}
  `('$value is refused, for price and for qty: $why', ({ value }) => {
    expect(faultyFields({ ...limit, price: value })).toEqual(['price'])
    expect(faultyFields({ ...limit, qty: value })).toEqual(['qty'])
    expect(faultyFields({ ...limit, price: value, qty: value })).toEqual(['price', 'qty'])
  })

  it('each value is measured by its own precision', () => {
    expect(faultyFields({ ...limit, price: '1.234', qty: '1.234' })).toEqual(['price'])
    expect(faultyFields({ ...limit, price: '90071992547409.92', qty: '9007199254740.991' })).toEqual(['price'])
  })
})

describe('decision 20: order of checks', () => {
  it('an unknown market is MARKET_NOT_FOUND when the shape is right', () => {
    expect(decode({ ...limit, symbol: 'ETH_USD' })).toMatchObject({ ok: false, refusal: { code: 'MARKET_NOT_FOUND' } })
    expect(decode({ ...limit, symbol: '' })).toMatchObject({ ok: false, refusal: { code: 'MARKET_NOT_FOUND' } })
    expect(decode({ ...limit, symbol: 'btc_usd' })).toMatchObject({ ok: false, refusal: { code: 'MARKET_NOT_FOUND' } })
  })

  it('the shape comes before the market, the market before the precision', () => {
    expect(faultyFields({ ...limit, symbol: 'ETH_USD', qty: 'x' })).toEqual(['qty'])
    const tooPrecise = { ...limit, symbol: 'ETH_USD', price: '1.23456' }
    expect(decode(tooPrecise)).toMatchObject({ ok: false, refusal: { code: 'MARKET_NOT_FOUND' } })
  })
})

describe('messages', () => {
  it.each`
    input                           | message
    ${{ ...limit, qty: 2 }}         | ${'qty: expected a decimal string, got a number'}
    ${{ ...limit, qty: {} }}        | ${'qty: expected a decimal string, got an object'}
    ${{ ...limit, qty: [] }}        | ${'qty: expected a decimal string, got an array'}
    ${{ ...limit, qty: null }}      | ${'qty: expected a decimal string, got null'}
    ${{ ...limit, side: 'HOLD' }}   | ${"side: expected BUY or SELL, got 'HOLD'"}
    ${{ ...limit, price: '1.005' }} | ${"price: '1.005' has more than 2 decimals"}
    ${{ ...atMarket, price: '1' }}  | ${'price: must be omitted from a market order'}
    ${{ ...limit, x: 1, qty: '' }}  | ${"x: unknown field; qty: expected a non-negative decimal string of at most 40 characters, got ''"}
    ${undefined}                    | ${'expected an object, got undefined'}
    ${'BUY'}                        | ${"expected an object, got 'BUY'"}
  `('$message', ({ input, message }) => {
    expect(decode(input)).toMatchObject({ ok: false, refusal: { message } })
  })

  it('do not repeat endless input', () => {
    const decoded = decode({ ...limit, qty: 'x'.repeat(10_000) })
    expect(decoded.ok ? '' : decoded.refusal.message).toHaveLength(
      "qty: expected a non-negative decimal string of at most 40 characters, got ''".length + 41,
    )
  })
})
