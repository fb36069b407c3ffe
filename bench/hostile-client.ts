/**
 * One hostile socket, and what a polite client of the same server sees meanwhile, in a process of their own. Speaks to
 * its parent by messages.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { frame, get, HANDSHAKE, PING, TEXT } from '../test/server/rig/hostile-bytes.ts'

const [port = '', kind = '', bytes = ''] = process.argv.slice(2)
const QUIET_MS = 300
const MAX_MS = 20_000

/** The bytes to repeat, and whether it goes over a stream. */
const KINDS: Readonly<Record<string, { readonly each: Buffer; readonly isStream: boolean }>> = {
  'one-byte messages': { each: frame(TEXT, 'x'), isStream: true },
  'open braces': { each: frame(TEXT, '{'), isStream: true },
  'valid subscriptions': { each: frame(TEXT, '{"op":"subscribe","streams":["trade:BTC_USD"]}'), isStream: true },
  pings: { each: frame(PING, ''), isStream: true },
  'pipelined GET /x': { each: get('/x'), isStream: false },
  'pipelined GET /v1/markets': { each: get('/v1/markets'), isStream: false },
  'pipelined GET /v1/openapi.json': { each: get('/v1/openapi.json'), isStream: false },
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
while (performance.now() - lastHeard < QUIET_MS && performance.now() - start < MAX_MS) {
  times.push(await politely())
  await new Promise((resolve) => setTimeout(resolve, 2))
}
process.send?.({ most: Math.max(...times), seconds: (lastHeard - start) / 1000 })
socket.destroy()
process.exit()
