/**
 * Interprets unsuccessful answers: a refusal that the specification documents, or a failure, and whether a retry may
 * help.
 */
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../../domain/refusal.ts'
import type { ErrorCode } from '../../../wire/error-code.ts'
import { documentedCode, readError, type WireError } from '../../../wire/read-error.ts'
import type { RestAnswer } from './rest-transport.ts'

/** Codes that decide a creation or a cancel; with any other code the outcome is unknown. */
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

/**
 * The refusal in an answer; undefined unless it is a complete envelope with one of these codes and the code's status.
 */
export function refusalOf(answer: RestAnswer, codes: ReadonlySet<ErrorCode>): Refusal | undefined {
  if (answer.type !== 'answer' || isSuccess(answer.status)) return undefined
  const error = readError(answer.body)
  const code = error === undefined ? undefined : documentedCode(answer.status, error)
  if (error === undefined || code === undefined || !codes.has(code)) return undefined
  const { message, details } = error
  // To the sender of an order both codes mean an invalid request.
  const ofCommand = (code === 'MALFORMED_JSON' ? 'VALIDATION_ERROR' : code) as RefusalCode
  return { code: ofCommand, message: escapedExcerpt(message), ...(details !== undefined && { details }) }
}

/** The error with which an unsuccessful answer ends a read. */
export function failureOf(call: string, answer: RestAnswer): ExchangeError {
  const options = { requestId: requestIdOf(answer), isRetryable: isWorthRepeating(answer) }
  const error = envelopeOf(answer)
  const code = isOutage(answer) ? 'NO_ANSWER' : 'SCHEMA_FAULT'
  if (answer.type !== 'answer' || error === undefined) {
    return new ExchangeError(code, `${call}: ${withoutEnvelope(answer)}`, options)
  }
  const text = `${call}: ${answer.status} ${escapedExcerpt(error.code)}: ${escapedExcerpt(error.message)}`
  return new ExchangeError(documentedCode(answer.status, error) ?? code, text, options)
}

/** False for a success, and for a documented error that the next request would get as well. */
export function isWorthRepeating(answer: RestAnswer): boolean {
  if (answer.type !== 'answer' || isOutage(answer)) return true
  if (isSuccess(answer.status)) return answer.body === undefined
  const error = envelopeOf(answer)
  return error === undefined || documentedCode(answer.status, error) === undefined
}

/** True for a service that is unreachable or overloaded; false if something else answers in its place. */
function isOutage(answer: RestAnswer): boolean {
  if (answer.type === 'no-answer') return true
  if (answer.type === 'broken') return answer.isUnreadable !== true
  return answer.status >= 500 || answer.status === 429 || answer.status === 408
}

const envelopeOf = (answer: RestAnswer): WireError | undefined =>
  answer.type === 'answer' && !isSuccess(answer.status) ? readError(answer.body) : undefined

/** An HTML page, as of a gateway or during maintenance; its status says nothing about the request. */
export const isWebPage = ({ headers, body }: RestAnswer & { readonly type: 'answer' }): boolean =>
  body === undefined && /html/i.test(headers['content-type'] ?? '')

function withoutEnvelope(answer: RestAnswer): string {
  if (answer.type === 'no-answer') return answer.reason
  if (answer.type === 'broken') return `${answer.status}: ${answer.reason}`
  const { status, headers, body } = answer
  if (body !== undefined) return `${status} with JSON of an unexpected form`
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const content = isWebPage(answer) ? 'a web page' : type === '' ? 'no JSON' : escapedExcerpt(type)
  return `${status} with ${content} instead of an answer from the service`
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Summarises an answer, as the reason of an unknown outcome. */
export function outcomeText(answer: RestAnswer): string {
  if (answer.type !== 'answer') return withoutEnvelope(answer)
  const error = readError(answer.body)
  if (error === undefined) return `answered with ${withoutEnvelope(answer)}${requestText(answer)}`
  const said = `${escapedExcerpt(error.code)}: ${escapedExcerpt(error.message)}`
  return `answered with ${answer.status} ${said}${requestText(answer)}`
}

/** The `X-Request-Id` header of an answer, or the id in its envelope. */
export function requestIdOf(answer: RestAnswer): string | undefined {
  if (answer.type !== 'answer') return undefined
  const id = answer.headers['x-request-id'] ?? readError(answer.body)?.requestId
  return id === undefined ? undefined : escapedExcerpt(id)
}

export function requestText(answer: RestAnswer): string {
  const id = requestIdOf(answer)
  return id === undefined ? '' : ` (request ${id})`
}
