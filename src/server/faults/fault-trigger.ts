/**
 * Triggers a planned fault of a request: its error response, or the end of its connection.
 *
 * Engine and service faults trigger before the body is read, those with `-after` when everything is done and durable,
 * those with `-late` when it is known what is to be executed.
 */
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerHead } from '../envelope/answer.ts'
import { JSON_TYPE } from '../envelope/bare-answer.ts'
import type { Fault, FaultKind } from './faults.ts'
import { ServiceError } from '../envelope/service-error.ts'

const TIMED_OUT = ['ENGINE_TIMEOUT', 'the engine did not answer in time'] as const

/** Before anything was done; thrown fresh each time, as an error is its stack too. */
const REFUSALS: Partial<Record<FaultKind, readonly [ServiceError['code'], string]>> = {
  'engine-timeout-before': TIMED_OUT,
  'engine-unavailable': ['ENGINE_UNAVAILABLE', 'the engine is not available'],
  'service-unavailable': ['SERVICE_UNAVAILABLE', 'the service is not available'],
  'portfolio-unavailable': ['PORTFOLIO_UNAVAILABLE', 'the portfolio cannot be valued'],
  'rate-limited': ['RATE_LIMITED', 'too many requests in the window'],
}

/** The error that a fault answers with before anything is done; undefined for another kind. */
export function refusalOf(kind: FaultKind): ServiceError | undefined {
  const refusal = REFUSALS[kind]
  return refusal === undefined ? undefined : new ServiceError(...refusal)
}

/** Seconds of `Retry-After`; undefined for a fault that has none. */
export const retryAfterOf = ({ kind, ms }: Fault): number | undefined =>
  kind === 'rate-limited' ? Math.max(1, Math.ceil(ms / 1000)) : undefined

/**
 * Applies faults that prevent the execution of a request, and delays.
 *
 * @param life  of the market; its end aborts a delay
 * @returns true if the connection was closed
 * @throws {ServiceError} for a planned error
 */
export async function triggerBefore(
  faults: readonly Fault[],
  request: FastifyRequest,
  reply: FastifyReply,
  life: AbortSignal,
): Promise<boolean> {
  for (const fault of faults) {
    const { kind, ms } = fault
    if (kind === 'delay') await delay(request, ms, life)
    if (kind === 'reset-before') return cut(request, reply)
    const error = refusalOf(kind)
    if (error === undefined) continue
    const retryAfter = retryAfterOf(fault)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    throw error
  }
  return false
}

/**
 * Faults that keep the answer from arriving.
 *
 * @returns true when the connection is gone
 * @throws {ServiceError} one that was planned
 */
export function triggerAfter(
  faults: readonly Fault[],
  request: FastifyRequest,
  reply: FastifyReply,
  { status, isMutation = false }: { readonly status: number; readonly isMutation?: boolean },
  answer: unknown,
): boolean {
  for (const { kind } of faults) {
    if (kind === 'engine-timeout-after' || kind === 'engine-timeout-late') throw new ServiceError(...TIMED_OUT)
    if (kind === 'reset-after' || kind === 'reset-late') return cut(request, reply)
    if (kind !== 'truncated-body') continue
    answerHead(request, reply, isMutation)
    return truncate(request, reply, status, JSON.stringify(answer ?? ''))
  }
  return false
}

/** A connection that waits on purpose is not one that has gone silent. */
async function delay(request: FastifyRequest, ms: number, life: AbortSignal): Promise<void> {
  const { socket } = request.raw
  const { timeout = 0 } = socket
  socket.setTimeout(0)
  await setTimeout(ms, undefined, { signal: life }).catch(() => undefined)
  socket.setTimeout(timeout)
}

function cut(request: FastifyRequest, reply: FastifyReply): true {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
  return true
}

/** Says how long the body is, sends half of it, and goes. */
function truncate(request: FastifyRequest, reply: FastifyReply, status: number, body: string): true {
  reply.hijack()
  const bytes = Buffer.from(body)
  for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value)
  reply.raw.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': bytes.length })
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => request.raw.socket.destroy())
  return true
}
