/**
 * Requests of a client on its WebSocket (decision 24).
 */
import { z } from 'zod'
import { shapeOf } from '../envelope/body-shape.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { parseStrictJson } from '../envelope/strict-json.ts'

/** More than any request needs; how many a connection may follow is checked where they are counted. */
const MOST_STREAMS = 1_000
const MOST_ID = 100

const requestId = z.union([z.int(), z.string().max(MOST_ID)])

const streamRequest = z.strictObject({
  op: z.enum(['subscribe', 'unsubscribe']),
  streams: z.array(z.string().max(100)).min(1).max(MOST_STREAMS),
  id: requestId.optional(),
})

export type StreamRequest = z.output<typeof streamRequest>

/** @throws {ServiceError} VALIDATION_ERROR, for bytes that are no JSON as well */
export function readStreamRequest(message: Uint8Array): StreamRequest {
  try {
    return shapeOf(streamRequest, parseStrictJson(message))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'MALFORMED_JSON') throw error
    throw new ServiceError('VALIDATION_ERROR', 'the message is not valid JSON')
  }
}

/** The id of a request that is malformed otherwise, so that the error finds its way back. */
export function idOfRequest(message: Uint8Array): number | string | undefined {
  try {
    const { id } = JSON.parse(Buffer.from(message).toString()) as { id?: unknown }
    return requestId.safeParse(id).data
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
