/**
 * What a socket sends that means no good, for tests and benchmarks.
 */
import { randomBytes } from 'node:crypto'

/** Opcodes of frames. */
export const TEXT = 1
export const PING = 9

/** Asks for the streams of a server. */
export const HANDSHAKE =
  'GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A frame of a client (RFC 6455, 5.2). @param text  shorter than 126 bytes */
export function frame(opcode: number, text: string): Buffer {
  const mask = randomBytes(4)
  const payload = Buffer.from(text)
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0)
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload])
}

export const get = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
