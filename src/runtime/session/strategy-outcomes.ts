/** Outcomes of a strategy's requests, as the strategy receives them. */
import type { Reconciliation, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { assertNever } from '../../domain/errors.ts'
import type { CancelIntent, Outcome, PlaceIntent } from '../../strategy/intent.ts'
import type { OutcomeEvent } from './session-event.ts'

export class StrategyOutcomes {
  /** Placements with an unknown outcome, or found absent, by reference: their order may still appear. */
  readonly #unsettled = new Map<number, PlaceIntent>()

  /** Outcome of a request; an unknown one of a placement is settled later. */
  take({ reference, intent, outcome }: OutcomeEvent): Outcome {
    if (outcome.type === 'unknown' && intent.type !== 'cancel') this.#unsettled.set(reference, intent)
    return outcomeOf(intent, outcome)
  }

  /** Outcome of a reconciled placement; undefined if the strategy has received its final one. */
  settle(reference: number, settlement: Reconciliation): Outcome | undefined {
    const intent = this.#unsettled.get(reference)
    if (intent === undefined) return undefined
    const { type } = settlement
    switch (type) {
      case 'adopted':
        this.#unsettled.delete(reference)
        return { type: 'acknowledged', intent, order: settlement.order }
      case 'absent':
        return { type, intent }
      case 'ambiguous':
        return { type, intent, reason: settlement.reason }
      default:
        return assertNever(settlement)
    }
  }
}

function outcomeOf(intent: PlaceIntent | CancelIntent, outcome: RequestOutcome): Outcome {
  const { type } = outcome
  switch (type) {
    case 'acknowledged':
      return { type, intent, order: outcome.order }
    case 'refused':
      return { type, intent, refusal: outcome.refusal, by: outcome.by ?? 'exchange' }
    case 'withdrawn':
    case 'unknown':
      return { type, intent, reason: outcome.reason }
    default:
      return assertNever(outcome)
  }
}
