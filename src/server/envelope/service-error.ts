/**
 * An error of the service as it goes over the wire.
 */
import type { RefusalDetail } from '../../domain/refusal.ts'
import { STATUS_OF_CODE, type ErrorCode } from '../../wire/error-code.ts'

export interface ServiceErrorOptions {
  readonly details?: readonly RefusalDetail[] | undefined
  /** Another status than the code's own (decision 26). */
  readonly status?: number
}

/**
 * An error that is an answer and no fault of ours: it knows nothing of the calls that led to it, which would take
 * longer to write down than all the rest of the answer. Strangers make as many as they like.
 */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Thrown on the way through a request, and answered with the envelope. */
export class ServiceError extends StacklessError {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly RefusalDetail[] | undefined

  constructor(code: ErrorCode, message: string, { details, status }: ServiceErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = status ?? STATUS_OF_CODE[code]
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

/** What comes when the service has begun to close. */
export const stopping = (): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', 'the server stops')

/** What came before the market was renewed. */
export const renewing = (): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', 'the emulator was reset')
