/** State of a session: which requests it allows. */

/** Mildest first. */
export const SESSION_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const

/**
 * Allowed requests: in ACTIVE everything within the limits, in REDUCING only cancels and orders that reduce a position,
 * in HALTED only cancels.
 */
export type SessionState = (typeof SESSION_STATES)[number]

/** Reasons of the states that operators set. */
export const BY_OPERATOR = 'by an operator'
export const BY_FLATTEN = `${BY_OPERATOR}: flatten`

export const isByOperator = (why: string): boolean => why === BY_OPERATOR || why === BY_FLATTEN

/** The state changed. */
export interface StateChange {
  /** Unix milliseconds. */
  readonly time: number
  /** The new state. */
  readonly state: SessionState
  /** Reason as text for the operator. */
  readonly why: string
}
