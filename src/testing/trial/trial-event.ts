/** Events of a trial: all account updates that a strategy received and all its intents, in order. */
import type { Intent, Outcome, RefusedOutcome } from '../../strategy/intent.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'

export type TrialEvent =
  /** It emitted an intent; `answers` is the refusal in whose delivery it did. */
  | {
      readonly type: 'intent'
      readonly time: number
      readonly intent: Intent
      readonly answers: RefusedOutcome | undefined
    }
  | { readonly type: 'outcome'; readonly time: number; readonly outcome: Outcome }
  | { readonly type: 'fill'; readonly time: number; readonly fill: OwnFill }
  | { readonly type: 'order'; readonly time: number; readonly order: OwnOrder }
  | { readonly type: 'balances'; readonly time: number; readonly balances: OwnBalances }
  /** Killed and restarted. */
  | { readonly type: 'restart'; readonly time: number }
