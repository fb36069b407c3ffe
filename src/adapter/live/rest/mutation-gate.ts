/**
 * The place of creations and cancels in the budget of a key.
 */

import type { Urgency } from '../../../domain/waiting-requests.ts'

/** Fate of a request for which there is no budget now. */
export type OnLimit = 'refuse' | 'wait'

export interface GatedRequest {
  /** What of those that wait goes first; `exit` and `entry` are creations. */
  readonly urgency: Urgency
  readonly onLimit: OnLimit
  /**
   * Called once, now or later, when the budget has a place for it; or else `refuse` is.
   *
   * @returns  false when it does not leave after all, so that its place is free again
   */
  readonly send: () => boolean
  readonly refuse: () => void
}

export interface MutationGate {
  submit(request: GatedRequest): void
}
