/**
 * Two trials side by side.
 */
import { expect, it } from 'vitest'
import { buyMarket } from '../../../src/strategy/orders.ts'
import { differenceOf } from '../../../src/testing/check/difference.ts'
import type { TrialEvent } from '../../../src/testing/trial/watched-strategy.ts'

const trial = (...wanted: readonly (readonly [time: number, qty: string])[]) => ({
  events: wanted.map(([time, qty]): TrialEvent => ({
    type: 'intent',
    time,
    intent: buyMarket('A_B', qty),
    answers: undefined,
  })),
  failure: undefined,
})

it.each`
  one                     | two                     | comparison              | time         | why
  ${[[1, '1'], [5, '2']]} | ${[[1, '1'], [5, '2']]} | ${{}}                   | ${undefined} | ${'the same'}
  ${[[1, '1'], [5, '2']]} | ${[[1, '1'], [5, '3']]} | ${{}}                   | ${5}         | ${'another quantity'}
  ${[[1, '1'], [5, '2']]} | ${[[1, '1']]}           | ${{}}                   | ${5}         | ${'nothing instead'}
  ${[[1, '1'], [5, '2']]} | ${[[1, '1'], [4, '2']]} | ${{}}                   | ${4}         | ${'sooner'}
  ${[[1, '1'], [5, '2']]} | ${[[1, '1'], [5, '3']]} | ${{ before: 5 }}        | ${undefined} | ${'behind the cut of a tape'}
  ${[[1, '1'], [4, '2']]} | ${[[1, '1'], [4, '3']]} | ${{ before: 5 }}        | ${4}         | ${'before it: the future was known'}
  ${[[1, '1'], [1, '2']]} | ${[[1, '2'], [1, '1']]} | ${{}}                   | ${1}         | ${'another order of the same'}
  ${[[1, '1'], [1, '2']]} | ${[[1, '2'], [1, '1']]} | ${{ endsAtSwap: true }} | ${undefined} | ${'which does not count there'}
`('$why: $time', ({ one, two, comparison, time }) => {
  expect(differenceOf(trial(...one), trial(...two), comparison)?.time).toBe(time)
})
