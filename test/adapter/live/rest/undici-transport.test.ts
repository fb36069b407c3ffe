import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { RestRequest } from '../../../../src/adapter/live/rest/rest-transport.ts'
import { UndiciTransport, type UndiciTransportOptions } from '../../../../src/adapter/live/rest/undici-transport.ts'
import { rawAnswer, rawServer, type RawRequest, type RawServer } from '../rig/raw-server.ts'

const KEY = 'pt_secret_0123456789'
const POST: RestRequest = { method: 'POST', path: '/orders', body: '{"qty":"1"}', isKeyed: true }
const GET: RestRequest = { method: 'GET', path: '/orders', isKeyed: true }

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

/** Enough for a loaded machine where an answer comes; short where none does. */
const PATIENT = 20_000
const HASTY = 150

async function rig(
  answer: (socket: Socket, request: RawRequest, count: number) => void,
  options: Partial<UndiciTransportOptions> = {},
): Promise<{ server: RawServer; transport: UndiciTransport }> {
  const server = await rawServer(answer)
  const transport = new UndiciTransport({ url: server.url, apiKey: KEY, timeoutMs: PATIENT, ...options })
  open.push(transport, server)
  return { server, transport }
}

const ORDER = JSON.stringify({ id: '17', note: 'ä€' })
const WHOLE = rawAnswer(201, ORDER, { 'X-Request-Id': 'abc' })

describe('a request', () => {
  it('is sent below the prefix with its query, its body, and the key in its header', async () => {
    const { server, transport } = await rig((socket) => socket.write(WHOLE))
    await transport.send(POST)
    await transport.send({ ...GET, query: { symbol: 'A B&C', limit: '5' } })
    const [post, get] = server.requests
    expect(post?.line).toBe('POST /v1/orders HTTP/1.1')
    expect(post?.body).toBe('{"qty":"1"}')
    expect(post?.headers.get('content-type')).toBe('application/json')
    expect(post?.headers.get('x-api-key')).toBe(KEY)
    expect(get?.line).toBe('GET /v1/orders?symbol=A+B%26C&limit=5 HTTP/1.1')
  })

  it('has no key where none is asked for', async () => {
    const { server, transport } = await rig((socket) => socket.write(WHOLE))
    await transport.send({ ...GET, isKeyed: false })
    expect([...(server.requests[0]?.headers.values() ?? [])].join()).not.toContain('pt_')
  })

  it('uses a connection of those before', async () => {
    const { server, transport } = await rig((socket) => socket.write(WHOLE))
    for (let index = 0; index < 20; index += 1) await transport.send(POST)
    expect(server.connections).toBeLessThanOrEqual(4)
  })
})

