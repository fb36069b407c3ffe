/** Dependencies and state of an order group. */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { IntrabarExecution } from '../../../adapter/intrabar-execution.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { WAIT_ENDS } from '../../journal/journal-line.ts'
import type { OrderFollower } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { ConditionalOrder } from './conditional-order.ts'

/** Why a conditional order ended. */
export type WaitEnd = (typeof WAIT_ENDS)[number]

/** Origin of a group's order. */
export interface GroupOrigin {
  /** Trigger price inside a recorded candle, in the quote asset. */
  readonly inside: Decimal | undefined
  /** True for a triggered order or a target, false for the entry. */
  readonly isExit: boolean
}

export interface GroupParts {
  readonly place: (by: string, intent: PlaceIntent, follower: OrderFollower, origin: GroupOrigin) => void
  readonly cancel: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => void
  /** True if it was executed immediately, during a bar phase; otherwise the cancel is in flight. */
  readonly cancelInside: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => boolean
  /** Withdraws a placement that waits for an open of recorded candles; false if it cannot. */
  readonly withdraw: (reference: number) => boolean
  /** Intrabar execution of recorded candles; undefined for other markets. */
  readonly insides: IntrabarExecution | undefined
  readonly onTriggered: (waiting: ConditionalOrder, price: Decimal) => void
  readonly onWaitEnd: (id: string, why: WaitEnd) => void
  /** The group needs prices from now on. */
  readonly onPricesNeeded: () => void
  /** Passes the last price to it once more; at the open of a recorded candle, the open. */
  readonly showPrice: () => void
  readonly after: (delayMs: number, action: () => void) => void
  /** Nothing of it is left. */
  readonly onOver: () => void
  /** Runs `action` once the balances include the emitted fills. */
  readonly whenBalanced: (action: () => void) => void
  /** Link by which a later session can find the request. */
  readonly linkOf: (reference: number) => PersistedLink | undefined
  /** Follows an order that is already open. */
  readonly follow: (orderId: string, follower: OrderFollower) => void
  /** Current fate of an earlier session's request. */
  readonly fateOf: (link: PersistedLink) => OrderFate
}

/** Stop and target that follow each filled part of the entry. */
export interface ExitPlan {
  /** Undefined for none. */
  readonly stop: (() => ConditionalOrder) | undefined
  readonly target: ((qty: Decimal) => PlaceIntent) | undefined
  /** The stop becomes active. */
  readonly onWait: (waiting: ConditionalOrder) => void
}

/** Mutable state of a group. */
export interface GroupState {
  readonly waiting: readonly ConditionalOrder[]
  readonly orders: readonly GroupOrder[]
  /** Orders assumed absent. */
  readonly absent: readonly GroupOrder[]
  /** Quantity that may still be closed. */
  readonly open: Decimal
  /** Quantity held and next to be offered at the target. */
  readonly unarmed: Decimal
  /** Triggered conditional order that waits for cancels of orders in its way. */
  readonly pending: ConditionalOrder | undefined
  readonly isStopMade: boolean
  /** A stop was triggered: there are no more targets. */
  readonly isStopped: boolean
  readonly isOver: boolean
}

/** An order of an earlier session. */
export interface TakenUpOrder {
  /** Id of its group, or of the conditional order that placed it. */
  readonly by: string
  /** Undefined if it was not known. */
  readonly id: string | undefined
}
