/**
 * Upgrade requests: stream handshakes are accepted or refused, all others are handled as plain requests.
 *
 * A server may ignore an `Upgrade` (RFC 9110, 7.8), and clients rely on it: some offer h2c with their first request.
 * Node emits every such request as upgrade once there is a listener, so others are passed back without the header.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { cutSocket, refuseOnSocket } from '../envelope/bare-answer.ts'
import { retrySeconds } from '../envelope/answer.ts'
import { refusalOf } from '../faults/fault-trigger.ts'
import type { Fault } from '../faults/faults.ts'
import { hostFault, mayFollow } from '../http/origins.ts'
import { connectionEvent } from '../http/tls-files.ts'
import type { Secrets } from '../service/secrets.ts'
import { ServiceError } from '../envelope/service-error.ts'

const STREAM_PATH = '/v1/ws'
/** RFC 6455. */
const VERSION = '13'

/** True for a stream handshake. */
export const isForStream = ({ url = '', headers }: IncomingMessage): boolean =>
  url.split('?', 1)[0] === STREAM_PATH && headers.upgrade?.trim().toLowerCase() === 'websocket'

/** Handles a request as if it had no upgrade. @param head  bytes received after it */
export function giveBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const sent = name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value
    if (name.toLowerCase() !== 'upgrade' && sent !== '') lines.push(`${name}: ${sent}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(connectionEvent(server), socket)
  socket.resume()
}

const withoutUpgrade = (tokens: string): string =>
  tokens
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token.toLowerCase() !== 'upgrade')
    .join(', ')

/**
 * Error response to an invalid handshake; undefined if it is valid.
 *
 * @param cors  origin of pages that may subscribe, besides those of this machine
 */
export function handshakeFault(request: IncomingMessage, cors: string | undefined): RefusedHandshake | undefined {
  const { method, headers } = request
  const host = hostFault(request)
  if (host !== undefined) return { error: new ServiceError('VALIDATION_ERROR', host), headers: {} }
  if (!mayFollow(headers, cors)) {
    return {
      error: new ServiceError('FORBIDDEN', 'the streams are not available to pages of that origin'),
      headers: {},
    }
  }
  if (method !== 'GET') {
    const error = new ServiceError('VALIDATION_ERROR', `expected GET, got ${method ?? ''}`, { status: 405 })
    return { error, headers: { allow: 'GET' } }
  }
  if (headers['sec-websocket-version'] === VERSION) return undefined
  const error = new ServiceError('VALIDATION_ERROR', `expected sec-websocket-version ${VERSION}`, { status: 426 })
  return { error, headers: { upgrade: 'websocket', 'sec-websocket-version': VERSION } }
}

export interface RefusedHandshake {
  readonly error: ServiceError
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Applies delays, and faults that refuse a handshake.
 *
 * @returns true if the connection was closed
 */
export async function strikeHandshake(faults: readonly Fault[], socket: Duplex, secrets: Secrets): Promise<boolean> {
  for (const fault of faults) {
    if (fault.kind === 'delay') await setTimeout(fault.ms)
    if (fault.kind === 'reset-before') {
      cutSocket(socket)
      return true
    }
    const error = refusalOf(fault)
    if (error === undefined) continue
    const { retryInMs } = error
    const headers = retryInMs === undefined ? undefined : { 'retry-after': retrySeconds(retryInMs) }
    refuseOnSocket(socket, error, secrets.uuid(), headers)
    return true
  }
  return false
}
