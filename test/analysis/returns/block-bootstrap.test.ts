/**
 * Intervals by resampling: repeatable, in blocks that go round, and as wide as chance is.
 */
import { describe, expect, it } from 'vitest'
import { blockIntervals } from '../../../src/analysis/returns/return-statistics.ts'
import { mean } from '../../../src/analysis/returns/float-sums.ts'
import { sharpe } from '../../../src/analysis/returns/risk-ratios.ts'

/** Park and Miller's, in [0, 1). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
}

const walk = (length: number, seed: number): readonly number[] => {
  const random = chance(seed)
  return Array.from({ length }, () => (random() + random() + random() - 1.5) / 50)
}

describe('an interval of a figure', () => {
  it('is the same for the same seed, and holds the figure', () => {
    const returns = walk(200, 7)
    const [one] = blockIntervals(returns, [mean], chance(3))
    expect(blockIntervals(returns, [mean], chance(3))[0]).toEqual(one)
    const center = mean(returns) ?? Number.NaN
    expect(one?.[0]).toBeLessThan(center)
    expect(one?.[1]).toBeGreaterThan(center)
  })

  it('is about four standard errors wide where returns do not hang together', () => {
    const returns = walk(1_000, 11)
    const [interval] = blockIntervals(returns, [mean], chance(5))
    const width = (interval?.[1] ?? 0) - (interval?.[0] ?? 0)
    const error = Math.sqrt(returns.reduce((total, value) => total + value ** 2, 0) / 1_000 / 1_000)
    expect(width / error).toBeGreaterThan(3.4)
    expect(width / error).toBeLessThan(4.4)
  })

  it('is wider where they come in runs, which blocks keep', () => {
    const runs = walk(100, 13).flatMap((value) => Array.from({ length: 10 }, () => value))
    const shuffled = Array.from(runs, (_, index) => runs[(index * 389) % runs.length] ?? 0)
    const [ofRuns] = blockIntervals(runs, [mean], chance(1))
    const [ofShuffled] = blockIntervals(shuffled, [mean], chance(1))
    const width = (interval: readonly [number, number] | null | undefined) =>
      (interval?.[1] ?? 0) - (interval?.[0] ?? 0)
    expect(width(ofRuns)).toBeGreaterThan(1.8 * width(ofShuffled))
  })

  it('takes as many returns as there are, each block from one place on and round the end', () => {
    const returns = Array.from({ length: 28 }, (_, index) => index)
    const resamples: (readonly number[])[] = []
    blockIntervals(returns, [(resample) => resamples.push(resample)], chance(2))
    expect(resamples).toHaveLength(1_000)
    for (const resample of resamples) {
      expect(resample).toHaveLength(28)
      // 28 is above 27, so that a block has four.
      for (let place = 0; place < 28; place += 1) {
        if (place % 4 !== 0) expect(resample[place]).toBe(((resample[place - 1] ?? 0) + 1) % 28)
      }
    }
    expect(resamples.some((resample) => resample.slice(0, 4).includes(27) && resample.slice(0, 4).includes(0))).toBe(
      true,
    )
  })

  it('is null for fewer than ten, and where the figure is undefined in one of ten resamples or more', () => {
    const figure = (returns: readonly number[]): number | null => sharpe(returns, 365)
    expect(blockIntervals(walk(9, 1), [figure, mean], chance(1))).toEqual([null, null])
    const rare = [0.01, ...Array.from({ length: 29 }, () => 0)]
    const [ratio, center] = blockIntervals(rare, [figure, mean], chance(1))
    expect(ratio).toBeNull()
    expect(center).not.toBeNull()
  })
})
