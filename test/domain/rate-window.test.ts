/**
 * The service's rate limits (the specification, section 8; decision 22).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RATE_LIMITS, RateBudget, RateWindow } from '../../src/domain/rate-window.ts'

describe('decision 22: a fixed window from the first request in it', () => {
  it('opens at its first request, not at a round minute', () => {
    const window = new RateWindow(2, 60_000)
    expect([window.remaining(1_000), window.resetInMs(1_000)]).toEqual([2, 0])
    window.count(1_000)
    expect([window.remaining(1_000), window.resetInMs(1_000)]).toEqual([1, 60_000])
    expect(window.resetInMs(31_000)).toBe(30_000)
  })

  it('is over 60 s later to the millisecond', () => {
    const window = new RateWindow(1, 60_000)
    window.count(1_000)
    expect([window.remaining(60_999), window.resetInMs(60_999)]).toEqual([0, 1])
    expect([window.remaining(61_000), window.resetInMs(61_000)]).toEqual([1, 0])
  })

  it('does not slide: the next one opens at the next request', () => {
    const window = new RateWindow(2, 60_000)
    window.count(0)
    window.count(59_999)
    window.count(70_000)
    expect(window.remaining(70_000)).toBe(1)
    expect(window.resetInMs(70_000)).toBe(60_000)
  })

  it('counts what is over the limit, and never reports less than nothing', () => {
    const window = new RateWindow(1, 60_000)
    for (const time of [0, 1, 2]) window.count(time)
    expect(window.remaining(2)).toBe(0)
    expect(window.resetInMs(2)).toBe(59_998)
  })
})

describe('spec 8: both buckets of a key', () => {
  it('the service allows 600 requests and 30 mutations a minute', () => {
    expect(DEFAULT_RATE_LIMITS).toEqual({ general: 600, mutations: 30, windowSeconds: 60 })
  })

  it('a mutation counts against both', () => {
    const budget = new RateBudget(DEFAULT_RATE_LIMITS)
    expect(budget.takeMutation(0)).toBe(true)
    expect([budget.general.remaining(0), budget.mutations.remaining(0)]).toEqual([599, 29])
  })

  it('decision 22: a mutation over its limit counts in the general bucket only', () => {
    const budget = new RateBudget({ general: 10, mutations: 2, windowSeconds: 60 })
    const taken = [0, 1, 2, 3].map((time) => budget.takeMutation(time))
    expect(taken).toEqual([true, true, false, false])
    expect(budget.general.remaining(3)).toBe(6)
    expect(budget.mutationAllowedInMs(3)).toBe(59_997)
    expect(budget.takeMutation(60_000)).toBe(true)
    expect(budget.mutations.remaining(60_000)).toBe(1)
  })

  it('decision 22: a request that the general bucket refuses counts there and is no mutation', () => {
    const budget = new RateBudget({ general: 1, mutations: 30, windowSeconds: 60 })
    budget.general.count(0)
    expect(budget.takeMutation(1)).toBe(false)
    expect(budget.mutations.remaining(1)).toBe(30)
    expect(budget.mutationAllowedInMs(1)).toBe(59_999)
    expect(budget.mutationAllowedInMs(60_000)).toBe(0)
  })

  it('waits for the later of both buckets', () => {
    const budget = new RateBudget({ general: 2, mutations: 1, windowSeconds: 60 })
    budget.general.count(0)
    budget.takeMutation(10_000)
    // The general window ends at 60 s, the mutation window at 70 s.
    expect(budget.mutationAllowedInMs(10_000)).toBe(60_000)
    expect(budget.takeMutation(65_000)).toBe(false)
    expect(budget.takeMutation(70_000)).toBe(true)
  })

  it('allows a mutation when it says that one is allowed, and refuses it when it says to wait', () => {
    const waits = fc.array(fc.constantFrom(0, 1, 500, 999, 1_000, 5_000), { maxLength: 60, size: 'max' })
    let refused = 0
    fc.assert(
      fc.property(
        waits,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (steps, general, mutations) => {
          const budget = new RateBudget({ general, mutations, windowSeconds: 1 })
          let now = 0
          for (const step of steps) {
            now += step
            const wait = budget.mutationAllowedInMs(now)
            const isTaken = budget.takeMutation(now)
            refused += isTaken ? 0 : 1
            expect(isTaken).toBe(wait === 0)
          }
        },
      ),
      { seed: 1 },
    )
    expect(refused).toBeGreaterThan(0)
  })
})
