/**
 * The service's error codes, each with its status (section 7), and an error as it goes over the wire.
 */
import type { RefusalCode, RefusalDetail } from '../../domain/refusal.ts'

export type ErrorCode =
  | RefusalCode
  | 'MALFORMED_JSON'
  | 'AUTHENTICATION_REQUIRED'
  | 'INVALID_API_KEY'
  | 'FORBIDDEN'
  | 'EMAIL_NOT_VERIFIED'
  | 'SERVICE_UNAVAILABLE'
  | 'ENGINE_UNAVAILABLE'
  | 'PORTFOLIO_UNAVAILABLE'
  | 'ENGINE_TIMEOUT'

const STATUS: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  MALFORMED_JSON: 400,
  AUTHENTICATION_REQUIRED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  EMAIL_NOT_VERIFIED: 403,
  MARKET_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  ASSET_NOT_FOUND: 404,
  ORDER_NOT_CANCELLABLE: 409,
  INSUFFICIENT_BALANCE: 422,
  NO_LIQUIDITY: 422,
  ORDER_REJECTED: 422,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  ENGINE_UNAVAILABLE: 503,
  PORTFOLIO_UNAVAILABLE: 503,
  ENGINE_TIMEOUT: 504,
}

export interface ServiceErrorOptions {
  readonly details?: readonly RefusalDetail[] | undefined
  /** Another status than the code's own (decision 26). */
  readonly status?: number
}

/** Thrown on the way through a request, and answered with the envelope. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly RefusalDetail[] | undefined

  constructor(code: ErrorCode, message: string, { details, status }: ServiceErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = status ?? STATUS[code]
    this.details = details
  }
}

/** Section 2, Error envelope. */
export interface ErrorEnvelope {
  readonly error: { readonly code: string; readonly message: string; readonly details?: readonly RefusalDetail[] }
  readonly requestId: string
}

export const envelopeOf = ({ code, message, details }: ServiceError, requestId: string): ErrorEnvelope => ({
  error: { code, message, ...(details === undefined ? {} : { details }) },
  requestId,
})

/** A shape that is wrong in one field. */
export const fieldError = (field: string, message: string): ServiceError =>
  new ServiceError('VALIDATION_ERROR', `${field}: ${message}`, { details: [{ field, message }] })
