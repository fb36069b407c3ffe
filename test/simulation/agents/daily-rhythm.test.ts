import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/time.ts'
import { activityAt } from '../../../src/simulation/agents/daily-rhythm.ts'
import { MINUTE_MS } from './rig/agent-stage.ts'

describe('the rhythm of a day', () => {
  it('is 1 on average', () => {
    const minutes = Array.from({ length: 1440 }, (_, minute) => activityAt(Date.UTC(2024, 5, 1) + minute * MINUTE_MS))
    expect(minutes.reduce((sum, activity) => sum + activity, 0) / 1440).toBeCloseTo(1, 10)
  })

  it.each`
    time       | expected | why
    ${'03:00'} | ${0.5}   | ${'night'}
    ${'14:00'} | ${1.6}   | ${'two continents awake'}
    ${'12:30'} | ${1.25}  | ${'half way from 1.1 to 1.4'}
    ${'23:30'} | ${0.7}   | ${'from the last hour to the first'}
  `('$time: $expected, $why', ({ time, expected }) => {
    expect(activityAt(Date.parse(`2024-02-29T${String(time)}:00Z`))).toBeCloseTo(expected, 10)
  })

  it('never jumps, and is the same every day', () => {
    fc.assert(
      fc.property(fc.nat(4 * 365 * DAY_MS), (time) => {
        expect(Math.abs(activityAt(time + MINUTE_MS) - activityAt(time))).toBeLessThan(0.01)
        expect(activityAt(time + DAY_MS)).toBeCloseTo(activityAt(time), 9)
        expect(activityAt(time)).toBeGreaterThanOrEqual(0.5)
        expect(activityAt(time)).toBeLessThanOrEqual(1.6)
      }),
    )
  })
})
