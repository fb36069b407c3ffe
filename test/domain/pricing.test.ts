import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { ledgerScales } from '../../src/domain/market.ts'
import { pricingsOf, valueScaleOf } from '../../src/domain/pricing.ts'

const market = (symbol: string, pricePrecision: number, qtyPrecision: number): Market => {
  const [baseAsset = '', quoteAsset = ''] = symbol.split('_')
  return { id: symbol, name: symbol, symbol, baseAsset, quoteAsset, pricePrecision, qtyPrecision }
}

const BTC_USD = market('BTC_USD', 2, 3)
const ETH_USD = market('ETH_USD', 4, 0)
const ETH_BTC = market('ETH_BTC', 6, 1)
const MARKETS = [BTC_USD, ETH_USD, ETH_BTC]
// BTC 7 from ETH_BTC, USD 5 from BTC_USD, ETH 1 from ETH_BTC.
const SCALES = ledgerScales(MARKETS)

it('the scale of a value holds every asset at every tick, and no market of another quote asset counts', () => {
  expect(valueScaleOf('USD', SCALES, MARKETS)).toBe(9)
  expect(valueScaleOf('BTC', SCALES, MARKETS)).toBe(7)
  expect(valueScaleOf('EUR', SCALES, MARKETS)).toBe(0)
})

describe('an asset is priced', () => {
  it.each`
    quoteAsset | asset    | symbol       | unitsPerUnit | why
    ${'USD'}   | ${'USD'} | ${undefined} | ${10n ** 4n} | ${'by itself, as the quote asset: 5 digits of 9'}
    ${'USD'}   | ${'BTC'} | ${'BTC_USD'} | ${1n}        | ${'by its market: 7 digits and 2 of the price'}
    ${'USD'}   | ${'ETH'} | ${'ETH_USD'} | ${10n ** 4n} | ${'by its market: 1 digit and 4 of the price'}
    ${'BTC'}   | ${'USD'} | ${undefined} | ${0n}        | ${'not at all, without a market that has it as its base'}
  `(
    '$asset in $quoteAsset $why',
    ({ quoteAsset, asset, symbol, unitsPerUnit }: Record<'quoteAsset' | 'asset', string> & Record<string, unknown>) => {
      const pricing = pricingsOf(quoteAsset, SCALES, MARKETS).find((each) => each.asset === asset)
      expect(pricing?.market?.symbol).toBe(symbol)
      expect(pricing?.unitsPerUnit).toBe(unitsPerUnit)
      expect(pricing?.isQuote).toBe(asset === quoteAsset)
    },
  )
})
