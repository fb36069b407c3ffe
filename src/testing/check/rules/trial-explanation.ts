/**
 * A trial as the rules read it.
 */
import type { StrategyError } from '../../../domain/errors.ts'
import type { Strategy } from '../../../strategy/strategy.ts'
import type { TrialEvent } from '../../trial/trial-event.ts'
import type { FoundFault } from '../fault-kinds.ts'
import type { Scenario } from '../scenario.ts'

export interface TrialStory {
  readonly scenario: Scenario
  readonly strategy: Pick<Strategy, 'limits'>
  readonly events: readonly TrialEvent[]
  readonly failure: StrategyError | undefined
}

/** The first fault of its kind, if there is one. */
export type Rule = (story: TrialStory) => FoundFault | undefined
