import { describe, expect, it } from 'vitest'
import { totalReturn } from '../../src/analysis/statistics.ts'

describe('total return', () => {
  it.each`
    initial       | final                      | expected  | why
    ${10_000n}    | ${10_123n}                 | ${0.0123} | ${'a gain'}
    ${10_000n}    | ${9_000n}                  | ${-0.1}   | ${'a loss'}
    ${10_000n}    | ${-10_000n}                | ${-2}     | ${'more than all, on credit'}
    ${0n}         | ${5n}                      | ${null}   | ${'nothing to begin with'}
    ${-1n}        | ${5n}                      | ${null}   | ${'less than nothing to begin with'}
    ${10n ** 30n} | ${10n ** 30n + 10n ** 10n} | ${1e-20}  | ${'the difference is taken before the float'}
  `(
    '$why: $initial to $final -> $expected',
    ({ initial, final, expected }: Record<'initial' | 'final', bigint> & { expected: number | null }) => {
      expect(totalReturn(initial, final)).toBe(expected)
    },
  )
})
