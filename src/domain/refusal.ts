/**
 * Refusal of a command by the exchange, under one of the specification's error codes (section 7).
 *
 * A refusal is a value, never thrown.
 */
export type RefusalCode =
  | 'VALIDATION_ERROR'
  | 'MARKET_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'ASSET_NOT_FOUND'
  | 'ORDER_NOT_CANCELLABLE'
  | 'INSUFFICIENT_BALANCE'
  | 'NO_LIQUIDITY'
  | 'ORDER_REJECTED'
  | 'RATE_LIMITED'

/** Refusers of a request, from the strategy outwards: its session, the rate budget of that, the exchange. */
export const REFUSERS = ['session', 'rate-budget', 'exchange'] as const

export type Refuser = (typeof REFUSERS)[number]

/** One item of `error.details` (section 2): what is wrong with which field. */
export interface RefusalDetail {
  readonly message: string
  readonly field?: string
}

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly details?: readonly RefusalDetail[]
}
