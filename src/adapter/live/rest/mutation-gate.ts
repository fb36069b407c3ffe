/** Admission of creations and cancels to the budget of a key. */

import type { Urgency } from '../../../domain/waiting-requests.ts'

/** Handling of a request that exceeds the budget. */
export type OnLimit = 'refuse' | 'wait'

export interface GatedRequest {
  /** Priority among waiting requests; `exit` and `entry` are creations. */
  readonly urgency: Urgency
  readonly onLimit: OnLimit
  /**
   * Called once, now or later, when there is budget; otherwise `refuse` is.
   * @returns  false if it was not sent, which frees its budget
   */
  readonly send: () => boolean
  readonly refuse: () => void
}

export interface MutationGate {
  submit(request: GatedRequest): void
}
