import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { describe, expect, it } from 'vitest'
import { Chance } from '../../../src/simulation/agents/chance.ts'
import { chanceOf } from './rig/agent-stage.ts'

const DRAWS = 40_000

const drawn = (draw: (chance: Chance) => number): readonly number[] => {
  const chance = chanceOf(7)
  return Array.from({ length: DRAWS }, () => draw(chance))
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const shareOver = (values: readonly number[], limit: number): number =>
  values.filter((value) => value > limit).length / values.length

describe('chance', () => {
  it('gives the same draws for the same seed, and others for another', () => {
    const draws = (seed: number): number[] =>
      Array.from({ length: 5 }, (_, index) => chanceOf(seed).between(index, 1000))
    expect(draws(1)).toEqual(draws(1))
    expect(draws(1)).not.toEqual(draws(2))
  })

  it('splits off draws of their own', () => {
    const chance = new Chance(xoroshiro128plus(1))
    const [first, second] = [chance.split(), chance.split()]
    const before = Array.from({ length: 20 }, () => second.fraction())
    const other = new Chance(xoroshiro128plus(1))
    const [busy, same] = [other.split(), other.split()]
    Array.from({ length: 1000 }, () => busy.fraction())
    expect(Array.from({ length: 20 }, () => same.fraction())).toEqual(before)
    expect(Array.from({ length: 20 }, () => first.fraction())).not.toEqual(before)
  })

  it.each`
    limit  | expected  | why
    ${0.1} | ${0.9048} | ${'e^-0.1'}
    ${1}   | ${0.3679} | ${'e^-1'}
    ${2}   | ${0.1353} | ${'e^-2'}
    ${5}   | ${0.0067} | ${'e^-5'}
  `('draws an exponential: beyond $limit with probability $why', ({ limit, expected }) => {
    expect(
      Math.abs(
        shareOver(
          drawn((chance) => chance.exponential()),
          limit,
        ) - expected,
      ),
    ).toBeLessThan(0.01)
  })

  it('waits whole milliseconds, at least one, and the mean on average', () => {
    const waits = drawn((chance) => chance.wait(500))
    expect(waits.every((wait) => Number.isInteger(wait) && wait >= 1)).toBe(true)
    expect(Math.abs(mean(waits) - 500)).toBeLessThan(10)
  })

  it('draws a bell curve of mean 0 and variance 1 that ends at 3', () => {
    const bells = drawn((chance) => chance.bell())
    expect(Math.abs(mean(bells))).toBeLessThan(0.02)
    expect(Math.abs(mean(bells.map((bell) => bell * bell)) - 1)).toBeLessThan(0.02)
    expect(bells.every((bell) => Math.abs(bell) <= 3)).toBe(true)
    expect(shareOver(bells, 1)).toBeGreaterThan(0.14)
  })

  it('draws heavy tails: each doubling is reached with the given probability, and there is a last one', () => {
    const factors = drawn((chance) => chance.heavyTailed(0.5, 3))
    expect(factors.every((factor) => factor >= 1 && factor < 16)).toBe(true)
    for (const [limit, share] of [
      [2, 1 / 2],
      [4, 1 / 4],
      [8, 1 / 8],
    ] as const) {
      // A factor of 2 up to the limit can also come from one doubling less.
      expect(shareOver(factors, limit)).toBeGreaterThan(share * 0.9)
      expect(shareOver(factors, limit)).toBeLessThan(share * 1.1)
    }
  })
})
