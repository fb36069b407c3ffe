import { describe, expect, it } from 'vitest'
import type { Trade } from '../../../src/domain/trade.ts'
import { NoiseTaker, OrderSlicer } from '../../../src/simulation/agents/agent-roster.ts'
import { AgentStage, HOUR_MS, MINUTE_MS, sideOf, START } from './rig/agent-stage.ts'

/** Trades in each of `count` stretches of time from the start on. */
function counts(trades: readonly Trade[], lengthMs: number, count: number): readonly number[] {
  const counted = Array.from({ length: count }, () => 0)
  for (const { createdAt } of trades) {
    const index = Math.floor((createdAt - START) / lengthMs)
    counted[index] = (counted[index] ?? 0) + 1
  }
  return counted
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the noise takers', () => {
  const DAYS = 4
  const busy = (volatility: number): AgentStage => {
    const stage = new AgentStage()
    stage.worth.volatility = volatility
    stage.deepBook()
    stage.start((trader, scene, chance) => new NoiseTaker(trader, scene, chance))
    stage.run(DAYS * 24 * HOUR_MS)
    return stage
  }

  it('come in bursts: the trades of a few seconds vary more than independent ones would', () => {
    const { trades } = busy(1)
    const perTenSeconds = counts(trades, 10_000, DAYS * 24 * 360)
    const average = mean(perTenSeconds)
    const variance = mean(perTenSeconds.map((count) => (count - average) ** 2))
    // 1 for independent arrivals.
    expect(variance / average).toBeGreaterThan(1.3)
  })

  it('keep to the rhythm of the day', () => {
    const perHour = counts(busy(1).trades, HOUR_MS, DAYS * 24)
    const ofHour = (hour: number): number => mean(perHour.filter((_, index) => (index + 12) % 24 === hour))
    expect([14, 15, 16].reduce((sum, hour) => sum + ofHour(hour), 0)).toBeGreaterThan(
      2 * [2, 3, 4].reduce((sum, hour) => sum + ofHour(hour), 0),
    )
  })

  it('excite each other more when times are wild, and still calm down', () => {
    const [usual, wild, absurd] = [busy(1), busy(1.75), busy(1000)].map(({ trades }) => trades.length)
    expect(wild).toBeGreaterThan((usual ?? 0) * 1.3)
    expect(absurd).toBe(wild)
  })

  it('trade both sides, and follow the side before more often than not', () => {
    const { trades } = busy(1)
    const buys = trades.filter((trade) => sideOf(trade) === 'BUY').length / trades.length
    expect(Math.abs(buys - 0.5)).toBeLessThan(0.1)
    const close = trades.flatMap((trade, index) => {
      const before = trades[index - 1]
      return before !== undefined && trade.createdAt - before.createdAt < 3000 ? [[before, trade] as const] : []
    })
    const same = close.filter(([before, trade]) => sideOf(before) === sideOf(trade)).length / close.length
    expect(close.length).toBeGreaterThan(100)
    expect(same).toBeGreaterThan(0.6)
    expect(same).toBeLessThan(0.8)
  })

  it('react to strong news in its direction', () => {
    const stage = new AgentStage()
    const book = stage.deepBook()
    stage.start((trader, scene, chance) => new NoiseTaker(trader, scene, chance))
    stage.worth.become(stage.worth.price * 1.01)
    stage.deepBook(4_242_000, book)
    stage.run(10_000)
    expect(stage.trades.map(sideOf)[0]).toBe('BUY')
  })

  it('stay away from an empty book, and come back', () => {
    const stage = new AgentStage()
    const taker = stage.start((trader, scene, chance) => new NoiseTaker(trader, scene, chance))
    stage.run(HOUR_MS)
    expect(stage.trades).toEqual([])
    expect(taker.refusals).toBe(0)
    stage.deepBook()
    stage.run(HOUR_MS)
    expect(stage.trades.length).toBeGreaterThan(0)
  })
})

describe('the slicer', () => {
  const stage = new AgentStage()
  stage.deepBook()
  stage.start((trader, scene, chance) => new OrderSlicer(trader, scene, chance))
  stage.run(48 * HOUR_MS)
  const { trades } = stage

  it('trades in more than half of the minutes', () => {
    const perMinute = counts(trades, MINUTE_MS, 48 * 60)
    expect(perMinute.filter((count) => count > 0).length / perMinute.length).toBeGreaterThan(0.5)
    expect(Math.max(...perMinute)).toBeLessThanOrEqual(4)
  })

  it('works through each order in slices of one size and side', () => {
    const runs: number[] = []
    trades.forEach((trade, index) => {
      const before = trades[index - 1]
      const goesOn = before?.qty === trade.qty && before.isBuyerMaker === trade.isBuyerMaker
      if (goesOn) runs.push((runs.pop() ?? 0) + 1)
      else runs.push(1)
    })
    const whole = runs.slice(0, -1)
    expect(whole.length).toBeGreaterThan(10)
    expect(Math.min(...whole)).toBeGreaterThanOrEqual(10)
    expect(new Set(trades.map(sideOf)).size).toBe(2)
  })
})
