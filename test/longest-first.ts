/**
 * Order of the test files: those that take long begin first, so that none of them is left for the end, where it keeps
 * one core busy and the other waiting. Within either kind the order is vitest's own: what failed last, then what took
 * longest last.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Parts of their paths: files that are small for what they take. Of the others a large file takes long, as vitest
 * expects.
 */
const LONG = [
  'cli/live/lasting-page.',
  'cli/machines/',
  'cli/live/live-command.',
  'uses/new-project.',
  'exchange/seeded-bugs.',
  'run/warm-up-live.',
  'testing/check/check-strategy.',
  'exchange/twin.',
  'adapter/live/crash-live.',
  'run/sweep/sweep-truth.',
  'real-data/parity.',
  'docs/commands/',
  'uses/backtests.',
  'run/sweep/sweep',
  'examples/examples.',
  'golden/',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG.findIndex((part) => moduleId.includes(`/test/${part}`))
  return rank === -1 ? LONG.length : rank
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
