/**
 * An order of the exchange that belongs to a group, while it may still be filled.
 */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { ConditionalOrder } from './conditional-order.ts'

export class GroupOrder {
  readonly role: 'entry' | 'exit'
  /** Id of the group, or of the waiting order that became it. */
  readonly by: string
  readonly intent: PlaceIntent
  /** The waiting order that became it, if it may ask again. */
  fired: ConditionalOrder | undefined
  /** Of its request; undefined before that, and where nothing is kept. */
  link: PersistedLink | undefined
  /** The session's own number of its request; undefined before that. */
  reference: number | undefined
  /** As the exchange named it; undefined while that is not known. */
  id: string | undefined
  /** Ordered in all, also where the strategy replaced the order. */
  qty: Decimal
  /** Filled of it, as far as it is counted in its group. */
  filled: Decimal = toDecimal(0)
  /** It is to be cancelled as soon as it can be. */
  isUnwanted = false
  /** It is cancelled because it orders more than its group holds: an order for the rest follows. */
  isTrimmed = false
  isCancelAsked = false
  /** Its cancel could not be done there and then, at a stage of a recorded candle: it is on its way. */
  isHeldUp = false
  /** All that becomes of it is heard; false for one of an earlier session before it was looked for. */
  isFollowed = true

  constructor(role: GroupOrder['role'], by: string, intent: PlaceIntent, fired?: ConditionalOrder) {
    this.role = role
    this.by = by
    this.intent = intent
    this.fired = fired
    this.qty = toDecimal(intent.qty)
  }

  /** What it may still trade. */
  get left(): Decimal {
    return Decimal.max(this.qty.minus(this.filled), 0)
  }
}
