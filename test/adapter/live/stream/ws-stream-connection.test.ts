import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { StreamListener } from '../../../../src/adapter/live/stream/stream-connection.ts'
import {
  WsStreamConnection,
  WS_STREAM_LIMITS,
  type WsStreamLimits,
} from '../../../../src/adapter/live/stream/ws-stream-connection.ts'

/** Quick, so that a test need not wait as a user would. */
const QUICK: Partial<WsStreamLimits> = {
  handshakeMs: 500,
  answerMs: 500,
  pingMs: 100,
  silentMs: 600,
  firstBackoffMs: 20,
  mostBackoffMs: 40,
}

const ends: (() => void)[] = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Keeps what it hears, so that a test can wait for it. */
class Ears implements StreamListener {
  readonly heard: string[] = []
  readonly onOpen = (): void => this.#say('open')
  readonly onSubscribed = (stream: string): void => this.#say(`subscribed ${stream}`)
  readonly onRefused = (stream: string, reason: string): void => this.#say(`refused ${stream}: ${reason}`)
  readonly onUnreadable = (reason: string): void => this.#say(`unreadable: ${reason}`)
  readonly onLost = (reason: string): void => this.#say(`lost: ${reason}`)
  #look: () => void = () => undefined

  onMessage({ stream, data }: { readonly stream: string; readonly data: unknown }): void {
    this.#say(`${stream} ${JSON.stringify(data)}`)
  }

  count(text: string): number {
    return this.heard.filter((each) => each.startsWith(text)).length
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve) => {
        this.#look = resolve
      })
    }
  }

  #say(text: string): void {
    this.heard.push(text)
    this.#look()
  }
}

