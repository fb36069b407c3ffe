/**
 * The liquidity model `ideal`, in figures by hand.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { auditToJson } from '../../../src/domain/audit.ts'
import { fillsOf, MarketStage } from '../rig/market-stage.ts'

const ME = 'me'
const OTHER = 'other'

let stage: MarketStage
beforeEach(() => {
  stage = new MarketStage()
  for (const account of [ME, OTHER]) {
    stage.credit(account, 'USD', 1_000_000n)
    stage.credit(account, 'BTC', 1_000n)
  }
})

const balanceOf = (account: string, asset: string): readonly bigint[] => {
  const { available, locked } = stage.exchange.balances(account).get(asset) ?? { available: -1n, locked: -1n }
  return [available, locked]
}

describe('before the first recorded trade', () => {
  it('there is nothing to trade with: NO_LIQUIDITY', () => {
    expect(stage.market(ME, 'BUY', 1)).toMatchObject([{ type: 'order-refused', refusal: { code: 'NO_LIQUIDITY' } }])
    expect(stage.market(ME, 'SELL', 1)).toMatchObject([{ type: 'order-refused', refusal: { code: 'NO_LIQUIDITY' } }])
  })

  it('a limit order rests, whatever its price', () => {
    stage.limit(ME, 'BUY', 500, 1)
    expect(stage.exchange.depth('BTC_USD')).toEqual({ bids: [{ price: 500, qty: 1n }], asks: [] })
  })
})

describe('a market order', () => {
  it.each`
    side      | qty     | usd           | btc
    ${'BUY'}  | ${1}    | ${999_900n}   | ${1_001n}
    ${'BUY'}  | ${9999} | ${100n}       | ${10_999n}
    ${'SELL'} | ${1}    | ${1_000_100n} | ${999n}
    ${'SELL'} | ${1000} | ${1_100_000n} | ${0n}
  `('$side of $qty fills whole at the last price of 100, of which 3 were traded', ({ side, qty, usd, btc }) => {
    stage.record(0, 90, 5)
    stage.record(1, 100, 3)
    expect(fillsOf(stage.market(ME, side, qty), ME)).toEqual([`${side} ${qty} at 100, taker`])
    expect([balanceOf(ME, 'USD'), balanceOf(ME, 'BTC')]).toEqual([
      [usd, 0n],
      [btc, 0n],
    ])
  })

  it('moves nothing: the next one has the same price', () => {
    stage.record(0, 100, 1)
    stage.market(ME, 'BUY', 5_000)
    expect(fillsOf(stage.market(OTHER, 'BUY', 5_000), OTHER)).toEqual(['BUY 5000 at 100, taker'])
  })

  it('that the account cannot pay for is refused and changes nothing', () => {
    stage.record(0, 100, 1)
    expect(stage.market(ME, 'BUY', 10_001)).toMatchObject([
      { type: 'order-refused', refusal: { code: 'INSUFFICIENT_BALANCE' } },
    ])
    expect(balanceOf(ME, 'USD')).toEqual([1_000_000n, 0n])
    expect(stage.exchange.depth('BTC_USD')).toEqual({ bids: [], asks: [] })
  })

  it('is a public trade, which does not become the last recorded price', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'SELL', 120, 1)
    stage.market(OTHER, 'BUY', 2)
    expect(stage.tape).toEqual(['100 x 1 buy', '100 x 2 buy'])
  })
})

describe('a limit order that arrives', () => {
  it.each`
    side      | price  | fills                       | resting | why
    ${'BUY'}  | ${100} | ${['BUY 7 at 100, taker']}  | ${''}   | ${'at the last price it fills whole'}
    ${'BUY'}  | ${130} | ${['BUY 7 at 100, taker']}  | ${''}   | ${'through it, it fills at the last price and not at its own'}
    ${'BUY'}  | ${99}  | ${[]}                       | ${99}   | ${'short of it, it rests'}
    ${'SELL'} | ${100} | ${['SELL 7 at 100, taker']} | ${''}   | ${'at the last price it fills whole'}
    ${'SELL'} | ${70}  | ${['SELL 7 at 100, taker']} | ${''}   | ${'through it, it fills at the last price and not at its own'}
    ${'SELL'} | ${101} | ${[]}                       | ${101}  | ${'short of it, it rests'}
  `('$side at $price, last price 100: $why', ({ side, price, fills, resting }) => {
    stage.record(0, 100, 1)
    expect(fillsOf(stage.limit(ME, side, price, 7), ME)).toEqual(fills)
    expect(String(stage.exchange.bestPrice('BTC_USD', side) ?? '')).toBe(String(resting))
  })

  it('gives back what it locked beyond the better price', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'BUY', 130, 7)
    expect(balanceOf(ME, 'USD')).toEqual([999_300n, 0n])
  })
})

describe('a resting order', () => {
  it.each`
    side      | price  | recorded | filled   | why
    ${'BUY'}  | ${95}  | ${95}    | ${true}  | ${'touched'}
    ${'BUY'}  | ${95}  | ${80}    | ${true}  | ${'passed, and filled at its own price all the same'}
    ${'BUY'}  | ${95}  | ${96}    | ${false} | ${'not reached'}
    ${'SELL'} | ${105} | ${105}   | ${true}  | ${'touched'}
    ${'SELL'} | ${105} | ${200}   | ${true}  | ${'passed, and filled at its own price all the same'}
    ${'SELL'} | ${105} | ${104}   | ${false} | ${'not reached'}
  `('$side at $price, a trade at $recorded: $why', ({ side, price, recorded, filled }) => {
    stage.record(0, 100, 1)
    stage.limit(ME, side, price, 500)
    stage.events.length = 0
    stage.record(1, recorded, 1)
    expect(fillsOf(stage.events, ME)).toEqual(filled ? [`${side} 500 at ${price}, maker`] : [])
    expect(stage.exchange.openOrders(ME)).toHaveLength(filled ? 0 : 1)
  })

  it('fills whole whichever side the recorded aggressor had', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'BUY', 95, 10)
    stage.record(1, 95, 1, 'buy')
    expect(stage.exchange.openOrders(ME)).toEqual([])
  })

  it('is filled together with every other that one trade reaches, best price first, those of two accounts alike', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'BUY', 94, 4)
    stage.limit(OTHER, 'BUY', 96, 6)
    stage.limit(ME, 'BUY', 95, 5)
    stage.limit(OTHER, 'BUY', 93, 3)
    stage.record(1, 94, 1)
    expect(stage.tape.slice(1)).toEqual(['96 x 6 sell', '95 x 5 sell', '94 x 4 sell', '94 x 1 buy'])
    expect(stage.exchange.depth('BTC_USD').bids).toEqual([{ price: 93, qty: 3n }])
  })

  it('costs what its price says, and the books balance', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'BUY', 95, 10)
    expect(balanceOf(ME, 'USD')).toEqual([999_050n, 950n])
    stage.record(1, 80, 1)
    expect([balanceOf(ME, 'USD'), balanceOf(ME, 'BTC')]).toEqual([
      [999_050n, 0n],
      [1_010n, 0n],
    ])
    expect(auditToJson(stage.exchange.audit()).ok).toBe(true)
  })
})

describe('the recorded trade', () => {
  it('is printed whole after it has filled our orders', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'BUY', 95, 10)
    stage.record(1, 90, 4, 'sell')
    expect(stage.tape).toEqual(['100 x 1 buy', '95 x 10 sell', '90 x 4 sell'])
  })

  it('is the last price of the next order, and not the price of our fill', () => {
    stage.limit(ME, 'BUY', 95, 10)
    stage.record(1, 90, 4)
    expect(fillsOf(stage.market(ME, 'SELL', 1), ME)).toEqual(['SELL 1 at 90, taker'])
  })
})

describe('own orders of two accounts', () => {
  it('meet each other before there is a last price', () => {
    stage.limit(ME, 'SELL', 100, 5)
    expect(fillsOf(stage.market(OTHER, 'BUY', 3), OTHER)).toEqual(['BUY 3 at 100, taker'])
    expect(stage.exchange.openOrders(ME)).toMatchObject([{ status: 'PARTIALLY_FILLED', filledQty: 3 }])
  })

  it('stand behind the crowd afterwards, whose price is never worse', () => {
    stage.record(0, 100, 1)
    stage.limit(ME, 'SELL', 101, 5)
    expect(fillsOf(stage.limit(OTHER, 'BUY', 105, 8), OTHER)).toEqual(['BUY 8 at 100, taker'])
    expect(stage.exchange.openOrders(ME)).toMatchObject([{ status: 'OPEN' }])
  })
})
