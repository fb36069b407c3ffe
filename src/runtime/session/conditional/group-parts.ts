/**
 * The needs of a group of orders, and its state.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { IntrabarExecution } from '../../../adapter/intrabar-execution.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { WAIT_ENDS } from '../../journal/journal-line.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { ConditionalOrder } from './conditional-order.ts'

/** Why a waiting order waits no more. */
export type WaitEnd = (typeof WAIT_ENDS)[number]

/** What an order of a group comes from. */
export interface GroupOrigin {
  /** Where it was triggered inside of a recorded candle, in the quote asset. */
  readonly inside: Decimal | undefined
  /** It was triggered, or is a target, and not the entry. */
  readonly isExit: boolean
}

export interface GroupParts {
  readonly place: (by: string, intent: PlaceIntent, listener: OrderListener, origin: GroupOrigin) => void
  readonly cancel: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => void
  /** True when it was done there and then, at a stage of a recorded candle; else it is on its way. */
  readonly cancelInside: (by: string, orderId: string, reply: (outcome: RequestOutcome) => void) => boolean
  /** Takes back a placement that waits for an open of recorded candles; false when it does not. */
  readonly withdraw: (reference: number) => boolean
  /** Of recorded candles; undefined for another market. */
  readonly insides: IntrabarExecution | undefined
  readonly onTriggered: (waiting: ConditionalOrder, price: Decimal) => void
  readonly onWaitEnd: (id: string, why: WaitEnd) => void
  /** It has to hear of prices from now on. */
  readonly onPricesNeeded: () => void
  /** Shows it the last price once more; of recorded candles the open, while that is played. */
  readonly showPrice: () => void
  readonly after: (delayMs: number, action: () => void) => void
  /** Nothing of it is left. */
  readonly onOver: () => void
  /** Calls when the balances count the fills that were told. */
  readonly whenBalanced: (action: () => void) => void
  /** By which a request can be found by a later session. */
  readonly linkOf: (reference: number) => PersistedLink | undefined
  /** Hears of an order that is open already. */
  readonly follow: (orderId: string, listener: OrderListener) => void
  /** What became of a request of an earlier session. */
  readonly fateOf: (link: PersistedLink) => OrderFate
}

/** What is placed and waits for each part of the entry that was filled. */
export interface ExitPlan {
  /** Undefined for none. */
  readonly stop: (() => ConditionalOrder) | undefined
  readonly target: ((qty: Decimal) => PlaceIntent) | undefined
  /** The stop begins to wait. */
  readonly onWait: (waiting: ConditionalOrder) => void
}

/** All of a group that changes. */
export interface GroupState {
  readonly waiting: readonly ConditionalOrder[]
  readonly orders: readonly GroupOrder[]
  /** Assumed not to have been executed. */
  readonly absent: readonly GroupOrder[]
  /** What may still be closed. */
  readonly open: Decimal
  /** Held, and to be offered at the target next. */
  readonly unarmed: Decimal
  /** Triggered, while orders are cancelled that stand in its way. */
  readonly pending: ConditionalOrder | undefined
  readonly isStopMade: boolean
  /** A stop was triggered: there are no targets any more. */
  readonly isStopped: boolean
  readonly isOver: boolean
}

/** An order of an earlier session. */
export interface TakenUpOrder {
  /** Id of its group, or of the waiting order that became it. */
  readonly by: string
  /** Undefined when it was not known. */
  readonly id: string | undefined
}
