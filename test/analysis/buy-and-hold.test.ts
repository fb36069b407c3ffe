import { describe, expect, it } from 'vitest'
import { buyAndHoldReturn } from '../../src/analysis/buy-and-hold.ts'
import type { PriceSpan } from '../../src/analysis/buy-and-hold.ts'

describe('buy and hold', () => {
  const span = (firstPrice: number, lastPrice: number): PriceSpan => ({ firstPrice, lastPrice })

  it.each`
    markets                               | expected | why
    ${[]}                                 | ${0}     | ${'no market traded'}
    ${[span(100, 125)]}                   | ${0.25}  | ${'one market'}
    ${[span(100, 150), span(4000, 3000)]} | ${0.125} | ${'an equal part of the cash in each, whatever its price'}
    ${[span(100, 1)]}                     | ${-0.99} | ${'almost all lost'}
  `('$why -> $expected', ({ markets, expected }: { markets: PriceSpan[]; expected: number }) => {
    expect(buyAndHoldReturn(markets)).toBe(expected)
  })

  it('refuses a price that cannot be', () => {
    expect(() => buyAndHoldReturn([span(0, 1)])).toThrow('first price of 0 ticks')
    expect(() => buyAndHoldReturn([span(1, 0.5)])).toThrow('last price of 0.5 ticks')
  })
})
