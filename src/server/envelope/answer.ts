/**
 * One request and its answer: the id, the budget of its key, and whatever is sent back, in one form everywhere.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateBudget } from '../../domain/rate-window.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import { envelopeOf, type ServiceError } from './service-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key's budget, once it is known. */
    budget: RateBudget | undefined
    /** Unix milliseconds of the service when the request came. */
    arrivedAt: number
  }
  interface FastifyContextConfig {
    /** See `Route`. */
    isMutation?: boolean
    whenStopped?: ErrorCode
  }
}

/** Writes what every answer has. */
export function answerHead(request: FastifyRequest, reply: FastifyReply, isMutation: boolean): void {
  reply.header('x-request-id', request.id)
  if (request.budget === undefined) return
  const [policy, left] = rateHeaders(request.budget, isMutation, request.arrivedAt)
  reply.header('ratelimit-policy', policy).header('ratelimit', left)
}

/** Decision 23: policy and what is left, of both buckets for a mutation. */
function rateHeaders({ general, mutations }: RateBudget, isMutation: boolean, now: number): [string, string] {
  const buckets = isMutation
    ? ([
        ['general', general],
        ['mutations', mutations],
      ] as const)
    : ([['general', general]] as const)
  const seconds = (ms: number): number => Math.ceil(ms / 1000)
  const policy = buckets.map(([name, { limit, windowMs }]) => `"${name}";q=${limit};w=${seconds(windowMs)}`)
  const left = buckets.map(
    ([name, window]) => `"${name}";r=${window.remaining(now)};t=${seconds(window.resetInMs(now) || window.windowMs)}`,
  )
  return [policy.join(', '), left.join(', ')]
}

/** Sends an error in its envelope. @param retryInMs  becomes `Retry-After` */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
  { isMutation = false, retryInMs }: { readonly isMutation?: boolean; readonly retryInMs?: number | undefined } = {},
): FastifyReply {
  answerHead(request, reply, isMutation)
  if (retryInMs !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryInMs / 1000)))
  return sendJson(reply, error.status, envelopeOf(error, request.id))
}

export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
