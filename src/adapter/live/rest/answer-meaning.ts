/**
 * The meaning of an answer that is no success: a refusal that the specification documents, or a failure, and whether a repetition may help.
 */
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../../domain/refusal.ts'
import type { ErrorCode } from '../../../wire/error-code.ts'
import { documentedCode, readError } from '../../../wire/read-error.ts'
import type { RestAnswer } from './rest-transport.ts'

/** Codes that answer a creation, and those that answer a cancel; under any other nobody knows what happened. */
const OF_BOTH = [
  'VALIDATION_ERROR',
  'AUTHENTICATION_REQUIRED',
  'INVALID_API_KEY',
  'FORBIDDEN',
  'EMAIL_NOT_VERIFIED',
  'RATE_LIMITED',
] as const
export const CREATE_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  ...OF_BOTH,
  'MALFORMED_JSON',
  'MARKET_NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'NO_LIQUIDITY',
  'ORDER_REJECTED',
] as const)
export const CANCEL_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  ...OF_BOTH,
  'ORDER_NOT_FOUND',
  'ORDER_NOT_CANCELLABLE',
] as const)

/** The refusal that an answer is; undefined unless it is a whole envelope with a code of these and the status of that code. */
export function refusalOf(answer: RestAnswer, codes: ReadonlySet<ErrorCode>): Refusal | undefined {
  if (answer.type !== 'answer' || isSuccess(answer.status)) return undefined
  const error = readError(answer.body)
  const code = error === undefined ? undefined : documentedCode(answer.status, error)
  if (error === undefined || code === undefined || !codes.has(code)) return undefined
  const { message, details } = error
  // To whoever asked for an order both say that the request was not of its form.
  const ofCommand = (code === 'MALFORMED_JSON' ? 'VALIDATION_ERROR' : code) as RefusalCode
  return { code: ofCommand, message: escapedExcerpt(message), ...(details !== undefined && { details }) }
}

/** For an answer that is no success, the error that it ends a read with. */
export function failureOf(call: string, answer: RestAnswer): ExchangeError {
  const isRetryable = isWorthRepeating(answer)
  if (answer.type !== 'answer') {
    const isRedirect = answer.type === 'broken' && !isRetryable
    return new ExchangeError(isRedirect ? 'SCHEMA_FAULT' : 'NO_ANSWER', `${call}: ${answer.reason}`, { isRetryable })
  }
  const options = { requestId: requestIdOf(answer), isRetryable }
  const error = readError(answer.body)
  if (error !== undefined) {
    const text = `${call}: ${answer.status} ${escapedExcerpt(error.code)}: ${escapedExcerpt(error.message)}`
    return new ExchangeError(documentedCode(answer.status, error) ?? 'SCHEMA_FAULT', text, options)
  }
  const text = `${call}: ${answer.status} without ${answer.status < 300 ? 'JSON' : 'the envelope of an error'}`
  return new ExchangeError(isRetryable ? 'NO_ANSWER' : 'SCHEMA_FAULT', text, options)
}

/** True for faults of the network and of whatever stands between; a redirect and a 4xx come again. */
export function isWorthRepeating(answer: RestAnswer): boolean {
  if (answer.type === 'no-answer') return true
  const { status } = answer
  if (status >= 300 && status < 400) return false
  if (answer.type === 'broken') return true
  return status >= 500 || status === 429 || status === 408 || (isSuccess(status) && answer.body === undefined)
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** An answer in a few words, for the reason of what nobody knows. */
export function outcomeText(answer: RestAnswer): string {
  if (answer.type === 'no-answer') return answer.reason
  if (answer.type === 'broken') return `${answer.status}: ${answer.reason}`
  const error = readError(answer.body)
  const said = error === undefined ? '' : ` ${escapedExcerpt(error.code)}: ${escapedExcerpt(error.message)}`
  return `answered with ${answer.status}${said}${requestText(answer)}`
}

/** The `X-Request-Id` of an answer, or its envelope's. */
export function requestIdOf(answer: RestAnswer): string | undefined {
  if (answer.type !== 'answer') return undefined
  const id = answer.headers['x-request-id'] ?? readError(answer.body)?.requestId
  return id === undefined ? undefined : escapedExcerpt(id)
}

export function requestText(answer: RestAnswer): string {
  const id = requestIdOf(answer)
  return id === undefined ? '' : ` (request ${id})`
}
