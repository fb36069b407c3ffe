import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawnQty, drawnSide } from '../../../src/simulation/agents/agent-roster.ts'
import { chanceOf } from './rig/agent-stage.ts'

describe('a drawn size', () => {
  it('is a whole number of lots, from a small order to 2^13 of them', () => {
    let [smallest, largest] = [Infinity, 0]
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1_000_000_000 }), (seed, unitQty) => {
        const qty = drawnQty(chanceOf(seed), unitQty)
        expect(Number.isSafeInteger(qty)).toBe(true)
        // A round size may be below the small order that it came from, but keeps its first digit.
        expect(qty).toBeGreaterThan(unitQty / 2)
        expect(qty).toBeLessThanOrEqual(unitQty * 2 ** 13)
        smallest = Math.min(smallest, qty / unitQty)
        largest = Math.max(largest, qty / unitQty)
      }),
      { numRuns: 2000 },
    )
    expect(smallest).toBeLessThan(2)
    expect(largest).toBeGreaterThan(512)
  })

  it('is often round', () => {
    const chance = chanceOf(3)
    const sizes = Array.from({ length: 2000 }, () => drawnQty(chance, 137))
    const isRound = (qty: number): boolean => /^[1-9]0*$/.test(String(qty))
    const share = sizes.filter(isRound).length / sizes.length
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.45)
  })
})

describe('a drawn side', () => {
  it.each`
    position | least   | most    | why
    ${0}     | ${0.48} | ${0.52} | ${'nothing to bring back'}
    ${-500}  | ${0.72} | ${0.78} | ${'half way to the limit'}
    ${9999}  | ${0.03} | ${0.07} | ${'far too long'}
    ${-9999} | ${0.93} | ${0.97} | ${'far too short'}
  `('is BUY in $least to $most of all draws at position $position: $why', ({ position, least, most }) => {
    const chance = chanceOf(5)
    const sides = Array.from({ length: 10_000 }, () => drawnSide(chance, position, 1000))
    const share = sides.filter((side) => side === 'BUY').length / sides.length
    expect(share).toBeGreaterThan(least)
    expect(share).toBeLessThan(most)
  })
})
