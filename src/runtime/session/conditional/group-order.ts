/** An order at the exchange that belongs to a group, while it may still be filled. */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { ConditionalOrder } from './conditional-order.ts'

export class GroupOrder {
  readonly role: 'entry' | 'exit'
  /** Id of the group, or of the conditional order that placed it. */
  readonly by: string
  readonly intent: PlaceIntent
  /** The conditional order that placed it, if it may be triggered again. */
  fired: ConditionalOrder | undefined
  /** Link of its request; undefined before the request, and if nothing is persisted. */
  link: PersistedLink | undefined
  /** The session's reference of its request; undefined before the request. */
  reference: number | undefined
  /** Id at the exchange; undefined while it is unknown. */
  id: string | undefined
  /** Total ordered quantity, also after the strategy replaced the order. */
  qty: Decimal
  /** Filled quantity, as far as its group has counted it. */
  filled: Decimal = toDecimal(0)
  /** It is to be cancelled as soon as possible. */
  isUnwanted = false
  /** It is cancelled because it orders more than its group holds: an order for the rest follows. */
  isTrimmed = false
  isCancelAsked = false
  /** Its cancel could not be executed immediately during a bar phase, and is in flight. */
  isHeldUp = false
  /** All its events are received; false for an order of an earlier session before it was looked up. */
  isFollowed = true

  constructor(role: GroupOrder['role'], by: string, intent: PlaceIntent, fired?: ConditionalOrder) {
    this.role = role
    this.by = by
    this.intent = intent
    this.fired = fired
    this.qty = toDecimal(intent.qty)
  }

  /** Quantity that it may still trade. */
  get left(): Decimal {
    return Decimal.max(this.qty.minus(this.filled), 0)
  }
}
