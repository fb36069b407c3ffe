import { describe, expect, it } from 'vitest'
import { withSoundTimes } from '../../../../src/adapter/live/market-data/trade-times.ts'
import { tradeAt } from './rig/trade-adversary.ts'

const NOW = 1_000_000
const clock = { now: () => NOW, isAhead: (time: number) => time > NOW + 5_000 }

const soundTimes = (oldestFirst: readonly number[], known: readonly (number | undefined)[] = []): readonly number[] => {
  const rows = oldestFirst.map((time, index) => tradeAt(index, time)).reverse()
  const knownTime = (id: string): number | undefined => known[rows.length - 1 - rows.findIndex((row) => row.id === id)]
  return withSoundTimes(rows, clock, knownTime).map(({ createdAt }) => createdAt).reverse() // prettier-ignore
}

describe('times of a read', () => {
  it.each`
    times                                | sound                               | why
    ${[10_000, 20_000, 30_000]}          | ${[10_000, 20_000, 30_000]}         | ${'in order'}
    ${[20_000, 18_000, 30_000]}          | ${[20_000, 18_000, 30_000]}         | ${'a little out of order is for the sequence to judge'}
    ${[10_000, 2_000_000, 30_000]}       | ${[10_000, 10_000, 30_000]}         | ${'one of the future'}
    ${[10_000, 20_000, 2_000_000]}       | ${[10_000, 20_000, NOW]}            | ${'the newest of the future has just happened'}
    ${[10_000, 90_000, 30_000, 40_000]}  | ${[10_000, 10_000, 30_000, 40_000]} | ${'ahead of what came after it'}
    ${[50_000, 60_000, 1, 70_000]}       | ${[50_000, 60_000, 60_000, 70_000]} | ${'one of the past'}
    ${[50_000, 60_000, 1]}               | ${[50_000, 60_000, 60_000]}         | ${'the newest of the past'}
    ${[2_000_000, 2_000_000, 2_000_000]} | ${[NOW, NOW, NOW]}                  | ${'all of the future'}
    ${[]}                                | ${[]}                               | ${'no trade'}
  `('$times: $why', ({ times, sound }: { times: readonly number[]; sound: readonly number[] }) => {
    expect(soundTimes(times)).toEqual(sound)
  })

  it('keeps the time with which a trade was reported', () => {
    expect(soundTimes([10_000, 2_000_000, 30_000], [10_000, 22_000, undefined])).toEqual([10_000, 22_000, 30_000])
  })
})
