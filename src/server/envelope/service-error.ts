/** An error of the service as sent to clients. */
import type { RefusalDetail } from '../../domain/refusal.ts'
import { STATUS_OF_CODE, type ErrorCode } from '../../wire/error-code.ts'

export interface ServiceErrorOptions {
  readonly details?: readonly RefusalDetail[] | undefined
  /** Status if it differs from the default of the code (decision 26). */
  readonly status?: number
  /** Milliseconds until it is worth another try, for `Retry-After`. */
  readonly retryInMs?: number
}

/**
 * An error without stack trace: it is a response, not a fault, and clients can cause any number. Capturing the stack
 * would take longer than the rest of the response.
 */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Thrown while a request is handled, and sent as error envelope. */
export class ServiceError extends StacklessError {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly RefusalDetail[] | undefined
  readonly retryInMs: number | undefined

  constructor(code: ErrorCode, message: string, { details, status, retryInMs }: ServiceErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = status ?? STATUS_OF_CODE[code]
    this.details = details
    this.retryInMs = retryInMs
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

/** Validation error of a single field. */
export const fieldError = (field: string, message: string): ServiceError =>
  new ServiceError('VALIDATION_ERROR', `${field}: ${message}`, { details: [{ field, message }] })

/** Error for requests after closing has begun. */
export const stopping = (): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', 'the server stops')

/** Error for requests from before a reset. */
export const renewing = (): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', 'the emulator was reset')