describe('an answer', () => {
  it('comes with its status, its headers in lower case, and its JSON', async () => {
    const { transport } = await rig((socket) => socket.write(WHOLE))
    expect(await transport.send(POST)).toMatchObject({
      type: 'answer',
      status: 201,
      headers: { 'x-request-id': 'abc' },
      body: { id: '17', note: 'ä€' },
    })
  })

  it.each`
    body                   | why
    ${''}                  | ${'nothing'}
    ${'<html>'}            | ${'a page'}
    ${'{"id":"17"'}        | ${'half of it'}
    ${'['.repeat(500_000)} | ${'depth alone'}
  `('has no body when it is no JSON: $why', async ({ body }) => {
    const { transport } = await rig((socket) => socket.write(rawAnswer(201, body)))
    const answer = await transport.send(POST)
    expect(answer).toMatchObject({ type: 'answer', status: 201 })
    expect(answer.type === 'answer' && answer.body).toBeUndefined()
  })

  it('has no body when its bytes are no UTF-8', async () => {
    const { transport } = await rig((socket) => {
      socket.write(rawAnswer(200, '', { 'content-length': '3' }))
      socket.write(Buffer.from([0x22, 0xff, 0x22]))
    })
    expect(await transport.send(GET)).toEqual(expect.objectContaining({ type: 'answer', body: undefined }))
  })

  it.each([301, 302, 303, 307, 308])('of %i is broken, and is not followed', async (status) => {
    const other = await rig((socket) => socket.write(WHOLE))
    const headers = { location: `${other.server.url}/orders` }
    const { server, transport } = await rig((socket) => socket.write(rawAnswer(status, ORDER, headers)))
    expect(await transport.send(POST)).toMatchObject({ type: 'broken', status })
    expect(server.requests).toHaveLength(1)
    expect(other.server.requests).toHaveLength(0)
  })

  it.each`
    length             | expected
    ${1024 * 1024}     | ${'answer'}
    ${1024 * 1024 + 1} | ${'broken'}
    ${20_000_000}      | ${'broken'}
  `('of $length bytes is $expected', async ({ length, expected }) => {
    const { transport } = await rig((socket) => socket.write(rawAnswer(200, `"${'x'.repeat(length - 2)}"`)))
    expect((await transport.send(GET)).type).toBe(expected)
  })

  it('without an end is broken before it fills the memory', async () => {
    const { transport } = await rig((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const more = (): void => {
        while (socket.writable && socket.write(chunk));
        if (socket.writable) socket.once('drain', more)
      }
      more()
    })
    expect(await transport.send(GET)).toMatchObject({ type: 'broken', status: 200 })
  })

  it('cut after any of its bytes is never whole, and a POST never sent again', async () => {
    const bytes = Buffer.from(WHOLE)
    for (let length = 0; length < bytes.length; length += 1) {
      const { server, transport } = await rig((socket) => {
        if (length === 0) socket.end()
        else socket.end(bytes.subarray(0, length))
      })
      const answer = await transport.send(POST)
      expect(answer.type, `cut after ${length} bytes`).not.toBe('answer')
      expect(server.requests, `cut after ${length} bytes`).toHaveLength(1)
      await Promise.all(open.splice(0).map((each) => each.close()))
    }
  })

  it('that is longer than it says ends where it says', async () => {
    const { transport } = await rig((socket) => socket.write(`${rawAnswer(201, '{"id":"17"}')}{"id":"18"}`))
    expect(await transport.send(POST)).toMatchObject({ type: 'answer', body: { id: '17' } })
  })

  it('that no one asked for is no answer to the next request', async () => {
    const { transport } = await rig((socket, _request, count) => {
      if (count === 1) socket.write(rawAnswer(200, '"first"') + rawAnswer(200, '"poison"'))
      else socket.write(rawAnswer(200, '"second"'))
    })
    expect(await transport.send(GET)).toMatchObject({ body: 'first' })
    await delay(20)
    expect(await transport.send(GET)).not.toMatchObject({ body: 'poison' })
  })
})

describe('no answer', () => {
  it.each`
    act                                                                     | why
    ${() => undefined}                                                      | ${'never a byte'}
    ${(socket: Socket) => socket.write('HTTP/1.1 201 Created\r\ncontent-')} | ${'half a head'}
  `('is reported after the time limit: $why', async ({ act }) => {
    const { server, transport } = await rig(act, { timeoutMs: HASTY })
    expect(await transport.send(POST)).toEqual({ type: 'no-answer', reason: `no answer within ${HASTY} ms` })
    await delay(50)
    expect(server.requests).toHaveLength(1)
  })

  it('is an answer that comes byte by byte beyond the time limit, though none is late alone', async () => {
    const bytes = Buffer.from(WHOLE)
    const { transport } = await rig(
      (socket) => {
        const head = bytes.indexOf('\r\n\r\n') + 4
        socket.write(bytes.subarray(0, head))
        let at = head
        const timer = setInterval(() => {
          if (socket.destroyed) clearInterval(timer)
          else socket.write(bytes.subarray(at, (at += 1)))
        }, HASTY / 3)
        socket.on('close', () => clearInterval(timer))
      },
      { timeoutMs: HASTY },
    )
    const answer = await transport.send(POST)
    expect(answer).toEqual({
      type: 'broken',
      status: 201,
      reason: `the answer broke off: incomplete after ${HASTY} ms`,
    })
  })

  it('comes of a connection that is reset', async () => {
    const { server, transport } = await rig((socket) => socket.resetAndDestroy())
    expect(await transport.send(POST)).toMatchObject({ type: 'no-answer' })
    expect(server.requests).toHaveLength(1)
  })

  it('is known not to have left where no one listens', async () => {
    const { server, transport } = await rig(() => undefined)
    await server.close()
    open.splice(open.indexOf(server), 1)
    expect(await transport.send(POST)).toMatchObject({ type: 'no-answer', isUnsent: true })
  })

  it('is what a closed transport ends its requests with, which may have left', async () => {
    const { server, transport } = await rig(() => undefined)
    const sent = transport.send(POST)
    while (server.requests.length === 0) await delay(5)
    await transport.close()
    expect(await sent).toMatchObject({ type: 'no-answer' })
    expect(await sent).not.toHaveProperty('isUnsent')
    expect(await transport.send(POST)).toMatchObject({ type: 'no-answer' })
  })

  it('delays neither creations nor cancels by reads that hang', async () => {
    const { transport } = await rig((socket, { line }) => {
      if (line.startsWith('POST')) socket.write(WHOLE)
    })
    for (let index = 0; index < 20; index += 1) void transport.send(GET)
    expect(await transport.send(POST)).toMatchObject({ status: 201 })
  })
})

