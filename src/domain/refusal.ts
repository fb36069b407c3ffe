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
 * Places at which a request can be refused, in order: the session, its risk limits, its rate limit, the reconciliation
 * of orders with an unknown outcome, the book of a strategy that shares an account, the exchange.
 */
export const REFUSERS = ['session', 'risk', 'rate-budget', 'settlement', 'book', 'exchange'] as const

export type Refuser = (typeof REFUSERS)[number]

/** Invalid field of a request: one item of `error.details` (section 2). */
export interface RefusalDetail {
  /** Reason, as text. */
  readonly message: string
  /** Field of the request, such as `qty`. */
  readonly field?: string
}

/** Refusal of a request; nothing has changed. */
export interface Refusal {
  /** Error code, such as `'INSUFFICIENT_BALANCE'`. */
  readonly code: RefusalCode
  /** Reason, as text. */
  readonly message: string
  /** Invalid fields, each with a message; only with `VALIDATION_ERROR`. */
  readonly details?: readonly RefusalDetail[]
}