/** A service whose answers a test decides. */
async function serve(onSocket: (socket: WebSocket, index: number) => void): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  let index = 0
  server.on('connection', (socket) => {
    onSocket(socket, index)
    index += 1
  })
  await once(server, 'listening')
  ends.push(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveRaw(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const askedOf = (data: unknown): { streams: string[]; id: number } =>
  JSON.parse((data as Buffer).toString()) as { streams: string[]; id: number }

/** Takes every subscription. */
const subscribeAll = (socket: WebSocket): void =>
  void socket.on('message', (data) => socket.send(JSON.stringify({ ...askedOf(data), op: 'subscribed' })))

function connect(url: string, streams: readonly string[]): { ears: Ears; connection: WsStreamConnection } {
  const connection = new WsStreamConnection({ url, random: () => 0.5, limits: QUICK })
  ends.push(() => connection.close())
  const ears = new Ears()
  for (const stream of streams) connection.subscribe(stream)
  connection.open(ears)
  return { ears, connection }
}

const moment = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('a stream connection', () => {
  it('follows each stream, reports its data, and says which the service does not have', async () => {
    const url = await serve((socket) => {
      socket.on('message', (data) => {
        const { streams, id } = askedOf(data)
        const error = { code: 'MARKET_NOT_FOUND', message: 'no market' }
        const isKnown = streams[0] === 'trade:BTC_USD'
        socket.send(JSON.stringify(isKnown ? { op: 'subscribed', streams, id } : { op: 'error', error, id }))
        if (isKnown) socket.send(JSON.stringify({ stream: 'trade:BTC_USD', data: { id: '1' } }))
      })
    })
    const { ears } = connect(url, ['trade:BTC_USD', 'trade:NO_NO'])
    await ears.until(() => ears.heard.length === 4)
    expect(ears.heard[0]).toBe('open')
    expect(ears.heard.slice(1).sort()).toEqual([
      'refused trade:NO_NO: MARKET_NOT_FOUND: no market',
      'subscribed trade:BTC_USD',
      'trade:BTC_USD {"id":"1"}',
    ])
  })

  it.each<[string, (asked: { streams: string[]; id: number }) => object[], string]>([
    [
      'drops a whole request',
      ({ id }) => [{ op: 'error', error: { code: 'MARKET_NOT_FOUND', message: 'no market' }, id }],
      'MARKET_NOT_FOUND: no market',
    ],
    [
      'keeps the valid names (here none) and adds the error',
      ({ id }) => [
        { op: 'subscribed', streams: [], id },
        { op: 'error', error: { code: 'MARKET_NOT_FOUND', message: 'no market' }, id },
      ],
      'it is missing from the streams that the service confirmed',
    ],
    [
      'keeps the valid names after the error',
      ({ id }) => [
        { op: 'error', error: { code: 'MARKET_NOT_FOUND', message: 'no market' }, id },
        { op: 'subscribed', streams: [], id },
      ],
      'MARKET_NOT_FOUND: no market',
    ],
    [
      'leaves bad names out without an error',
      ({ id }) => [{ op: 'subscribed', streams: [], id }],
      'it is missing from the streams that the service confirmed',
    ],
  ])('follows the good streams at a service that %s', async (_what, refuse, reason) => {
    const url = await serve((socket) => {
      socket.on('message', (data) => {
        const asked = askedOf(data)
        const isBad = asked.streams.some((stream) => stream.includes('NO_NO'))
        const answers = isBad ? refuse(asked) : [{ ...asked, op: 'subscribed' }]
        for (const answer of answers) socket.send(JSON.stringify(answer))
      })
    })
    const { ears } = connect(url, ['trade:NO_NO', 'trade:BTC_USD', 'ticker:NO_NO', 'ticker:BTC_USD'])
    await ears.until(() => ears.heard.length === 5)
    expect(ears.heard).toEqual([
      'open',
      `refused trade:NO_NO: ${reason}`,
      'subscribed trade:BTC_USD',
      `refused ticker:NO_NO: ${reason}`,
      'subscribed ticker:BTC_USD',
    ])
  })

  it('takes a stream on while it is open', async () => {
    const { ears, connection } = connect(await serve(subscribeAll), [])
    await ears.until(() => ears.heard.includes('open'))
    for (const stream of ['trade:BTC_USD', 'trade:BTC_USD', 'ticker:BTC_USD']) connection.subscribe(stream)
    await ears.until(() => ears.heard.includes('subscribed ticker:BTC_USD'))
    expect(ears.heard).toEqual(['open', 'subscribed trade:BTC_USD', 'subscribed ticker:BTC_USD'])
  })

  it('leaves out frames that are hostile, says so, and goes on', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const shapes = ['no json', '[]', 'null', '7', '{"stream":1,"data":1}', '{"stream":"x"}', '{"op":"boo","id":1}']
    const hostile = [...shapes, '{"op":"subscribed","id":99}', '{"op":{},"id":[]}', deep, Buffer.from([0, 1, 2])]
    const url = await serve((socket) => {
      for (const frame of hostile) socket.send(frame)
      subscribeAll(socket)
    })
    const { ears } = connect(url, ['trade:BTC_USD'])
    await ears.until(() => ears.count('subscribed') === 1 && ears.count('unreadable') === hostile.length)
    expect(ears.count('lost')).toBe(0)
  })

  it.each<[string, (socket: WebSocket) => void, string]>([
    ['closes with 1013', (socket) => socket.close(1013, 'too slow'), 'lost: closed with code 1013: too slow'],
    ['is cut', (socket) => socket.terminate(), 'lost: closed with code 1006'],
    ['sends a message that is too long', (socket) => socket.send('x'.repeat(1024 * 1024 + 1)), 'lost: Max payload'],
  ])('comes back, and says so once, when the service %s', async (_what, fail, reason) => {
    const url = await serve((socket, index) => {
      subscribeAll(socket)
      if (index === 0) socket.on('message', () => fail(socket))
    })
    const { ears } = connect(url, ['trade:BTC_USD'])
    await ears.until(() => ears.count('open') === 2 && ears.heard.at(-1) === 'subscribed trade:BTC_USD')
    const losses = ears.heard.filter((text) => text.startsWith('lost'))
    expect(losses).toEqual([expect.stringContaining(reason)])
  })

  it('finds out that no one is at the other end any more', async () => {
    const url = await serve((socket, index) => {
      subscribeAll(socket)
      // It reads nothing more, and so answers no ping, as a host that went away.
      if (index === 0) socket.on('message', () => socket.pause())
    })
    const { ears } = connect(url, ['trade:BTC_USD'])
    await ears.until(() => ears.count('open') === 2)
    expect(ears.heard).toContain('lost: nothing arrived for 600 ms')
    expect(WS_STREAM_LIMITS.silentMs + WS_STREAM_LIMITS.pingMs).toBeLessThan(10_000)
  })

  it('gives up a service that does not answer a subscription', async () => {
    const { ears } = connect(await serve(() => undefined), ['trade:BTC_USD'])
    await ears.until(() => ears.count('open') === 2)
    expect(ears.heard).toContain('lost: no answer to the subscription to trade:BTC_USD')
  })

  it.each<[string, (socket: Socket) => void, string]>([
    ['does not shake hands', () => undefined, 'lost: Opening handshake has timed out'],
    [
      'has no stream',
      (socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'),
      'lost: Unexpected server response: 404',
    ],
    ['hangs up', (socket) => socket.destroy(), 'lost: socket hang up'],
  ])('tries again and again, reported once, where the service %s', async (_what, meet, reason) => {
    let attempts = 0
    const url = await serveRaw((socket) => {
      attempts += 1
      meet(socket)
    })
    const { ears } = connect(url, ['trade:BTC_USD'])
    while (attempts < 3) await moment()
    expect(ears.heard).toEqual([reason])
  })

  it.each(['ws://127.0.0.1:1', 'ws://no-such-host.invalid', 'wss://127.0.0.1:1'])(
    'says once that nothing is at %s',
    async (url) => {
      const { ears } = connect(url, [])
      await ears.until(() => ears.count('lost') === 1)
      for (let each = 0; each < 10; each += 1) await moment()
      expect(ears.heard).toHaveLength(1)
    },
  )

  it('is silent once it is closed, and does not come back', async () => {
    const sockets: WebSocket[] = []
    const url = await serve((socket) => {
      sockets.push(socket)
      subscribeAll(socket)
    })
    const { ears, connection } = connect(url, ['trade:BTC_USD'])
    await ears.until(() => ears.heard.length === 2)
    connection.close()
    await once(sockets[0] ?? expect.fail('no socket'), 'close')
    for (let each = 0; each < 5; each += 1) await moment()
    expect(ears.heard).toHaveLength(2)
    expect(sockets).toHaveLength(1)
  })
})
