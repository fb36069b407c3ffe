/**
 * One hostile socket, and what a polite client of the same server sees meanwhile, in a process of their own. Speaks to its parent by
 * messages.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

const [port = '', kind = '', bytes = ''] = process.argv.slice(2)
const QUIET_MS = 300
const MOST_MS = 20_000

/** A frame of a client (RFC 6455, 5.2), shorter than 126 bytes. */
function frame(opcode: number, text: string): Buffer {
  const mask = randomBytes(4)
  const payload = Buffer.from(text)
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0)
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload])
}

const TEXT = 1
const PING = 9
const HANDSHAKE =
  'GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const GET = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)

/** What is repeated, and whether it goes over a stream. */
const KINDS: Readonly<Record<string, { readonly each: Buffer; readonly isStream: boolean }>> = {
  'one-byte messages': { each: frame(TEXT, 'x'), isStream: true },
  'open braces': { each: frame(TEXT, '{'), isStream: true },
  'valid subscriptions': { each: frame(TEXT, '{"op":"subscribe","streams":["trade:BTC_USD"]}'), isStream: true },
  pings: { each: frame(PING, ''), isStream: true },
  'pipelined GET /x': { each: GET('/x'), isStream: false },
  'pipelined GET /v1/markets': { each: GET('/v1/markets'), isStream: false },
  'pipelined GET /v1/openapi.json': { each: GET('/v1/openapi.json'), isStream: false },
}

async function hostile(): Promise<Socket> {
  const { each, isStream } = KINDS[kind] ?? { each: Buffer.alloc(0), isStream: false }
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (isStream) {
    socket.write(HANDSHAKE)
    await once(socket, 'data')
  }
  socket.on('data', () => undefined)
  const count = Math.floor(Number(bytes) / each.length)
  socket.write(Buffer.concat(Array.from({ length: count }, () => each)))
  return socket
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function politely(): Promise<number> {
  const start = performance.now()
  await new Promise<void>((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', path: '/v1/markets' }, (response) => {
      response.resume().on('end', resolve)
    })
    asked.on('error', reject).end()
  })
  return performance.now() - start
}

for (let warm = 0; warm < 200; warm += 1) await politely()
let lastHeard = performance.now()
const start = lastHeard
const socket = await hostile()
socket.on('data', () => (lastHeard = performance.now()))
const times: number[] = []
while (performance.now() - lastHeard < QUIET_MS && performance.now() - start < MOST_MS) {
  times.push(await politely())
  await new Promise((resolve) => setTimeout(resolve, 2))
}
process.send?.({ most: Math.max(...times), seconds: (lastHeard - start) / 1000 })
socket.destroy()
process.exit()
