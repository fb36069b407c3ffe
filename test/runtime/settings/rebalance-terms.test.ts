/** Times at which capital moves between strategies. */
import { expect, it } from 'vitest'
import { isDue, nextTimeOfDay, resolvedRebalance } from '../../../src/runtime/settings/rebalance-terms.ts'

const dueAfter = (now: string, every: string, at?: string): string => {
  const terms = resolvedRebalance({ rule: 'equal', every, at }, [])
  let time = nextTimeOfDay(terms, Date.parse(now))
  while (!isDue(terms, time)) time = nextTimeOfDay(terms, time)
  return new Date(time).toISOString()
}

it.each`
  now                           | every   | at           | due
  ${'2024-01-01T00:00:00.000Z'} | ${'1d'} | ${undefined} | ${'2024-01-02T00:00:00.000Z'}
  ${'2024-01-01T08:29:59.999Z'} | ${'1d'} | ${'08:30'}   | ${'2024-01-01T08:30:00.000Z'}
  ${'2024-01-01T08:30:00.000Z'} | ${'1d'} | ${'08:30'}   | ${'2024-01-02T08:30:00.000Z'}
  ${'2024-01-03T12:00:00.000Z'} | ${'1w'} | ${undefined} | ${'2024-01-08T00:00:00.000Z'}
  ${'2024-01-08T00:00:00.000Z'} | ${'1w'} | ${'16:00'}   | ${'2024-01-08T16:00:00.000Z'}
  ${'2024-01-31T12:00:00.000Z'} | ${'1M'} | ${'00:15'}   | ${'2024-02-01T00:15:00.000Z'}
  ${'2024-01-31T12:00:00.000Z'} | ${'3M'} | ${undefined} | ${'2024-04-01T00:00:00.000Z'}
`('capital moves every $every at $at: after $now at $due', ({ now, every, at, due }: Record<string, string>) => {
  expect(dueAfter(now ?? '', every ?? '', at)).toBe(due)
})
