/** The closed unions of the events of a session, and of those that it reports to its run. */
import type { AccountUpdate, EarlierUpdate, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { CancelIntent, Intent, PlaceIntent } from '../../strategy/intent.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'
import type { StateChange } from '../session-state.ts'
import type { RefusedRequest } from './refused-request.ts'

/** A value of the strategy's output; `undefined` stands for no intent. */
export type EmittedIntents = Intent | undefined | readonly (Intent | undefined)[]

/** The answer to one request. */
export interface OutcomeEvent {
  readonly type: 'outcome'
  /** Number of the request in the journal. */
  readonly reference: number
  readonly outcome: RequestOutcome
  /** The intent as the strategy emitted it. */
  readonly intent: PlaceIntent | CancelIntent
  /** The intent as it was requested, which may have been rounded. */
  readonly requested: PlaceIntent | CancelIntent
  /** False for a cancel by the session itself, of which the strategy receives the order's update only. */
  readonly isOfStrategy: boolean
}

export type SessionEvent =
  /** A change of the account. */
  | AccountUpdate
  | OutcomeEvent
  /** An order that was open when the session began, or, if it no longer was, when the last one ended. */
  | { readonly type: 'taken-over'; readonly order: OwnOrder; readonly isStillOpen: boolean }
  /**
   * A change of the account before the session, which the initial balances and open orders include: for the files and
   * figures only.
   */
  | { readonly type: 'earlier'; readonly update: EarlierUpdate }
  | { readonly type: 'intents'; readonly intents: EmittedIntents }
  /** The strategy's output has completed. */
  | { readonly type: 'completed' }
  /** The strategy threw, or its output did. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A limit or a command changed the session's state. */
  | { readonly type: 'state'; readonly change: StateChange }
  /** A loss limit was reached. @see Risk.breach$ */
  | { readonly type: 'breach'; readonly why: string }

/** An event that a run records, whether the strategy subscribes to it or not. */
export type ReportedEvent =
  | Extract<AccountUpdate, { type: 'order' | 'fill' }>
  | Extract<SessionEvent, { type: 'taken-over' | 'state' }>
  | { readonly type: 'refusal'; readonly refused: RefusedRequest }
  | { readonly type: 'params'; readonly change: ParamsChange }

/** The strategy was started again with other parameters. */
export interface ParamsChange {
  /** Unix milliseconds. */
  readonly time: number
  /** The parameters that differ. */
  readonly changed: Readonly<Record<string, unknown>>
}
