import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

const draw = (seed: number, count: number): readonly number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random())
}

/** How many numbers fall into each tenth of [0, 1). */
function tenthsOf(numbers: readonly number[]): readonly number[] {
  const counts = new Array<number>(10).fill(0)
  for (const number of numbers) counts[Math.floor(number * 10)] = (counts[Math.floor(number * 10)] ?? 0) + 1
  return counts
}

describe('chance from a seed', () => {
  it('is the same on every machine', () => {
    expect(draw(1, 3)).toEqual([0.6305594528462224, 0.11630155713771662, 0.4308581915108364])
  })

  it('is in [0, 1), and anywhere in it', () => {
    const numbers = draw(7, 10_000)
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    for (const count of tenthsOf(numbers)) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })

  it('begins anywhere, also for seeds that are neighbours', () => {
    for (const at of [0, 1, 2]) {
      const numbers = Array.from({ length: 1_000 }, (_, seed) => draw(seed, 3)[at] ?? Number.NaN)
      for (const count of tenthsOf(numbers)) expect(Math.abs(count - 100)).toBeLessThan(50)
    }
  })

  it('is another for every seed, down to the ends of their range', () => {
    const firsts = [-2_147_483_648, -1, 0, 1, 2, 2_147_483_647].map((seed) => draw(seed, 1)[0])
    expect(new Set(firsts).size).toBe(firsts.length)
  })
})
