import { describe, expect, it } from 'vitest'
import { AgentStage } from './rig/agent-stage.ts'

describe('an order manager', () => {
  it('follows its orders through acceptance, partial fill, fill and cancel', () => {
    const stage = new AgentStage()
    const [maker, taker] = [stage.trader(), stage.trader()]
    maker.limit('BUY', 4_199_999, 100)
    maker.limit('SELL', 4_200_001, 300)
    taker.market('BUY', 120)
    expect(maker.restingOrders()).toEqual([
      { id: 1, side: 'BUY', price: 4_199_999, remaining: 100 },
      { id: 2, side: 'SELL', price: 4_200_001, remaining: 180 },
    ])
    taker.market('BUY', 180)
    expect(maker.restingOrders().map(({ id }) => id)).toEqual([1])
    expect([maker.position, taker.position]).toEqual([-300, 300])
    maker.cancelAll()
    expect(maker.restingOrders()).toEqual([])
    expect(stage.exchange.openOrders(maker.account)).toEqual([])
  })

  it('knows of fills that another caused, and reports them', () => {
    const stage = new AgentStage()
    const [maker, taker] = [stage.trader(), stage.trader()]
    let fills = 0
    maker.onFill(() => (fills += 1))
    maker.limit('SELL', 4_200_001, 5)
    taker.limit('BUY', 4_200_001, 7)
    expect(fills).toBe(1)
    expect(maker.position).toBe(-5)
    expect(taker.restingOrders()).toEqual([{ id: 2, side: 'BUY', price: 4_200_001, remaining: 2 }])
  })

  it('counts what is refused, and is otherwise as before', () => {
    const stage = new AgentStage()
    const poor = stage.trader('poor', 0n)
    poor.limit('BUY', 4_200_000, 1)
    poor.cancel(99)
    expect(poor.refusals).toBe(2)
    expect(poor.restingOrders()).toEqual([])
    expect(poor.position).toBe(0)
  })

  it.each`
    bid          | ask          | isTraded | why
    ${4_199_000} | ${4_201_000} | ${true}  | ${'a spread of 5 basis points'}
    ${4_190_000} | ${4_210_000} | ${false} | ${'a spread of 48 basis points'}
    ${undefined} | ${4_200_001} | ${false} | ${'no bids'}
    ${9}         | ${11}        | ${true}  | ${'2 ticks, however large they are'}
    ${9}         | ${12}        | ${false} | ${'3 ticks and a third of the price'}
  `(
    'sends a market order only into a book that is not too thin: $bid/$ask $isTraded, $why',
    ({ bid, ask, isTraded }) => {
      const stage = new AgentStage()
      const [maker, taker] = [stage.trader(), stage.trader()]
      if (bid !== undefined) maker.limit('BUY', bid, 1000)
      maker.limit('SELL', ask, 1000)
      taker.market('BUY', 10)
      expect(stage.trades).toHaveLength(isTraded ? 1 : 0)
      expect(taker.refusals).toBe(0)
    },
  )
})
