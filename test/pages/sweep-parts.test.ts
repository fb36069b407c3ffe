/**
 * What the page of a sweep computes to draw, apart from any browser.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestBins } from '../../pages/sweep/best-bins.ts'
import { roundStep, ticksOf, tickText } from '../../pages/sweep/round-ticks.ts'

describe('bins of the bests on shuffled tapes', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 200 })

  it('have each best once, and none that is as good beside one that is not', () => {
    let mixed = 0
    fc.assert(
      fc.property(values, fc.integer({ min: -5, max: 200 }), fc.boolean(), (drawn, index, isHigher) => {
        const bests = drawn.toSorted((a, b) => a - b)
        const recorded = bests[index] ?? 0.5
        const bins = bestBins(bests, recorded, isHigher ? 'higher' : 'lower')
        expect(bins.flatMap((bin) => bin.bests).toSorted((a, b) => a - b)).toEqual(bests)
        const isAsGood = (best: number): boolean => (isHigher ? best >= recorded : best <= recorded)
        for (const bin of bins) {
          expect(bin.bests.length).toBeGreaterThan(0)
          expect(bin.bests.every((best) => isAsGood(best) === bin.isAsGood)).toBe(true)
        }
        expect(bins.length).toBeLessThanOrEqual(62)
        if (new Set(bins.map((bin) => bin.isAsGood)).size === 2) mixed += 1
      }),
    )
    expect(mixed).toBeGreaterThan(10)
  })

  it('of bests that are all the same are one', () => {
    expect(bestBins([2, 2, 2], 5, 'higher')).toMatchObject([{ bests: [2, 2, 2], isAsGood: false }])
    expect(bestBins([0, 0], 0, 'lower')).toMatchObject([{ from: 0, bests: [0, 0], isAsGood: true }])
    expect(bestBins([1, 1], null, 'higher')).toMatchObject([{ isAsGood: false }])
    expect(bestBins([], 1, 'higher')).toEqual([])
  })
})

describe('numbers along an axis', () => {
  it.each`
    low      | high    | rough    | form       | texts
    ${-0.03} | ${0.11} | ${0.04}  | ${'share'} | ${['0 %', '5 %', '10 %']}
    ${-1.2}  | ${0.9}  | ${0.41}  | ${'ratio'} | ${['-1.0', '-0.5', '0.0', '0.5']}
    ${-900}  | ${2100} | ${750}   | ${'ratio'} | ${['0', '1,000', '2,000']}
    ${0.001} | ${0.01} | ${0.003} | ${'share'} | ${['0.5 %', '1.0 %']}
  `('are round from $low to $high: $texts', ({ low, high, rough, form, texts }) => {
    const step = roundStep(rough)
    expect(ticksOf(low, high, step).map((tick) => tickText(form, tick, step))).toEqual(texts)
  })
})
