import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PermutedBlocks } from '../../../src/analysis/returns/permuted-blocks.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

const order = (length: number, block: number, random: () => number): readonly number[] => {
  const blocks = new PermutedBlocks(length, block, random)
  return Array.from({ length }, (_, index) => blocks.at(index))
}

describe('permuted blocks', () => {
  it('by hand: two whole blocks change places, and the rest stays', () => {
    expect(order(5, 2, () => 0)).toEqual([2, 3, 0, 1, 4])
    expect(order(5, 2, () => 0.99)).toEqual([0, 1, 2, 3, 4])
    expect(order(1, 3, () => 0)).toEqual([0])
    expect(order(0, 1, () => 0)).toEqual([])
  })

  it('have every element once, in runs of a block', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 9 }), fc.integer(), (length, block, seed) => {
        const found = order(length, block, seededRandom(seed))
        expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length }, (_, index) => index))
        found.forEach((from, index) => {
          expect(from % block).toBe(index % block)
        })
      }),
    )
  })

  it('reach each order of three blocks equally often', () => {
    const random = seededRandom(1)
    const counts = new Map<string, number>()
    for (let round = 0; round < 6_000; round += 1) {
      const key = order(3, 1, random).join('')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })
})
