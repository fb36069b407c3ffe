/**
 * Markets, fee rates, and the digits of the ledger (decisions 12 and 29).
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { assetsOfSymbol, ledgerScales, parseFeeRate } from '../../src/domain/market.ts'
import type { Market } from '../../src/domain/market.ts'

describe('decision 12: fee rates', () => {
  it.each`
    bps             | rate            | why
    ${'0'}          | ${0n}           | ${'no fee'}
    ${'1'}          | ${10_000n}      | ${'a basis point is 10^-4'}
    ${'0.0001'}     | ${1n}           | ${'the smallest'}
    ${'7.5'}        | ${75_000n}      | ${'a half'}
    ${'25.0001'}    | ${250_001n}     | ${'four decimals'}
    ${'10000'}      | ${100_000_000n} | ${'the whole'}
    ${'10000.0000'} | ${100_000_000n} | ${'the whole, with its decimals'}
  `('$bps basis points are $rate of 10^-8: $why', ({ bps, rate }) => {
    expect(parseFeeRate('--maker-fee', bps)).toBe(rate)
  })

  it.each`
    bps             | why
    ${'10000.0001'} | ${'more than the whole'}
    ${'-1'}         | ${'a rebate'}
    ${'+1'}         | ${'a plus sign'}
    ${'0.00001'}    | ${'five decimals'}
    ${'1.00000'}    | ${'five decimals, though they are zeros'}
    ${'1%'}         | ${'a percentage'}
    ${''}           | ${'nothing'}
    ${'1e1'}        | ${'an exponent'}
  `("'$bps' is refused at its place: $why", ({ bps }) => {
    expect(() => parseFeeRate('--maker-fee', bps)).toThrow(InputError)
    expect(() => parseFeeRate('--maker-fee', bps)).toThrow(
      `--maker-fee: expected basis points from 0 to 10000 with up to 4 decimals, got '${bps}'`,
    )
  })
})

describe('spec 1: symbols', () => {
  it.each`
    symbol            | baseAsset     | quoteAsset
    ${'BTC_USD'}      | ${'BTC'}      | ${'USD'}
    ${'btc_usd'}      | ${'btc'}      | ${'usd'}
    ${'1INCH_USDT'}   | ${'1INCH'}    | ${'USDT'}
    ${'BRK.B_USD'}    | ${'BRK.B'}    | ${'USD'}
    ${'BTC-PERP_USD'} | ${'BTC-PERP'} | ${'USD'}
  `('$symbol trades $baseAsset for $quoteAsset', ({ symbol, baseAsset, quoteAsset }) => {
    expect(assetsOfSymbol('--tape', symbol)).toEqual({ baseAsset, quoteAsset })
  })

  it.each`
    symbol         | why
    ${'BTCUSD'}    | ${'no underscore'}
    ${'BTC/USD'}   | ${'a slash'}
    ${'_USD'}      | ${'no base'}
    ${'BTC_'}      | ${'no quote'}
    ${'A_B_C'}     | ${'two underscores'}
    ${'USD_USD'}   | ${'one asset for itself'}
    ${'BTC_USD\n'} | ${'a line end'}
    ${' BTC_USD'}  | ${'a blank'}
    ${''}          | ${'nothing'}
  `("'$symbol' is refused: $why", ({ symbol }) => {
    expect(() => assetsOfSymbol('--tape', symbol)).toThrow(InputError)
  })
})

describe('decision 29: ledger scales', () => {
  const market = (symbol: string, pricePrecision: number, qtyPrecision: number): Market => ({
    id: symbol,
    name: symbol,
    symbol,
    ...assetsOfSymbol('test', symbol),
    pricePrecision,
    qtyPrecision,
  })

  it.each`
    markets                                               | scales                                    | why
    ${[market('BTC_USD', 2, 8)]}                          | ${[['BTC', 8], ['USD', 10]]}              | ${'base: qty; quote: price + qty'}
    ${[market('BTC_USD', 0, 0)]}                          | ${[['BTC', 0], ['USD', 0]]}               | ${'whole numbers'}
    ${[market('BTC_USD', 12, 12)]}                        | ${[['BTC', 12], ['USD', 24]]}             | ${'the finest'}
    ${[market('BTC_USD', 2, 4), market('ETH_USD', 3, 5)]} | ${[['BTC', 4], ['USD', 8], ['ETH', 5]]}   | ${'the most of all quotes'}
    ${[market('BTC_USD', 2, 4), market('BTC_EUR', 2, 6)]} | ${[['BTC', 6], ['USD', 6], ['EUR', 8]]}   | ${'the most of all bases'}
    ${[market('ETH_BTC', 6, 4), market('BTC_USD', 2, 8)]} | ${[['ETH', 4], ['BTC', 10], ['USD', 10]]} | ${'as base and as quote'}
    ${[]}                                                 | ${[]}                                     | ${'no markets, no assets'}
  `('$scales: $why', ({ markets, scales }) => {
    expect([...ledgerScales(markets)]).toEqual(scales)
  })
})
