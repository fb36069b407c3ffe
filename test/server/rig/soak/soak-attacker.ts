/**
 * One hostile socket, all the time, in a process of its own: what it sends changes, and it comes back when it is shut
 * out. Reports its parent of each attack.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { frame, get, HANDSHAKE, PING, TEXT } from '../hostile-bytes.ts'

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
  { bytes: many(get('/x'), 12_000) },
  { bytes: many(get('/v1/markets'), 10_000) },
  { bytes: many(get('/v1/openapi.json'), 300) },
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
  // A planned fault may cut it without a word.
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
}

for (let turn = 0; ; turn += 1) {
  const each = ATTACKS[turn % ATTACKS.length]
  if (each !== undefined) await attack(Number(process.argv[2]), each)
}
