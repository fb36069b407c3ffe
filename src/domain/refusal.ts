/**
 * Refusal of a command by the exchange, under one of the specification's error codes (section 7).
 *
 * A refusal is a value, never thrown.
 */

/** The specification's error codes that answer a command (section 7). */
export type RefusalCode =
  | 'VALIDATION_ERROR'
  | 'AUTHENTICATION_REQUIRED'
  | 'INVALID_API_KEY'
  | 'FORBIDDEN'
  | 'EMAIL_NOT_VERIFIED'
  | 'MARKET_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'ASSET_NOT_FOUND'
  | 'ORDER_NOT_CANCELLABLE'
  | 'INSUFFICIENT_BALANCE'
  | 'NO_LIQUIDITY'
  | 'ORDER_REJECTED'
  | 'RATE_LIMITED'

/**
 * Refusers of a request, from the strategy outwards: its session, the risk limits of that, its rate budget, what settles orders of
 * unknown outcome, the exchange.
 */
export const REFUSERS = ['session', 'risk', 'rate-budget', 'settlement', 'exchange'] as const

export type Refuser = (typeof REFUSERS)[number]

/** One item of `error.details` (section 2): what is wrong with which field. */
export interface RefusalDetail {
  /** For people. */
  readonly message: string
  /** Name of the field of the request, such as `qty`. */
  readonly field?: string
}

/** Why a request was not done; nothing has changed. */
export interface Refusal {
  /** For programs. */
  readonly code: RefusalCode
  /** For people. */
  readonly message: string
  /** With VALIDATION_ERROR: what is wrong with each field. */
  readonly details?: readonly RefusalDetail[]
}
