import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DrawdownFold, maxDrawdown } from '../../src/analysis/drawdown.ts'

describe('max drawdown', () => {
  it.each`
    equity                  | expected | why
    ${[]}                   | ${0}     | ${'nothing to fall'}
    ${[100]}                | ${0}     | ${'one sample'}
    ${[100, 100]}           | ${0}     | ${'flat'}
    ${[100, 110, 120]}      | ${0}     | ${'only rising'}
    ${[100, 50, 75]}        | ${0.5}   | ${'recovery does not undo it'}
    ${[100, 80, 200, 100]}  | ${0.5}   | ${'measured from the later peak'}
    ${[200, 100, 400, 300]} | ${0.5}   | ${'the larger share counts, not the larger amount'}
    ${[100, 75, 90, 60]}    | ${0.4}   | ${'a bounce below the peak starts no new one'}
    ${[100, 0]}             | ${1}     | ${'all is lost at 0'}
    ${[100, -50, 120]}      | ${1}     | ${'more than all cannot be lost'}
    ${[0, 0, 100, 75]}      | ${0.25}  | ${'without a price yet there is no peak to fall from'}
    ${[-5, -10]}            | ${0}     | ${'and never was'}
  `('$why: $equity -> $expected', ({ equity, expected }: { equity: number[]; expected: number }) => {
    expect(maxDrawdown(equity)).toBeCloseTo(expected, 15)
  })

  it('refuses a value that is not finite', () => {
    expect(() => maxDrawdown([100, Number.NaN])).toThrow('equity NaN is not finite')
    expect(() => maxDrawdown([100, Infinity])).toThrow('not finite')
  })

  it('reports when the peak and the trough of the largest fall were, the first of equals', () => {
    const fold = new DrawdownFold()
    const seen = [100, 80, 100, 50, 200, 100, 150].map((equity, index) => {
      fold.add(equity, index * 1000)
      return [fold.max.peakAt, fold.max.troughAt]
    })
    expect(seen).toEqual([
      [undefined, undefined],
      [0, 1000],
      [0, 1000],
      [0, 3000],
      [0, 3000],
      [0, 3000],
      [0, 3000],
    ])
    fold.add(90, 7000)
    expect(fold.max).toEqual({ fraction: 0.55, peakAt: 4000, troughAt: 7000 })
  })

  it('is the largest fall of any later sample below any earlier one', () => {
    let fell = 0
    const naive = (equity: readonly number[]): number =>
      Math.max(0, ...equity.flatMap((early, index) => equity.slice(index).map((late) => (early - late) / early)))
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.01, max: 1e12, noNaN: true }), { maxLength: 40 }), (equity) => {
        expect(maxDrawdown(equity)).toBe(naive(equity))
        if (naive(equity) > 0) fell += 1
      }),
    )
    expect(fell).toBeGreaterThan(0)
  })
})