describe('a kept connection', () => {
  it('that the server closes while a POST leaves costs the answer, and never a second POST', async () => {
    const { server, transport } = await rig((socket, _request, count) => {
      if (count === 1) socket.write(WHOLE)
      else socket.resetAndDestroy()
    })
    let cut = 0
    for (let index = 1; index <= 40; index += 1) {
      const { type } = await transport.send(POST)
      if (type !== 'answer') cut += 1
      expect(server.requests).toHaveLength(index)
    }
    expect(cut).toBeGreaterThan(0)
  })

  it('that the server closes between requests is replaced, and each POST comes once at most', async () => {
    const { server, transport } = await rig((socket) => {
      socket.write(WHOLE)
      setImmediate(() => socket.end())
    })
    let sent = 0
    for (let index = 0; index < 100; index += 1) {
      await transport.send({ ...POST, body: String(index) })
      sent += 1
      if (index % 3 === 0) await delay(1)
    }
    expect(sent).toBe(100)
    const bodies = server.requests.map(({ body }) => body)
    expect(new Set(bodies).size).toBe(bodies.length)
  })
})

describe('the key', () => {
  it('is hidden in whatever the server says', async () => {
    const { transport } = await rig((socket) =>
      socket.write(
        rawAnswer(400, JSON.stringify({ error: { code: KEY, message: `not ${KEY}` } }), { 'x-request-id': KEY }),
      ),
    )
    const answer = await transport.send(GET)
    expect(JSON.stringify(answer)).not.toContain(KEY)
    expect(answer).toMatchObject({ headers: { 'x-request-id': '[key]' }, body: { error: { message: 'not [key]' } } })
  })

  it.each(['with space', 'line\nbreak', '', 'ä'])('cannot be %j, and is not in the error', (apiKey) => {
    const make = (): unknown => new UndiciTransport({ url: 'http://127.0.0.1/', apiKey })
    expect(make).toThrow('PAPERTAPE_API_KEY: expected an API key of visible ASCII characters')
  })
})

describe('the URL', () => {
  it.each`
    url                          | why
    ${'127.0.0.1:8080'}          | ${'no scheme'}
    ${'ws://127.0.0.1/v1'}       | ${'another scheme'}
    ${'http://alice:pw@host/v1'} | ${'a password'}
    ${'http://host/v1?key=1'}    | ${'a query'}
    ${'http://host/v1#top'}      | ${'a fragment'}
  `('cannot have $why', ({ url }) => {
    const make = (): unknown => new UndiciTransport({ url })
    expect(make).toThrow(/^url: expected/)
    expect(make).not.toThrow('pw')
  })

  it('may end with a slash', async () => {
    const server = await rawServer((socket) => socket.write(WHOLE))
    const transport = new UndiciTransport({ url: `${server.url}/` })
    open.push(transport, server)
    await transport.send(GET)
    expect(server.requests[0]?.line).toBe('GET /v1/orders HTTP/1.1')
  })
})
