import { describe, expect, it } from 'vitest'
import { ValueTrader } from '../../../src/simulation/agents/agent-roster.ts'
import { AgentStage, HOUR_MS } from './rig/agent-stage.ts'

describe('a value trader', () => {
  it('waits with one order at a time, mostly at a better price than the fair value, and gives up', () => {
    const stage = new AgentStage()
    const trader = stage.start((desk, scene, chance) => new ValueTrader(desk, scene, chance))
    const seen = new Map<number, number>()
    for (let minute = 0; minute < 96 * 60; minute += 1) {
      stage.run(HOUR_MS / 60)
      const orders = trader.restingOrders()
      expect(orders.length).toBeLessThanOrEqual(1)
      for (const { id, side, price } of orders)
        seen.set(id, (price / stage.worth.price - 1) * (side === 'BUY' ? -1 : 1))
    }
    const margins = [...seen.values()]
    expect(margins.length).toBeGreaterThan(200)
    expect(margins.filter((margin) => margin > 0).length / margins.length).toBeGreaterThan(0.75)
    expect(margins.every((margin) => Math.abs(margin) < 0.03)).toBe(true)
  })

  it('is filled when the market comes to its price', () => {
    const stage = new AgentStage()
    const trader = stage.start((desk, scene, chance) => new ValueTrader(desk, scene, chance))
    while (trader.restingOrders().length === 0) stage.run(1000)
    const [order] = trader.restingOrders()
    const taker = stage.trader()
    taker.limit(order?.side === 'BUY' ? 'SELL' : 'BUY', order?.price ?? 0, order?.remaining ?? 0)
    expect(trader.restingOrders()).toEqual([])
    expect(Math.abs(trader.position)).toBe(order?.remaining)
  })
})
