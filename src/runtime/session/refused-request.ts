/** A refused request of a strategy, as recorded by the run. */
import type { Decimal } from '../../domain/decimal.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

export interface RefusedRequest {
  /** Number of the request in the journal. */
  readonly reference: number
  readonly intent: PlaceIntent | CancelIntent
  readonly refusal: Refusal
  readonly by: Refuser
  /** Unix milliseconds at which the strategy received the refusal. */
  readonly time: number
  /** Available balance of the insufficient asset at that time; undefined for other refusals. */
  readonly available: Decimal | undefined
}
