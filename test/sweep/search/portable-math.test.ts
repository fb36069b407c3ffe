/**
 * Functions that no engine has a say in, against those of this engine.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exponential, naturalLogarithm, nearlyNormal } from '../../../src/sweep/search/portable-math.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

const isNear = (found: number, wanted: number): void => {
  expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-15 * Math.max(1, Math.abs(wanted)))
}

describe('functions of + - * / alone', () => {
  it('are those of the engine, but for the last bits', () => {
    fc.assert(fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (x) => isNear(exponential(x), Math.exp(x))))
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (x) => isNear(naturalLogarithm(x), Math.log(x))),
    )
    expect([exponential(0), naturalLogarithm(1)]).toEqual([1, 0])
  })

  it.each([
    () => exponential(1.5),
    () => exponential(Number.NaN),
    () => naturalLogarithm(0),
    () => naturalLogarithm(-1),
  ])('refuse what they are not made for: %s', (call) => expect(call).toThrow(/numbers/))

  it('draw with mean 0 and variance 1, one in forty beyond each 1.96', () => {
    const random = seededRandom(1)
    const draws = Array.from({ length: 40_000 }, () => nearlyNormal(random))
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(Math.abs(mean(draws))).toBeLessThan(0.02)
    expect(Math.abs(mean(draws.map((value) => value * value)) - 1)).toBeLessThan(0.03)
    const beyond = draws.filter((value) => Math.abs(value) > 1.96).length / draws.length
    expect(beyond).toBeGreaterThan(0.045)
    expect(beyond).toBeLessThan(0.055)
  })
})
