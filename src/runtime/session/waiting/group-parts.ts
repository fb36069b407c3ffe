/**
 * The needs of a group of orders, and its state.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { KeptLink } from '../../../store/state/live/kept-wait.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { WAIT_ENDS } from '../../journal/journal-line.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { WaitingOrder } from './waiting-order.ts'

/** Why a waiting order waits no more. */
export type WaitEnd = (typeof WAIT_ENDS)[number]

export interface GroupParts {
  readonly place: (by: string, intent: PlaceIntent, listener: OrderListener) => void
  readonly cancel: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => void
  readonly onTriggered: (waiting: WaitingOrder, price: Decimal) => void
  readonly onWaitEnd: (id: string, why: WaitEnd) => void
  /** Something of it is another than it was. */
  readonly onChange: () => void
  /** Nothing of it is left. */
  readonly onOver: () => void
  /** Calls when the balances count the fills that were told. */
  readonly whenBalanced: (action: () => void) => void
  /** By which a request can be found by a later session. */
  readonly linkOf: (reference: number) => KeptLink | undefined
  /** Hears of an order that is open already. */
  readonly follow: (orderId: string, listener: OrderListener) => void
  /** What became of a request of an earlier session. */
  readonly fateOf: (link: KeptLink) => OrderFate
}

/** What is placed and waits for each part of the entry that was filled. */
export interface ExitPlan {
  /** Undefined for none. */
  readonly stop: (() => WaitingOrder) | undefined
  readonly target: ((qty: Decimal) => PlaceIntent) | undefined
  /** The stop begins to wait. */
  readonly onWait: (waiting: WaitingOrder) => void
}

/** All of a group that changes. */
export interface GroupState {
  readonly waiting: readonly WaitingOrder[]
  readonly orders: readonly GroupOrder[]
  /** What may still be closed. */
  readonly open: Decimal
  /** Filled of the entry, without its target yet. */
  readonly unarmed: Decimal
  /** Triggered, while orders are cancelled that stand in its way. */
  readonly pending: WaitingOrder | undefined
  readonly isStopMade: boolean
  /** A stop was triggered: there are no targets any more. */
  readonly isStopped: boolean
  readonly isOver: boolean
}
