/**
 * State of a session: which requests it lets out.
 */

/** The mildest first. */
export const SESSION_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const

/**
 * In ACTIVE everything that the limits allow, in REDUCING only cancels and orders that reduce a position, in HALTED
 * only cancels.
 */
export type SessionState = (typeof SESSION_STATES)[number]

/** The state changed. */
export interface StateChange {
  /** Unix milliseconds. */
  readonly time: number
  /** From now on. */
  readonly state: SessionState
  /** For people. */
  readonly why: string
}
