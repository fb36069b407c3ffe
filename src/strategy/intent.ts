/**
 * Intents of a strategy: the values that its output emits.
 *
 * Prices and quantities are strings, Decimals or numbers. They must fit the market's precision; nothing rounds in silence.
 */
import type { Refusal, Refuser } from '../domain/refusal.ts'
import type { OwnOrder } from './own-order.ts'
import type { LimitIntent, MarketIntent, PlaceIntent } from './place-intent.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from './target-intent.ts'
import type { BracketIntent, OcoIntent, WaitingIntent } from './waiting-intent.ts'

export type { LimitIntent, MarketIntent, PlaceIntent }

/** Cancels one order. What was filled of it stays filled. */
export interface CancelIntent {
  readonly type: 'cancel'
  /** The `id` of an `OwnOrder`, or of an order that waits in the session. */
  readonly orderId: string
}

/** Cancels every open order and every one that waits in the session, of one market when `symbol` is there. Costs one mutation of the rate budget an order. */
export interface CancelAllIntent {
  readonly type: 'cancel-all'
  /** Of the market, BASE_QUOTE. */
  readonly symbol?: string
}

/** What a strategy may emit. */
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

/** The exchange took an order, or cancelled one. */
export interface AcknowledgedOutcome {
  readonly type: 'acknowledged'
  /** What was emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** In the state in which the exchange answered; the fills of an order that it filled at once come after it. */
  readonly order: OwnOrder
}

/**
 * Nothing was done: the exchange said no, or the request was not sent, because it did not fit the market or the rate budget. An order that
 * was to wait and could never be one of its market is refused at once, as the order that it would have become.
 */
export interface RefusedOutcome {
  readonly type: 'refused'
  /** What was emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Why. */
  readonly refusal: Refusal
  /** Who refused: the exchange, or something before it, so that it was never sent. */
  readonly by: Refuser
}

/** The session took back an order of a bracket before it was sent, as a stop of the bracket acted. Nothing is wrong. */
export interface WithdrawnOutcome {
  readonly type: 'withdrawn'
  /** The order of the bracket, not what was emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Why, for people. */
  readonly reason: string
}

/**
 * The order may or may not exist, or the cancel may or may not have worked: never repeat it blindly. Of an order another outcome
 * follows when it is known.
 */
export interface UnknownOutcome {
  readonly type: 'unknown'
  /** What was emitted. */
  readonly intent: PlaceIntent | CancelIntent
  /** Why nobody knows, for people. */
  readonly reason: string
}

/**
 * After `unknown`: the exchange does not have the order, and it is assumed that it never will. Should it come after all, it is
 * `acknowledged` then, and its market is halted.
 */
export interface AbsentOutcome {
  readonly type: 'absent'
  /** What was emitted. */
  readonly intent: PlaceIntent
}

/** After `unknown`: nothing tells which order is this one. A person has to say; until then its market is halted. */
export interface AmbiguousOutcome {
  readonly type: 'ambiguous'
  /** What was emitted. */
  readonly intent: PlaceIntent
  /** Why, for people. */
  readonly reason: string
}

/** Outcome of a placed order or of a cancel: done, not done, or nobody knows; of an order of which nobody knew also what it turned out to be. */
export type Outcome =
  AcknowledgedOutcome | RefusedOutcome | WithdrawnOutcome | UnknownOutcome | AbsentOutcome | AmbiguousOutcome
