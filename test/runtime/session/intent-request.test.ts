/**
 * What a strategy wrote, as the exchange would read it: nothing is rounded, nothing is coerced.
 */
import { describe, expect, it } from 'vitest'
import { toDecimal, type DecimalInput } from '../../../src/domain/decimal.ts'
import { readRequest, writeRequest } from '../../../src/runtime/session/intent-request.ts'
import type { PlaceIntent } from '../../../src/strategy/intent.ts'
import { buyLimit, buyMarket } from '../../../src/strategy/orders.ts'
import { market } from '../../exchange/rig/configs.ts'

const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 8 })

const read = (intent: PlaceIntent): ReturnType<typeof readRequest> =>
  readRequest(writeRequest(intent), (symbol) => (symbol === 'BTC_USD' ? BTC : undefined))

/** Lots of a quantity, or the message of its refusal. */
function lotsOf(qty: DecimalInput): number | string {
  const decoded = read(buyMarket('BTC_USD', qty))
  return decoded.ok ? decoded.request.qty : `${decoded.refusal.code} ${decoded.refusal.message}`
}

describe('a quantity that fits', () => {
  it.each`
    qty                               | lots                | why
    ${'0.5'}                          | ${50_000_000}       | ${'text'}
    ${'007.10'}                       | ${710_000_000}      | ${'leading and trailing zeros are the specification’s'}
    ${0.5}                            | ${50_000_000}       | ${'a number'}
    ${0.1}                            | ${10_000_000}       | ${'a number by its shortest digits, not by its bits'}
    ${1e-8}                           | ${1}                | ${'a number that JavaScript writes with an exponent'}
    ${toDecimal('0.00000001')}        | ${1}                | ${'a Decimal'}
    ${toDecimal('90071992.54740991')} | ${9007199254740991} | ${'a Decimal beyond what a double tells apart'}
    ${0}                              | ${0}                | ${'zero is for the exchange to refuse'}
    ${-0}                             | ${0}                | ${'so is its negative'}
  `('$qty is $lots lots: $why', ({ qty, lots }) => {
    expect(lotsOf(qty as DecimalInput)).toBe(lots)
  })
})

describe('a quantity that does not fit', () => {
  const malformed = (text: string): string =>
    `VALIDATION_ERROR qty: expected a non-negative decimal string of at most 40 characters, got '${text}'`

  it.each`
    qty                    | refusal                                                                                  | why
    ${'1e5'}               | ${malformed('1e5')}                                                                      | ${'text with an exponent'}
    ${'Infinity'}          | ${malformed('Infinity')}                                                                 | ${'text that is no number'}
    ${''}                  | ${malformed('')}                                                                         | ${'no text'}
    ${' 1'}                | ${malformed(' 1')}                                                                       | ${'a space'}
    ${'1,5'}               | ${malformed('1,5')}                                                                      | ${'a comma'}
    ${'+1'}                | ${malformed('+1')}                                                                       | ${'a sign'}
    ${'١'}                 | ${malformed('١')}                                                                        | ${'a digit of another script'}
    ${Number.NaN}          | ${malformed('NaN')}                                                                      | ${'NaN'}
    ${Infinity}            | ${malformed('Infinity')}                                                                 | ${'Infinity'}
    ${Number('1e400')}     | ${malformed('Infinity')}                                                                 | ${'a literal that is too large for a number'}
    ${-1}                  | ${malformed('-1')}                                                                       | ${'less than nothing'}
    ${toDecimal('NaN')}    | ${malformed('NaN')}                                                                      | ${'a Decimal that is no number'}
    ${undefined}           | ${malformed('undefined')}                                                                | ${'nothing at all, from JavaScript'}
    ${null}                | ${malformed('null')}                                                                     | ${'null, from JavaScript'}
    ${{}}                  | ${malformed('[object Object]')}                                                          | ${'an object, from JavaScript'}
    ${0.1 + 0.2}           | ${"VALIDATION_ERROR qty: '0.30000000000000004' has more than 8 decimals"}                | ${'a rounding error of the strategy’s own'}
    ${'0.000000001'}       | ${'VALIDATION_ERROR qty: 0.000000001 is below one lot of BTC_USD, 0.00000001 BTC'}       | ${'below one lot'}
    ${'1.000000000'}       | ${"VALIDATION_ERROR qty: '1.000000000' has more than 8 decimals"}                        | ${'too precise, even with zeros'}
    ${'90071992.54740992'} | ${"VALIDATION_ERROR qty: '90071992.54740992' is more than 2^53 - 1 units of 10^-8"}      | ${'too large'}
    ${1e21}                | ${"VALIDATION_ERROR qty: '1000000000000000000000' is more than 2^53 - 1 units of 10^-8"} | ${'too large, and written out'}
    ${'0'.repeat(41)}      | ${malformed(`${'0'.repeat(40)}…`)}                                                       | ${'too long'}
  `('$qty is refused: $why', ({ qty, refusal }) => {
    expect(lotsOf(qty as DecimalInput)).toBe(refusal)
  })
})

describe('a request', () => {
  it('of a limit order has a price, one of a market order has none', () => {
    expect(writeRequest(buyLimit('BTC_USD', '99.5', 2, { tag: 'mine' }))).toStrictEqual({
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'LIMIT',
      price: '99.5',
      qty: '2',
    })
    expect(writeRequest(buyMarket('BTC_USD', 2))).toStrictEqual({
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'MARKET',
      qty: '2',
    })
  })

  it('with two faults names both', () => {
    expect(read(buyLimit('BTC_USD', '1.234', '0.123456789'))).toMatchObject({
      ok: false,
      refusal: { details: [{ field: 'price' }, { field: 'qty' }] },
    })
  })

  it('for a market that is not there is MARKET_NOT_FOUND, before its precision is looked at', () => {
    expect(read(buyMarket('DOGE_USD', '0.0000000000001'))).toMatchObject({
      ok: false,
      refusal: { code: 'MARKET_NOT_FOUND' },
    })
  })

  it('with a side that is none is refused', () => {
    const intent = { ...buyMarket('BTC_USD', 1), side: 'buy' } as unknown as PlaceIntent
    expect(read(intent)).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', details: [{ field: 'side' }] },
    })
  })
})
