import { describe, expect, it } from 'vitest'
import { TripCount, winRate } from '../../src/analysis/win-rate.ts'

describe('win rate', () => {
  it.each`
    pnls                 | expected | why
    ${[]}                | ${null}  | ${'no round trip'}
    ${[1n, -1n]}         | ${0.5}   | ${'one of two'}
    ${[0n]}              | ${0}     | ${'breaking even is not winning'}
    ${[1n, 2n, 3n, -9n]} | ${0.75}  | ${'by number, not by amount'}
  `('$why -> $expected', ({ pnls, expected }: { pnls: bigint[]; expected: number | null }) => {
    const trips = new TripCount()
    for (const pnl of pnls) trips.add({ pnl })
    expect(winRate(trips)).toBe(expected)
  })
})
