/** Writes an error response directly to a connection that has no request. */
import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { envelopeOf, type ServiceError } from './service-error.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** How long a connection that was refused may take to read why. */
const READING_MS = 2_000

/** Answers with the envelope and ends the connection. @param headers  more of them, by name */
export function refuseOnSocket(
  socket: Duplex,
  error: ServiceError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(envelopeOf(error, requestId))
  const all = {
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
  const giveUp = setTimeout(() => socket.destroy(), READING_MS).unref()
  socket.once('close', () => {
    clearTimeout(giveUp)
  })
}

/** Resets a connection; one with TLS can only be destroyed. */
export function cutSocket(socket: Duplex): void {
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  else socket.destroy()
}
