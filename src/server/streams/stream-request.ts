/**
 * Requests of a client on its WebSocket (decision 24). Clients can send any number of invalid ones, so faults are
 * values.
 */
import { z } from 'zod'
import type { ErrorCode } from '../../wire/error-code.ts'
import { shapeFault } from '../envelope/body-shape.ts'
import { readStrictJson } from '../envelope/strict-json.ts'

/** More than any request needs; the limit of subscriptions is checked elsewhere. */
const MAX_STREAMS = 1_000
const MAX_ID = 100

const requestId = z.union([z.int(), z.string().max(MAX_ID)])

const streamRequest = z.strictObject({
  op: z.enum(['subscribe', 'unsubscribe']),
  streams: z.array(z.string()).min(1).max(MAX_STREAMS),
  id: requestId.optional(),
})

export type StreamRequest = z.output<typeof streamRequest>

/** Reason for refusing a request. */
export interface StreamFault {
  readonly code: ErrorCode
  readonly message: string
}

export interface StreamReading {
  /** Undefined if there is a fault. */
  readonly request?: StreamRequest
  readonly fault?: StreamFault
  /** Request id, also of a malformed request if it has one, so that the error can be correlated. */
  readonly id?: number | string | undefined
}

/** @param message  untrusted bytes */
export function readStreamRequest(message: Uint8Array): StreamReading {
  const read = readStrictJson(message)
  if (!read.isJson) return { fault: invalid('the message is not valid JSON') }
  const id = idOf(read.value)
  if (read.twice !== undefined) return { id, fault: invalid(`${read.twice}: is given twice`) }
  const parsed = streamRequest.safeParse(read.value)
  if (!parsed.success) return { id, fault: invalid(shapeFault(parsed.error).message) }
  return { id, request: parsed.data }
}

export const invalid = (message: string): StreamFault => ({ code: 'VALIDATION_ERROR', message })

function idOf(value: unknown): number | string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
  return requestId.safeParse(value.id).data
}
