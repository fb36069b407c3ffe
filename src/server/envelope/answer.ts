/** Common parts of every response: request id, rate limit headers and error envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateBudget, RateWindow } from '../../domain/rate-window.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import { JSON_TYPE } from './bare-answer.ts'
import { envelopeOf, type ServiceError } from './service-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Budget of the key, once known. */
    budget: RateBudget | undefined
    /** Arrival of the request in service time, Unix milliseconds. */
    arrivedAt: number
  }
  interface FastifyContextConfig {
    /** See `Route`. */
    isMutation?: boolean
    whenStopped?: ErrorCode
  }
}

/** Writes the headers of every response. */
export function answerHead(request: FastifyRequest, reply: FastifyReply, isMutation: boolean): void {
  reply.header('x-request-id', request.id)
  if (request.budget === undefined) return
  const [policy, left] = rateHeaders(request.budget, isMutation, request.arrivedAt)
  reply.header('ratelimit-policy', policy).header('ratelimit', left)
}

/** Decision 23: policy and remaining requests, of both buckets for a mutation. */
export function rateHeaders({ general, mutations }: RateBudget, isMutation: boolean, now: number): [string, string] {
  const [policy, left] = [policyOf('general', general), leftOf('general', general, now)]
  if (!isMutation) return [policy, left]
  return [`${policy}, ${policyOf('mutations', mutations)}`, `${left}, ${leftOf('mutations', mutations, now)}`]
}

const policyOf = (name: string, { limit, windowMs }: RateWindow): string =>
  `"${name}";q=${limit};w=${seconds(windowMs)}`

const leftOf = (name: string, window: RateWindow, now: number): string =>
  `"${name}";r=${window.remaining(now)};t=${seconds(window.resetInMs(now) || window.windowMs)}`

/** Value of `Retry-After`. */
export const retrySeconds = (ms: number): string => String(Math.max(1, seconds(ms)))

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** Sends an error in its envelope. @param retryInMs  becomes `Retry-After` */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
  { isMutation = false, retryInMs }: { readonly isMutation?: boolean; readonly retryInMs?: number | undefined } = {},
): FastifyReply {
  answerHead(request, reply, isMutation)
  if (retryInMs !== undefined) reply.header('retry-after', retrySeconds(retryInMs))
  return sendJson(reply, error.status, envelopeOf(error, request.id))
}

export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  sendJsonText(reply, status, JSON.stringify(body))

export const sendJsonText = (reply: FastifyReply, status: number, text: string | Buffer): FastifyReply =>
  reply.code(status).header('content-type', JSON_TYPE).send(text)
