/**
 * Intents: the values that the output of a strategy emits, and their outcomes.
 *
 * Prices and quantities are strings, Decimals or numbers. Decimals and numbers are rounded to the precision of the
 * market; strings must fit it.
 */
import type { Refusal, Refuser } from '../domain/refusal.ts'
import type { OwnOrder } from './own-order.ts'
import type { LimitIntent, MarketIntent, PlaceIntent } from './place-intent.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from './target-intent.ts'
import type { BracketIntent, OcoIntent, WaitingIntent } from './waiting-intent.ts'

export type { LimitIntent, MarketIntent, PlaceIntent }

/** Cancels one order. Its fills remain. */
export interface CancelIntent {
  readonly type: 'cancel'
  /** Id of an `OwnOrder`, or of a conditional order, group or bracket. */
  readonly orderId: string
}

/** Cancels all open and conditional orders, or those of one market. Each cancel counts for the rate limit. */
export interface CancelAllIntent {
  readonly type: 'cancel-all'
  /** Symbol of the market; default: all markets. */
  readonly symbol?: string
}

/** Value that a strategy can emit. */
export type Intent =
  | PlaceIntent
  | CancelIntent
  | CancelAllIntent
  | TargetIntent
  | RebalanceIntent
  | ReplaceIntent
  | WaitingIntent
  | OcoIntent
  | BracketIntent

/** The exchange accepted an order, or cancelled one. */
export interface AcknowledgedOutcome {
  readonly type: 'acknowledged'
  /** Intent that you emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** State of the order in the reply of the exchange. Immediate fills are emitted after it. */
  readonly order: OwnOrder
}

/**
 * The exchange refused the request, or it was not sent, because of the precision of the market, a risk limit or the
 * rate limit. A conditional order that could never become valid is refused when you emit it.
 */
export interface RefusedOutcome {
  readonly type: 'refused'
  /** Intent that you emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Code and reason of the refusal. */
  readonly refusal: Refusal
  /** Refuser: `'exchange'`, or a local check, in which case the request was never sent. */
  readonly by: Refuser
}

/** The session dropped an order of a bracket before sending it, because the stop triggered. This is not an error. */
export interface WithdrawnOutcome {
  readonly type: 'withdrawn'
  /** Order of the bracket, not the intent that you emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Reason, as text. */
  readonly reason: string
}

/**
 * No reply: the order may exist, or the cancel may have worked. Never repeat it blindly. For an order, another outcome
 * follows once its state is known.
 */
export interface UnknownOutcome {
  readonly type: 'unknown'
  /** Intent that you emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Reason, as text. */
  readonly reason: string
}

/**
 * After `unknown`: the exchange does not have the order. If the order appears later, an `acknowledged` outcome follows
 * and its market is halted.
 */
export interface AbsentOutcome {
  readonly type: 'absent'
  /** Intent that you emitted. */
  readonly intent: PlaceIntent
}

/** After `unknown`: several orders could be this one. The market is halted until the operator decides. */
export interface AmbiguousOutcome {
  readonly type: 'ambiguous'
  /** Intent that you emitted. */
  readonly intent: PlaceIntent
  /** Reason, as text. */
  readonly reason: string
}

/** Outcome of an order or a cancel. After `unknown`, a second outcome follows for an order. */
export type Outcome =
  AcknowledgedOutcome | RefusedOutcome | WithdrawnOutcome | UnknownOutcome | AbsentOutcome | AmbiguousOutcome
