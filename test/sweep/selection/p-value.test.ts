/**
 * The share of chance that does as well.
 */
import { describe, expect, it } from 'vitest'
import { pValue } from '../../../src/sweep/null-tapes.ts'
import { chance } from './rig/chance.ts'

describe('the p-value of a best', () => {
  it.each`
    best   | nulls            | expected | why
    ${2}   | ${[1, 1.5, 0.3]} | ${0.25}  | ${'none of three as good: still not 0'}
    ${1.2} | ${[1, 1.5, 0.3]} | ${0.5}   | ${'one better'}
    ${1.5} | ${[1, 1.5, 0.3]} | ${0.5}   | ${'one as good counts'}
    ${-1}  | ${[1, 1.5, 0.3]} | ${1}     | ${'all better'}
    ${1}   | ${[]}            | ${null}  | ${'none'}
  `('$why', ({ best, nulls, expected }) => expect(pValue(best, nulls)).toBe(expected))

  it('is at or below a level no more often than the level says, when the best is chance too', () => {
    const random = chance(12)
    const rounds = 4_000
    let low = 0
    for (let round = 0; round < rounds; round += 1) {
      const nulls = Array.from({ length: 39 }, random)
      if ((pValue(random(), nulls) ?? 1) <= 0.05) low += 1
    }
    expect(low / rounds).toBeGreaterThan(0.035)
    expect(low / rounds).toBeLessThan(0.065)
  })
})
