/**
 * The line to the windows of an emulator: who is let on it, and what is reported on it. The attacks are those of a page
 * that somebody opened in a browser on this machine.
 */
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import type { WindowFrame } from '../../../src/server/window/window-frame.ts'

const OPTIONS: EmulatorOptions = { virtualClock: true, start: Date.UTC(2024, 2, 1) }
const WATCH = { symbol: 'BTC_USD', interval: '1m' }

let emulator: Emulator | undefined
const sockets: WebSocket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await emulator?.close()
  emulator = undefined
})

const start = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  emulator = await startEmulator({ ...OPTIONS, ...options })
  return emulator
}

const streamOf = ({ windowUrl }: Emulator): string =>
  windowUrl.replace('http', 'ws').replace('/window', '/emulator/window')

interface Line {
  readonly socket: WebSocket
  readonly frames: WindowFrame[]
  /** Waits for a frame that has what is asked for. */
  readonly next: (isIt: (frame: WindowFrame) => boolean) => Promise<WindowFrame>
}

async function open(server: Emulator, hello: unknown, headers: Record<string, string> = {}): Promise<Line> {
  const socket = new WebSocket(streamOf(server), { headers })
  sockets.push(socket)
  const frames: WindowFrame[] = []
  socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString()) as WindowFrame))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello))
  const next: Line['next'] = (isIt) =>
    expect
      .poll(() => frames.find(isIt))
      .toBeDefined()
      .then(() => frames.find(isIt) ?? {})
  return { socket, frames, next }
}

/** Status of a request whose headers a client like `fetch` would not let be chosen. */
const statusOf = (server: Emulator, lines: readonly string[], body = ''): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => {
      socket.write(`${[...lines, 'connection: close', `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
    })
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      socket.destroy()
    })
    socket.on('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]))
    })
    socket.on('error', reject)
  })

const HANDSHAKE = [
  'GET /emulator/window HTTP/1.1',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
]

