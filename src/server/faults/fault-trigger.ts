/**
 * Triggers a planned fault of a request: its error response, or the end of its connection.
 *
 * Engine and service faults trigger before the body is parsed, those with `-after` when everything is done and durable,
 * those with `-late` when it is known what is to be executed.
 */
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Answer } from '../envelope/answer.ts'
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
export function refusalOf({ kind, ms }: Fault): ServiceError | undefined {
  const refusal = REFUSALS[kind]
  if (refusal === undefined) return undefined
  return new ServiceError(...refusal, kind === 'rate-limited' ? { retryInMs: ms } : {})
}

/**
 * Applies faults that prevent the execution of a request, and delays.
 *
 * @param life  of the market; its end aborts a delay
 * @returns true if the connection was closed
 * @throws {ServiceError} for a planned error
 */
export async function triggerBefore(faults: readonly Fault[], answer: Answer, life: AbortSignal): Promise<boolean> {
  for (const fault of faults) {
    const { kind, ms } = fault
    if (kind === 'delay') await delay(answer.socket, ms, life)
    if (kind === 'reset-before') {
      answer.cut()
      return true
    }
    const error = refusalOf(fault)
    if (error !== undefined) throw error
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
  answer: Answer,
  { status }: { readonly status: number },
  value: unknown,
): boolean {
  for (const { kind } of faults) {
    if (kind === 'engine-timeout-after' || kind === 'engine-timeout-late') throw new ServiceError(...TIMED_OUT)
    if (kind === 'reset-after' || kind === 'reset-late') answer.cut()
    else if (kind === 'truncated-body') answer.truncate(status, JSON.stringify(value ?? ''))
    else continue
    return true
  }
  return false
}

/** A connection that waits on purpose is not one that has gone silent. */
async function delay(socket: Socket, ms: number, life: AbortSignal): Promise<void> {
  const { timeout = 0 } = socket
  socket.setTimeout(0)
  await setTimeout(ms, undefined, { signal: life }).catch(() => undefined)
  socket.setTimeout(timeout)
}
