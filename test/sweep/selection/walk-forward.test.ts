/**
 * Windows of a walk-forward: no row of a test window is trained on, and every moment after the first train window is
 * tested once.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walkForwardFolds } from '../../../src/sweep/selection/walk-forward.ts'

const window = (from: number, to: number) => ({ from, to })

describe('walk-forward windows', () => {
  it.each`
    plan                                                          | folds                                                    | why
    ${{ trainMs: 30, testMs: 10, purgeMs: 0, isAnchored: false }} | ${[[0, 30, 30, 40], [10, 40, 40, 50], [20, 50, 50, 55]]} | ${'rolling; the last one is cut at the end'}
    ${{ trainMs: 30, testMs: 10, purgeMs: 2, isAnchored: false }} | ${[[0, 30, 32, 42], [10, 40, 42, 52], [20, 50, 52, 55]]} | ${'the purge lies between'}
    ${{ trainMs: 30, testMs: 10, purgeMs: 2, isAnchored: true }}  | ${[[0, 30, 32, 42], [0, 40, 42, 52], [0, 50, 52, 55]]}   | ${'anchored ones grow'}
    ${{ trainMs: 53, testMs: 10, purgeMs: 1, isAnchored: false }} | ${[[0, 53, 54, 55]]}                                     | ${'a single millisecond'}
    ${{ trainMs: 54, testMs: 10, purgeMs: 1, isAnchored: false }} | ${[]}                                                    | ${'nothing left to test'}
  `('$why', ({ plan, folds }) => {
    const found = walkForwardFolds(window(1_000, 1_055), plan)
    const expected = (folds as number[][]).map(([a = 0, b = 0, c = 0, d = 0]) => ({
      train: window(1_000 + a, 1_000 + b),
      test: window(1_000 + c, 1_000 + d),
    }))
    expect(found).toEqual(expected)
  })

  it('never trains within the purge before a test window, or later, and tests each later moment once', () => {
    const plans = fc.record({
      trainMs: fc.integer({ min: 1, max: 40 }),
      testMs: fc.integer({ min: 1, max: 40 }),
      purgeMs: fc.integer({ min: 0, max: 10 }),
      isAnchored: fc.boolean(),
    })
    const ranges = fc.tuple(fc.constantFrom(0, 1_577_836_800_000), fc.integer({ min: 0, max: 200 }))
    fc.assert(
      fc.property(plans, ranges, (plan, [from, length]) => {
        const folds = walkForwardFolds({ from, to: from + length }, plan)
        let tested = from + plan.trainMs + plan.purgeMs
        for (const { train, test } of folds) {
          expect(train.to).toBe(test.from - plan.purgeMs)
          expect(train.to - train.from).toBeGreaterThanOrEqual(plan.trainMs)
          if (!plan.isAnchored) expect(train.to - train.from).toBe(plan.trainMs)
          expect(train.from).toBeGreaterThanOrEqual(from)
          expect(test.from).toBe(tested)
          expect(test.to).toBeGreaterThan(test.from)
          tested = test.to
        }
        if (folds.length > 0) expect(tested).toBe(from + length)
        else expect(length).toBeLessThanOrEqual(plan.trainMs + plan.purgeMs)
      }),
    )
  })

  it.each([
    { trainMs: 0, testMs: 1, purgeMs: 0, isAnchored: false },
    { trainMs: 1, testMs: 0, purgeMs: 0, isAnchored: false },
    { trainMs: 1, testMs: 1, purgeMs: -1, isAnchored: false },
    { trainMs: 1, testMs: 0.5, purgeMs: 0, isAnchored: false },
    { trainMs: Number.NaN, testMs: 1, purgeMs: 0, isAnchored: false },
  ])('refuses $trainMs, $testMs, $purgeMs', (plan) => {
    expect(() => walkForwardFolds(window(0, 100), plan)).toThrow()
  })
})
