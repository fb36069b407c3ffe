/**
 * The normal distribution, against values of 30 digits (mpmath 1.3) and against itself.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile, normalShareBelow } from '../../../src/sweep/selection/normal.ts'

describe('the share below', () => {
  it.each`
    x        | share
    ${-10}   | ${7.619853024160525e-24}
    ${-5}    | ${2.866515718791939e-7}
    ${-3}    | ${0.0013498980316300946}
    ${-2.5}  | ${0.006209665325776135}
    ${-1.96} | ${0.024997895148220435}
    ${-1}    | ${0.15865525393145705}
    ${-0.1}  | ${0.460172162722971}
    ${0}     | ${0.5}
    ${0.5}   | ${0.691462461274013}
    ${1}     | ${0.8413447460685429}
    ${2.5}   | ${0.9937903346742238}
    ${3}     | ${0.9986501019683699}
    ${5}     | ${0.9999997133484281}
    ${8}     | ${0.9999999999999993}
  `('$x has $share below it', ({ x, share }: { x: number; share: number }) => {
    expect(Math.abs(normalShareBelow(x) - share)).toBeLessThan(1e-15)
    if (x < 0) expect(Math.abs(normalShareBelow(x) / share - 1)).toBeLessThan(1e-13)
  })

  it('has its ends at infinity', () => {
    expect([-Infinity, -40, 40, Infinity].map(normalShareBelow)).toEqual([0, 0, 1, 1])
  })

  it('adds up to one with the share above, and never falls', () => {
    const value = fc.double({ min: -40, max: 40, noNaN: true })
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(Math.abs(normalShareBelow(one) + normalShareBelow(-one) - 1)).toBeLessThan(1e-15)
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(normalShareBelow(high) - normalShareBelow(low)).toBeGreaterThan(-1e-15)
      }),
    )
  })

  it('agrees with the area under the bell, by Simpson', () => {
    const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    for (const x of [0.3, 1.1, 2.4, 2.6, 4]) {
      const steps = 2_000
      let area = density(0) + density(x)
      for (let step = 1; step < steps; step += 1) area += (step % 2 === 1 ? 4 : 2) * density((x * step) / steps)
      expect(normalShareBelow(x) - 0.5).toBeCloseTo((area * x) / steps / 3, 12)
    }
  })
})

describe('the quantile', () => {
  it.each`
    share     | x
    ${1e-300} | ${-37.0470962993612}
    ${1e-100} | ${-21.273453560965326}
    ${1e-10}  | ${-6.361340902404057}
    ${0.001}  | ${-3.0902323061678136}
    ${0.025}  | ${-1.9599639845400543}
    ${0.05}   | ${-1.6448536269514726}
    ${0.25}   | ${-0.6744897501960817}
    ${0.75}   | ${0.6744897501960817}
    ${0.9}    | ${1.2815515655446006}
    ${0.95}   | ${1.6448536269514722}
    ${0.99}   | ${2.3263478740408408}
    ${0.999}  | ${3.090232306167813}
  `('of $share is $x', ({ share, x }: { share: number; x: number }) => {
    expect(Math.abs((normalQuantile(share) ?? 0) - x)).toBeLessThan(1e-13)
  })

  it('is what the share below leads back from', () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 5, noNaN: true }), (x) => {
        expect(normalQuantile(normalShareBelow(x))).toBeCloseTo(x, 9)
      }),
    )
  })

  it.each([0, 1, -0.1, 1.1, Number.NaN, Infinity])('of %s is null', (share) => {
    expect(normalQuantile(share)).toBeNull()
  })

  it('of one half is 0, of the smallest share there is a number', () => {
    expect(normalQuantile(0.5)).toBe(0)
    expect(normalQuantile(Number.MIN_VALUE)).toBeLessThan(-38)
    expect(normalQuantile(1 - 2 ** -53)).toBeGreaterThan(8)
  })
})