describe('a page from elsewhere', () => {
  it.each`
    host                   | origin                            | status | why
    ${'127.0.0.1:PORT'}    | ${undefined}                      | ${101} | ${'no page'}
    ${'127.0.0.1:PORT'}    | ${'http://127.0.0.1:PORT'}        | ${101} | ${'its own page'}
    ${'localhost:PORT'}    | ${'http://localhost:PORT'}        | ${101} | ${'its own page, by the other name'}
    ${'127.0.0.1:PORT'}    | ${'https://evil.example'}         | ${403} | ${'a page of the web'}
    ${'evil.example:PORT'} | ${'http://evil.example:PORT'}     | ${403} | ${'a name of the web that leads to this machine'}
    ${'127.0.0.1:PORT'}    | ${'http://localhost:PORT'}        | ${403} | ${'another name than the one that is called'}
    ${'127.0.0.1:PORT'}    | ${'http://127.0.0.1:3000'}        | ${403} | ${'another program of this machine'}
    ${'127.0.0.1:PORT'}    | ${'null'}                         | ${403} | ${'a page without an origin, such as a file'}
    ${'127.0.0.1:PORT'}    | ${'http://127.0.0.1:PORT.evil.x'} | ${403} | ${'a name that begins like its own'}
  `('gets $status on the line: $why', async ({ host, origin, status }) => {
    const server = await start()
    const put = (text: string): string => text.replace('PORT', new URL(server.baseUrl).port)
    const from = origin === undefined ? [] : [`origin: ${put(origin)}`]
    const upgrade = [...HANDSHAKE, `host: ${put(host)}`, ...from]
    const got = await new Promise<number>((resolve) => {
      const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => {
        socket.write(`${[...upgrade, 'connection: Upgrade'].join('\r\n')}\r\n\r\n`)
      })
      socket.once('data', (data) => {
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]))
        socket.destroy()
      })
    })
    expect(got).toBe(status)
  })

  it.each([
    ['makes itself no key', 'POST /emulator/users/user-1/keys', '{"scopes":["ORDER_CREATE"]}'],
    ['gives itself no money', 'POST /emulator/users/user-1/credits', '{"asset":"USD","amount":"1"}'],
    ['plans no fault', 'POST /emulator/faults', '{"fault":"reset-before","route":"*","count":9}'],
    ['moves no clock', 'POST /emulator/clock', '{"advanceMs":1000}'],
    ['forgets no fault', 'DELETE /emulator/faults', ''],
    ['reads no user', 'GET /emulator/users', ''],
  ])('%s, not by a name that leads here, and not by a request that a browser sends for it', async (_, call, body) => {
    const server = await start()
    const { port } = new URL(server.baseUrl)
    const send = (host: string, origin: string, type: string): Promise<number> =>
      statusOf(server, [`${call} HTTP/1.1`, `host: ${host}`, `origin: ${origin}`, `content-type: ${type}`], body)
    expect(await send('evil.example', 'http://evil.example', 'application/json')).toBe(403)
    expect(await send(`127.0.0.1:${port}`, 'https://evil.example', 'application/json')).toBe(403)
    // A form needs no leave to be sent.
    expect(await send(`127.0.0.1:${port}`, 'https://evil.example', 'text/plain')).toBe(403)
    expect(await send(`127.0.0.1:${port}`, 'null', 'application/x-www-form-urlencoded')).toBe(403)
    expect(await send(`127.0.0.1:${port}`, `http://127.0.0.1:${port}`, 'application/json')).toBeLessThan(300)
  })

  it('is not let in by `*`, which opens the service to every page, and by its name is', async () => {
    const ask = async (cors: string): Promise<number> => {
      const server = await start({ cors })
      const { port } = new URL(server.baseUrl)
      const lines = ['GET /emulator/users HTTP/1.1', `host: localhost:${port}`, 'origin: http://localhost:3000']
      const status = await statusOf(server, lines)
      await server.close()
      return status
    }
    expect(await ask('*')).toBe(403)
    expect(await ask('http://localhost:3000')).toBe(200)
  })

  it('cannot show the window in a frame of its own, nor put a script or a style into it', async () => {
    const server = await start()
    for (const file of ['', '/emulator.js', '/window.css']) {
      const { headers } = await fetch(server.windowUrl + file)
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'"]) {
        expect(policy).toContain(rule)
      }
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('what is reported', () => {
  it('is everything at first, and then only what is another', async () => {
    const server = await start()
    await server.advance(5 * 60_000)
    const { frames, next } = await open(server, { watch: { ...WATCH, user: 'user-1' } })
    const first = await next(({ world }) => world !== undefined)
    expect(Object.keys(first).sort()).toEqual(
      ['account', 'book', 'candles', 'clock', 'faults', 'pauses', 'tickers', 'trades', 'users', 'world'].sort(),
    )
    expect(first.candles).toMatchObject({ isWhole: true, interval: '1m' })
    const calls = { 'content-type': 'application/json' }
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(frames).toHaveLength(1)
    await fetch(`${server.emulatorUrl}/faults`, {
      method: 'POST',
      headers: calls,
      body: '{"fault":"delay","route":"*","count":2}',
    })
    const news = await next(({ faults = [] }) => faults.length > 0)
    expect(Object.keys(news)).toEqual(['faults'])
  })

  it('has the candles that go on, without those that were reported', async () => {
    const server = await start()
    await server.advance(10 * 60_000)
    const { frames, next } = await open(server, { watch: WATCH })
    await next(({ candles }) => candles !== undefined)
    const reported = frames.flatMap(({ candles }) => candles?.data ?? [])
    await server.advance(2 * 60_000)
    const market = (await (await fetch(`${server.baseUrl}/markets/BTC_USD/candles?limit=1`)).json()) as {
      data: { time: unknown; close: unknown; volume: unknown }[]
    }
    const [latest] = market.data
    // What has changed may come in several pieces.
    await next(({ candles }) => {
      const last = candles?.data.at(-1)
      return candles?.isWhole === false && last?.time === latest?.time && last?.volume === latest?.volume
    })
    const pieces = frames.flatMap(({ candles }) => (candles?.isWhole === false ? [candles.data] : []))
    expect(pieces[0]?.[0]?.time).toBe(reported.at(-1)?.time)
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(3)
    expect(pieces.at(-1)?.at(-1)).toEqual(latest)
  })

  it('holds no key and no token, whatever is made', async () => {
    const server = await start({ adminToken: 'the-secret-token' })
    const { frames, next } = await open(server, { watch: { ...WATCH, user: 'user-1' }, token: 'the-secret-token' })
    await next(({ account }) => account !== undefined)
    const text = JSON.stringify(frames)
    for (const key of server.users.flatMap(({ keys }) => keys)) expect(text).not.toContain(key)
    expect(text).not.toContain('the-secret-token')
    expect(text).not.toMatch(/pt_[0-9a-z]{8}_/)
  })

  it('is nothing without the admin token, or with another', async () => {
    const server = await start({ adminToken: 'token' })
    for (const token of [undefined, '', 'toke', 'token2']) {
      const { frames, next } = await open(server, { watch: WATCH, ...(token !== undefined && { token }) })
      await next(({ error }) => error?.code === 'AUTHENTICATION_REQUIRED')
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(frames).toHaveLength(1)
    }
  })

  it.each(['', 'no json', '{}', '{"watch":{"symbol":"BTC_USD","interval":"7m"}}', '{"watch":{},"watch":{}}', '[1]'])(
    'is the end of the line for %j',
    async (hello) => {
      const server = await start()
      const { socket } = await open(server, hello)
      await new Promise((resolve) => socket.once('close', resolve))
      expect((await fetch(`${server.baseUrl}/markets`)).status).toBe(200)
    },
  )

  it('leaves out a market and a user that are not there', async () => {
    const server = await start()
    const { next } = await open(server, { watch: { symbol: 'NO_SUCH', interval: '1m', user: 'user-9' } })
    const frame = await next(({ world }) => world !== undefined)
    expect([frame.book, frame.candles, frame.account]).toEqual([undefined, undefined, null])
  })

  it('ends with the server, and a reset is a new line', async () => {
    const server = await start()
    const { socket, next } = await open(server, { watch: WATCH })
    await next(({ world }) => world !== undefined)
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await server.reset()
    expect(await closed).toBe(1012)
    const second = await open(server, { watch: WATCH })
    await second.next(({ world }) => world !== undefined)
    const ended = new Promise<number>((resolve) => second.socket.once('close', resolve))
    await server.close()
    expect(await ended).toBe(1001)
  })
})
