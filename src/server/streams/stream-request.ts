/**
 * Requests of a client on its WebSocket (decision 24). A stranger may send as many as it likes: what is wrong with one
 * is a value.
 */
import { z } from 'zod'
import type { ErrorCode } from '../../wire/error-code.ts'
import { shapeFault } from '../envelope/body-shape.ts'
import { readStrictJson } from '../envelope/strict-json.ts'

/** More than any request needs; how many a connection may follow is checked where they are counted. */
const MOST_STREAMS = 1_000
const MOST_ID = 100

const requestId = z.union([z.int(), z.string().max(MOST_ID)])

const streamRequest = z.strictObject({
  op: z.enum(['subscribe', 'unsubscribe']),
  streams: z.array(z.string()).min(1).max(MOST_STREAMS),
  id: requestId.optional(),
})

export type StreamRequest = z.output<typeof streamRequest>

/** Why a request is refused. */
export interface StreamFault {
  readonly code: ErrorCode
  readonly message: string
}

export interface StreamReading {
  /** Undefined when there is a fault. */
  readonly request?: StreamRequest
  readonly fault?: StreamFault
  /** Of a malformed request as well, when it has one, so that the error finds its way back. */
  readonly id?: number | string | undefined
}

/** @param message  bytes that may be anything */
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
