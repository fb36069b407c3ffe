import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairValue } from '../../../src/simulation/agents/fair-value.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { chanceOf, HOUR_MS, START } from './rig/agent-stage.ts'

const FIRST_PRICE = 4_200_000
const DAYS_30 = 30 * 24 * HOUR_MS

interface Walk {
  readonly low: number
  readonly high: number
  readonly news: number
  readonly volatilities: ReadonlySet<number>
}

/** Prices as multiples of the first. */
function walk(seed: number, ms: number, pace = 1): Walk {
  const queue = new EventQueue(START)
  const fairValue = new FairValue(queue, chanceOf(seed), { firstPrice: FIRST_PRICE, unitQty: 1, pace })
  const volatilities = new Set<number>()
  let [low, high, news] = [1, 1, 0]
  fairValue.onNews(() => {
    news += 1
    volatilities.add(fairValue.volatility)
    low = Math.min(low, fairValue.price / FIRST_PRICE)
    high = Math.max(high, fairValue.price / FIRST_PRICE)
  })
  fairValue.start()
  while (queue.nextTime < START + ms) queue.runNext()
  return { low, high, news, volatilities }
}

describe('a fair value', () => {
  it('neither explodes nor goes to nothing in a month, whatever the seed', () => {
    const ranges: number[] = []
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { low, high, volatilities } = walk(seed, DAYS_30)
        expect(low).toBeGreaterThan(0.6)
        expect(high).toBeLessThan(1.6)
        expect(volatilities.size).toBeGreaterThanOrEqual(3)
        ranges.push(high / low - 1)
      }),
      { numRuns: 30 },
    )
    const middle = ranges.sort((left, right) => left - right)[15]
    expect(middle).toBeGreaterThan(0.1)
    expect(middle).toBeLessThan(0.3)
  })

  it('wanders as far at another pace, in smaller steps', () => {
    const ranges = (pace: number): number =>
      [1, 2, 3, 4, 5, 6].reduce((sum, seed) => {
        const { low, high } = walk(seed, DAYS_30 / 3, pace)
        return sum + high / low - 1
      }, 0)
    expect(walk(1, DAYS_30 / 30, 10).news).toBeGreaterThan(7 * walk(1, DAYS_30 / 30).news)
    expect(ranges(10) / ranges(1)).toBeGreaterThan(0.6)
    expect(ranges(10) / ranges(1)).toBeLessThan(1.6)
  })

  it('is drawn back when it is far away', () => {
    const ends = Array.from({ length: 10 }, (_, seed) => walk(seed, 6 * DAYS_30))
    expect(Math.min(...ends.map(({ low }) => low))).toBeGreaterThan(0.5)
    expect(Math.max(...ends.map(({ high }) => high))).toBeLessThan(2)
  })
})
