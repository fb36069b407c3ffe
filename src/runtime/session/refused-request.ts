/**
 * A request of a strategy's that was refused, as whoever keeps the record of a run hears of it.
 */
import type { Decimal } from '../../domain/decimal.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

export interface RefusedRequest {
  /** Number of the request in the journal. */
  readonly reference: number
  readonly intent: PlaceIntent | CancelIntent
  readonly refusal: Refusal
  readonly by: Refuser
  /** Unix milliseconds at which the strategy was told. */
  readonly time: number
  /** What was free then of the asset that was too little; undefined for other refusals. */
  readonly available: Decimal | undefined
}
