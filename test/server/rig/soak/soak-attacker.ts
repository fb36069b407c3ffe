/**
 * One hostile socket, all the time, in a process of its own: what it sends changes, and it comes back when it is shut out. Tells its parent of
 * each attack, and why one could not be.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const HANDSHAKE =
  'GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** A frame of a client (RFC 6455, 5.2), shorter than 126 bytes. */
function frame(opcode: number, text: string): Buffer {
  const mask = randomBytes(4)
  const payload = Buffer.from(text).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload])
}

const [TEXT, PING] = [1, 9]
const many = (bytes: Buffer | string, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => Buffer.from(bytes)))

interface Attack {
  readonly isStream?: boolean
  readonly bytes: Buffer
}

const ATTACKS: readonly Attack[] = [
  { isStream: true, bytes: many(frame(TEXT, 'x'), 40_000) },
  { isStream: true, bytes: many(frame(TEXT, '{"op":"subscribe","streams":["trade:BTC_USD"]}'), 8_000) },
  { isStream: true, bytes: many(frame(PING, ''), 40_000) },
  { bytes: many(GET('/x'), 12_000) },
  { bytes: many(GET('/v1/markets'), 10_000) },
  { bytes: many(GET('/v1/openapi.json'), 300) },
  {
    bytes: Buffer.from(
      `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n${'{'.repeat(5_000)}`,
    ),
  },
  { bytes: Buffer.concat([Buffer.from('GET / HTTP/1.1\r\nX: '), Buffer.alloc(100_000, 'x')]) },
  { bytes: randomBytes(200_000) },
]
/** How long it listens to what it gets for one. */
const LISTENING_MS = 1_000

async function attack(port: number, { isStream = false, bytes }: Attack): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect')
    if (isStream) await upgraded(socket)
    socket.on('data', () => undefined)
    socket.write(bytes)
    process.send?.('attacked')
    await setTimeout(LISTENING_MS)
  } finally {
    socket.destroy()
  }
}

async function upgraded(socket: Socket): Promise<void> {
  socket.write(HANDSHAKE)
  await once(socket, 'data')
}

for (let turn = 0; ; turn += 1) {
  const each = ATTACKS[turn % ATTACKS.length]
  if (each !== undefined) await attack(Number(process.argv[2]), each)
}
