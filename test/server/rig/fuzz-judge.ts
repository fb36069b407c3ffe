/**
 * Whether an answer is one that the service may give: its id, its envelope, its shape, and no error that is ours.
 */
import type { z } from 'zod'
import { ACCOUNT_ROUTES } from '../../../src/server/service/account-routes.ts'
import { emulatorRoutes } from '../../../src/server/served-routes.ts'
import { Faults } from '../../../src/server/faults/faults.ts'
import { MARKET_ROUTES } from '../../../src/server/service/market-routes.ts'
import { ORDER_ROUTES } from '../../../src/server/service/order-routes.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { errorSchema } from '../../../src/wire/schemas.ts'
import { noWorlds } from './no-worlds.ts'
import { standingTime } from './standing-time.ts'
import type { FuzzedRequest } from './fuzz-requests.ts'
import type { RawAnswer } from './raw-connection.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Codes of 5xx that a planned fault answers with. */
const INJECTED = new Set(['ENGINE_TIMEOUT', 'SERVICE_UNAVAILABLE'])

interface Shape {
  readonly method: string
  readonly path: RegExp
  readonly answer: z.ZodType
}

const shapesOf = (prefix: string, routes: readonly Route[]): readonly Shape[] =>
  routes.map(({ method, path, answer }) => ({
    method,
    path: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    answer,
  }))

const SHAPES = [
  ...shapesOf('/v1', [...MARKET_ROUTES, ...ORDER_ROUTES, ...ACCOUNT_ROUTES]),
  ...shapesOf('/emulator', emulatorRoutes({ faults: new Faults([]), time: standingTime(), worlds: noWorlds })),
]

/** As much of a request as its answer depends on. */
export type AskedFor = Pick<FuzzedRequest, 'method' | 'target'>

/** @returns what is wrong with it; undefined when nothing is */
export function wrongIn(answer: RawAnswer, request: AskedFor | undefined): string | undefined {
  const { status, headers, body } = answer
  const id = headers.get('x-request-id')
  if (id === undefined || !UUID.test(id)) return `X-Request-Id is ${id ?? 'not there'}`
  if (status >= 400) return request?.method === 'HEAD' ? undefined : wrongInError(answer, id)
  if (status < 200 || status >= 300) return `a status ${status}`
  return request === undefined ? undefined : wrongInShape(body, request)
}

function wrongInError({ status, headers, body }: RawAnswer, id: string): string | undefined {
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'the error has another content-type'
  const envelope = errorSchema.safeParse(parsed(body))
  if (!envelope.success) return `no envelope: ${body.slice(0, 300)}`
  const { error, requestId } = envelope.data
  if (requestId !== id) return `requestId ${requestId} is not X-Request-Id ${id}`
  if (status >= 500 && !INJECTED.has(error.code)) return `${status} ${error.code}`
  return undefined
}

function wrongInShape(body: string, { method, target }: AskedFor): string | undefined {
  const path = target.split('?', 1)[0] ?? ''
  const shape = SHAPES.find((each) => each.method === method && each.path.test(path))
  if (shape === undefined) return undefined
  const found = shape.answer.safeParse(body === '' ? undefined : parsed(body))
  return found.success ? undefined : `not of its shape: ${found.error.message.slice(0, 300)}\n${body.slice(0, 300)}`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
