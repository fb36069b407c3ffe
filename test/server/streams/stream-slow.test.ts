import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STREAM_LIMITS } from '../../../src/server/streams/stream-client.ts'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { serveMarket, type ServedMarket } from '../rig/served-market.ts'
import { listenTo } from '../rig/stream-listener.ts'

const MEGABYTE = 1024 * 1024
const TRADES = 'trade:BTC_USD'

let served: ServedMarket
beforeEach(async () => {
  served = await serveMarket({ wire: { streams: { closingMs: 300 } } })
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

/** A masked text frame of a client. */
function clientFrame(text: string): Buffer {
  const mask = randomBytes(4)
  const bytes = Buffer.from(text)
  const length = bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...length]), mask, bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

/** Follows the trades on a bare socket and then stops to read. */
async function stall(): Promise<RawConnection> {
  const connection = await connectTo(served.port)
  connection.write(
    'GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  connection.write(clientFrame(`{"op":"subscribe","streams":["${TRADES}"]}`))
  while (!connection.received.includes('subscribed')) await turn()
  connection.socket.pause()
  return connection
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Trades, a few a turn, until that is so. */
async function tradeUntil(isSo: () => boolean): Promise<number> {
  for (let trades = 1; trades < 400_000; trades += 1) {
    served.print('BTC_USD', 10_000 + (trades % 100))
    if (trades % 50 !== 0) continue
    await turn()
    if (isSo()) return trades
  }
  throw new Error('it never was so')
}

/** What Node says of its open sockets. */
interface Handles {
  _getActiveHandles(): readonly { readonly writableLength?: number; readonly localPort?: number }[]
}

/** Bytes that wait in a connection of the server, as far as this process holds them: the most of any. */
function writable(): number {
  const handles = (process as unknown as Handles)._getActiveHandles()
  const ours = handles.filter(({ localPort }) => localPort === served.port)
  return Math.max(0, ...ours.map(({ writableLength = 0 }) => writableLength))
}

describe('a client that does not read', () => {
  it('is closed with 1013 when 1 MiB waits for it, and never is there more', async () => {
    expect(STREAM_LIMITS.buffered).toBe(MEGABYTE)
    const stalled = await stall()
    let most = 0
    let isFull = false
    await tradeUntil(() => {
      const waits = writable()
      most = Math.max(most, waits)
      // The close is written behind what waits, and nothing behind the close.
      if (isFull) return true
      isFull = waits > MEGABYTE - 64 * 1024
      return false
    })
    const before = writable()
    for (let trade = 0; trade < 5_000; trade += 1) served.print('BTC_USD', 10_000)
    await turn()
    most = Math.max(most, writable())
    expect(most).toBeGreaterThan(MEGABYTE - 64 * 1024)
    expect(most).toBeLessThanOrEqual(MEGABYTE + 256)
    expect(writable()).toBeLessThanOrEqual(before + 64 * 1024)
    stalled.socket.resume()
    await stalled.ended
    const close = Buffer.from(stalled.received.slice(-20), 'latin1')
    expect(close.subarray(0, 2)).toEqual(Buffer.from([0x88, 18]))
    expect(close.readUInt16BE(2)).toBe(1013)
    expect(close.subarray(4).toString()).toBe('reads too slowly')
  })

  it('and does not read the close either is ended', async () => {
    const stalled = await stall()
    await tradeUntil(() => writable() > MEGABYTE - 64 * 1024)
    for (let trade = 0; trade < 1_000; trade += 1) served.print('BTC_USD', 10_000)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(writable()).toBe(0)
    stalled.destroy()
  })

  it('takes nothing from one that does', async () => {
    const stalled = await Promise.all(Array.from({ length: 10 }, stall))
    const quick = await listenTo(served.server.streamUrl)
    await quick.subscribe(TRADES)
    const trades = await tradeUntil(() => writable() > MEGABYTE - 64 * 1024)
    for (let more = 0; more < 1_000; more += 1) served.print('BTC_USD', 10_000)
    await quick.until(() => quick.of(TRADES).length === trades + 1_000)
    for (const each of stalled) each.destroy()
  })

  it('is closed for the answers that it asks for as well', async () => {
    const stalled = await stall()
    const streams = Array.from({ length: 8 }, () => TRADES)
    const asks = clientFrame(JSON.stringify({ op: 'subscribe', streams, id: 'y'.repeat(100) }))
    const many = Buffer.concat(Array.from({ length: 500 }, () => asks))
    let most = 0
    while (writable() < MEGABYTE - 64 * 1024) {
      stalled.write(many)
      await turn()
      most = Math.max(most, writable())
    }
    for (let time = 0; time < 20; time += 1) {
      stalled.write(many)
      await turn()
      most = Math.max(most, writable())
    }
    expect(most).toBeLessThanOrEqual(MEGABYTE + 256)
    stalled.destroy()
  })
})
