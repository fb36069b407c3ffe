import { describe, expect, it } from 'vitest'
import { TrendFollower, type TrendStyle } from '../../../src/simulation/agents/agent-roster.ts'
import { AgentStage, HOUR_MS, MINUTE_MS, sideOf } from './rig/agent-stage.ts'

const STYLE: TrendStyle = { lookMs: MINUTE_MS, fast: 5, slow: 20, threshold: 0.001 }
/** In lots: 600 small orders of 100. */
const FULL = 60_000

describe('a trend follower', () => {
  const stage = new AgentStage()
  const book = stage.deepBook()
  const follower = stage.start((trader, scene, chance) => new TrendFollower(trader, scene, chance, STYLE))
  const drift = (tickPerMinute: number, minutes: number): void => {
    for (let minute = 0; minute < minutes; minute += 1) {
      stage.worth.become(stage.worth.price + tickPerMinute)
      stage.deepBook(stage.worth.price, book)
      stage.run(MINUTE_MS)
    }
  }

  it('does nothing while nothing moves', () => {
    stage.run(3 * HOUR_MS)
    expect(stage.trades).toEqual([])
  })

  it('buys a rise in slices, up to its full position', () => {
    drift(1000, 60)
    expect(follower.position).toBe(FULL)
    expect(stage.trades.length).toBeGreaterThan(5)
    expect(new Set(stage.trades.map(sideOf))).toEqual(new Set(['BUY']))
  })

  it('turns round when the price does', () => {
    drift(-1000, 120)
    expect(follower.position).toBe(-FULL)
  })

  it('waits when the book is empty, and goes on when it is back', () => {
    drift(0, 60)
    book.cancelAll()
    stage.run(HOUR_MS)
    expect(follower.position).toBe(-FULL)
    drift(2000, 60)
    expect(follower.position).toBe(FULL)
    expect(follower.refusals).toBe(0)
  })
})
