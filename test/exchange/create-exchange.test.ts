/**
 * Which configurations an exchange refuses, and that it names the place.
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { ExchangeConfig } from '../../src/exchange/exchange.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'

const caught = (config: ExchangeConfig): unknown => {
  try {
    return createExchange(config)
  } catch (error) {
    return error
  }
}

describe('createExchange', () => {
  it.each`
    config                                                                                            | where                       | why
    ${oneMarket({ pricePrecision: 13 })}                                                              | ${'BTC_USD pricePrecision'} | ${'more than 12 digits'}
    ${oneMarket({ qtyPrecision: -1 })}                                                                | ${'BTC_USD qtyPrecision'}   | ${'a negative precision'}
    ${oneMarket({ qtyPrecision: 1.5 })}                                                               | ${'BTC_USD qtyPrecision'}   | ${'half a digit'}
    ${oneMarket({ makerFeeBps: '10001' })}                                                            | ${'BTC_USD makerFeeBps'}    | ${'more than the whole'}
    ${oneMarket({ takerFeeBps: '0.00001' })}                                                          | ${'BTC_USD takerFeeBps'}    | ${'more than 4 decimals'}
    ${oneMarket({ takerFeeBps: '-1' })}                                                               | ${'BTC_USD takerFeeBps'}    | ${'a rebate'}
    ${{ ...oneMarket(), markets: [market('A_B'), market('A_B')] }}                                    | ${'markets'}                | ${'a symbol twice'}
    ${{ ...oneMarket(), markets: [market('A_B'), market('A_B', { id: 'other' })] }}                   | ${'markets'}                | ${'a symbol twice, under two ids'}
    ${oneMarket({ quoteAsset: 'BTC' })}                                                               | ${'BTC_USD'}                | ${'one asset on both sides'}
    ${oneMarket({ symbol: 'BTCUSD' })}                                                                | ${'markets'}                | ${'a symbol of no two assets'}
    ${oneMarket({ symbol: 'USD_BTC' })}                                                               | ${'USD_BTC'}                | ${'a symbol of other assets'}
    ${{ ...oneMarket(), markets: [market('BTC_USD'), market('BTC-PERP_USD', { baseAsset: 'BTC' })] }} | ${'BTC-PERP_USD'}           | ${'a second market of the same assets, by which of which they would be valued nobody says'}
    ${oneMarket({ id: '' })}                                                                          | ${'BTC_USD id'}             | ${'no id'}
    ${oneMarket({ makerFeeBps: 1 as unknown as string })}                                             | ${'BTC_USD makerFeeBps'}    | ${'a fee that is no text'}
    ${{ ...oneMarket(), markets: [market('A_B'), market('C_B', { id: market('A_B').id })] }}          | ${'markets'}                | ${'an id twice'}
    ${{ ...oneMarket(), markets: 'BTC_USD' }}                                                         | ${'markets'}                | ${'no list of markets'}
    ${oneMarket({ selfTrade: 'maybe' as 'allow' })}                                                   | ${'BTC_USD selfTrade'}      | ${'a self-trade rule that is none'}
    ${{ ...oneMarket(), history: { ...KEEP_ALL, fills: -1 } }}                                        | ${'history fills'}          | ${'less than no history'}
    ${{ ...oneMarket(), history: { ...KEEP_ALL, orders: NaN } }}                                      | ${'history orders'}         | ${'a limit that is no number'}
    ${{ ...oneMarket(), quoteAsset: 'EUR' }}                                                          | ${'quoteAsset'}             | ${'no market has it'}
    ${{ markets: [], quoteAsset: 'USD', history: KEEP_ALL }}                                          | ${'quoteAsset'}             | ${'there is no market at all'}
  `('decision 12, 29: refuses $why at $where', ({ config, where }) => {
    const error = caught(config)
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ where })
  })

  it.each`
    rules                                       | why
    ${{ pricePrecision: 12, qtyPrecision: 12 }} | ${'the finest precisions'}
    ${{ makerFeeBps: '10000' }}                 | ${'the whole as a fee'}
    ${{ takerFeeBps: '0.0001' }}                | ${'the smallest fee'}
    ${{ takerFeeBps: '0000.1000' }}             | ${'zeros around a fee'}
  `('takes $why', ({ rules }) => {
    expect(createExchange(oneMarket(rules)).markets).toMatchObject([rules])
  })
})
