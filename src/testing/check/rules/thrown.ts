/**
 * Errors of a strategy, by what they say of it.
 */
import type { FaultKind } from '../fault-kinds.ts'
import type { Rule } from './trial-story.ts'

/** How the runtime says what a strategy must not do. */
const MEANINGS: readonly (readonly [RegExp, FaultKind])[] = [
  [/^process\.\w+\(\) is not for a strategy/, 'throws'],
  [/\) is not for a strategy: use/, 'clock'],
  [/answers itself without end|and never ends: /, 'endless-orders'],
  [/no time can pass$/, 'endless-loop'],
]

export const thrown: Rule = ({ failure }) => {
  if (failure === undefined) return undefined
  const { message, time } = failure
  const [, kind = 'throws' as const] = MEANINGS.find(([pattern]) => pattern.test(message)) ?? []
  return { kind, time, text: message.split('\n')[0] ?? '' }
}
