/**
 * An answer of the service, held against the schema of its route, and an error against section 7, whatever the
 * request was.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { errorsOf } from '../../../src/server/service/route-errors.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { errorSchema } from '../../../src/wire/schemas.ts'
import type { HttpAnswer } from './http-answer.ts'
import { isBodyless, routeOf } from './service-routes.ts'

export interface Asked {
  readonly key?: string | undefined
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: OutgoingHttpHeaders
}

export interface Answer extends HttpAnswer {
  /** The body as JSON; undefined when there is none. */
  readonly json: unknown
  /** Of an error. */
  readonly code: string | undefined
  /** `field: message` of each detail of an error. */
  readonly details: readonly string[]
  /** Fields of the details of an error. */
  readonly fields: readonly (string | undefined)[]
}

/** Anyone who can be asked. */
export interface Service {
  /** @param path  below `/v1`, or the whole when it starts with `/emulator` or, after a `=`, anything */
  ask(method: string, path: string, asked?: Asked): Promise<Answer>
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Section 7, and decision 26 for what VALIDATION_ERROR may come with. */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  VALIDATION_ERROR: [400, 404, 405, 408, 413, 414, 415, 417, 431],
  MALFORMED_JSON: [400],
  AUTHENTICATION_REQUIRED: [401],
  INVALID_API_KEY: [401],
  FORBIDDEN: [403],
  EMAIL_NOT_VERIFIED: [403],
  MARKET_NOT_FOUND: [404],
  ORDER_NOT_FOUND: [404],
  ASSET_NOT_FOUND: [404],
  ORDER_NOT_CANCELLABLE: [409],
  INSUFFICIENT_BALANCE: [422],
  NO_LIQUIDITY: [422],
  ORDER_REJECTED: [422],
  RATE_LIMITED: [429],
  SERVICE_UNAVAILABLE: [503],
  ENGINE_UNAVAILABLE: [503],
  PORTFOLIO_UNAVAILABLE: [503],
  ENGINE_TIMEOUT: [504],
}

const NO_ERROR = { code: undefined, details: [], fields: [] }

/** An answer that keeps what every answer keeps: id, form, status, and the schema of its route. */
export function checkedAnswer(method: string, sent: string, answer: HttpAnswer): Answer {
  const id = String(answer.headers['x-request-id'])
  expect(id).toMatch(UUID)
  const route = routeOf(method === 'HEAD' ? 'GET' : method, sent)
  if (method === 'OPTIONS' && answer.status === 204) return { ...answer, ...NO_ERROR, json: undefined }
  if (answer.status >= 400) return checkedError(answer, id, method === 'HEAD', route)
  if (route === undefined) throw new Error(`${method} ${sent} is no route, and was answered with ${answer.status}`)
  expect(answer.status).toBe(route.status)
  if (isBodyless(route) || method === 'HEAD') {
    expect(answer.text).toBe('')
    return { ...answer, ...NO_ERROR, json: undefined }
  }
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const json: unknown = JSON.parse(answer.text)
  expect(route.answer.parse(json)).toEqual(json)
  return { ...answer, ...NO_ERROR, json }
}

function checkedError(answer: HttpAnswer, id: string, isHead: boolean, route: Route | undefined): Answer {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  if (isHead) {
    expect(answer.text).toBe('')
    return { ...answer, ...NO_ERROR, json: undefined }
  }
  const json: unknown = JSON.parse(answer.text)
  const { error, requestId } = errorSchema.parse(json)
  expect(requestId).toBe(id)
  expect(STATUSES[error.code], error.code).toContain(answer.status)
  expect(error.message).not.toBe('')
  if (error.code !== 'VALIDATION_ERROR') expect(error.details).toBeUndefined()
  if (route !== undefined) expect(errorsOf(route).get(answer.status), answer.text).toContain(error.code)
  if (error.code === 'RATE_LIMITED') expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  const details = error.details ?? []
  return {
    ...answer,
    json,
    code: error.code,
    details: details.map(({ field, message }) => `${field ?? ''}: ${message}`),
    fields: details.map(({ field }) => field),
  }
}
