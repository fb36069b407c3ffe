/**
 * Combinatorial folds: each choice of groups once, nothing trained on near what is tested, paths that cover all time.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { purgedFolds } from '../../../src/sweep/selection/purged-folds.ts'

const window = (from: number, to: number) => ({ from, to })

describe('purged folds', () => {
  it('by hand: five groups of ten, one tested', () => {
    const { groups, folds, paths } = purgedFolds(window(0, 50), { groups: 5, testGroups: 1, purgeMs: 1, embargoMs: 3 })
    expect(groups).toEqual([window(0, 10), window(10, 20), window(20, 30), window(30, 40), window(40, 50)])
    expect(folds.map(({ train }) => train)).toEqual([
      [window(14, 50)],
      [window(0, 9), window(24, 50)],
      [window(0, 19), window(34, 50)],
      [window(0, 29), window(44, 50)],
      [window(0, 39)],
    ])
    expect(paths).toEqual([[0, 1, 2, 3, 4]])
  })

  it('six groups of which two are tested make the 15 folds and 5 paths of the book', () => {
    const { folds, paths } = purgedFolds(window(0, 60), { groups: 6, testGroups: 2, purgeMs: 0, embargoMs: 0 })
    expect(folds).toHaveLength(15)
    expect(paths).toHaveLength(5)
    expect(folds[0]).toEqual({ groups: [0, 1], test: [window(0, 10), window(10, 20)], train: [window(20, 60)] })
    expect(folds[1]?.train).toEqual([window(10, 20), window(30, 60)])
  })

  it('keeps its distance, tests every group as often as any other, and covers time on each path', () => {
    const plans = fc
      .record({
        groups: fc.integer({ min: 2, max: 7 }),
        purgeMs: fc.integer({ min: 0, max: 12 }),
        embargoMs: fc.integer({ min: 0, max: 12 }),
        length: fc.integer({ min: 7, max: 90 }),
        from: fc.constantFrom(0, -5, 1_577_836_800_000),
      })
      .chain((plan) => fc.record({ plan: fc.constant(plan), testGroups: fc.integer({ min: 1, max: plan.groups - 1 }) }))
    fc.assert(
      fc.property(plans, ({ plan, testGroups }) => {
        const range = window(plan.from, plan.from + plan.length)
        const { groups, folds, paths } = purgedFolds(range, { ...plan, testGroups })
        expect(groups[0]?.from).toBe(range.from)
        expect(groups.at(-1)?.to).toBe(range.to)
        groups.slice(1).forEach((group, index) => expect(group.from).toBe(groups[index]?.to))
        const lengths = groups.map(({ from, to }) => to - from)
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
        for (const { test, train } of folds) {
          for (const moment of Array.from({ length: plan.length }, (_, index) => range.from + index)) {
            const isNear = test.some(
              ({ from, to }) => moment >= from - plan.purgeMs && moment < to + plan.purgeMs + plan.embargoMs,
            )
            expect(train.some(({ from, to }) => moment >= from && moment < to)).toBe(!isNear)
          }
        }
        expect(new Set(folds.map((fold) => fold.groups.join())).size).toBe(folds.length)
        expect(paths).toHaveLength((folds.length * testGroups) / plan.groups)
        for (const path of paths) {
          path.forEach((fold, group) => expect(folds[fold]?.groups).toContain(group))
        }
        const used = paths.flatMap((path) => path.map((fold, group) => `${fold}:${group}`))
        expect(new Set(used).size).toBe(folds.length * testGroups)
      }),
    )
  })

  it.each([
    { groups: 1, testGroups: 1, purgeMs: 0, embargoMs: 0 },
    { groups: 4, testGroups: 4, purgeMs: 0, embargoMs: 0 },
    { groups: 4, testGroups: 0, purgeMs: 0, embargoMs: 0 },
    { groups: 4, testGroups: 1, purgeMs: -1, embargoMs: 0 },
    { groups: 4, testGroups: 1, purgeMs: 0, embargoMs: 0.5 },
    { groups: 101, testGroups: 1, purgeMs: 0, embargoMs: 0 },
  ])('refuses $testGroups of $groups, $purgeMs, $embargoMs', (plan) => {
    expect(() => purgedFolds(window(0, 100), plan)).toThrow()
  })
})
