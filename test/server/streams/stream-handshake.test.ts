import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorSchema } from '../../../src/wire/schemas.ts'
import { connectTo, type RawAnswer } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket } from '../rig/served-market.ts'
import { listenTo } from '../rig/stream-listener.ts'

let served: ServedMarket
beforeEach(async () => {
  served = await serveMarket()
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

const HANDSHAKE: Readonly<Record<string, string>> = {
  Host: 'localhost',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/**
 * Sends a request with the headers of a handshake, those in `changes` changed, and reads until the connection is
 * closed.
 */
async function shake(line: string, changes: Readonly<Record<string, string | undefined>> = {}): Promise<RawAnswer> {
  const headers = Object.entries({ ...HANDSHAKE, ...changes }).filter(([, value]) => value !== undefined)
  const connection = await connectTo(served.port)
  connection.write(`${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value ?? ''}\r\n`).join('')}\r\n`)
  const [answer] = await connection.all()
  if (answer === undefined) throw new Error('no answer')
  return answer
}

describe('a handshake', () => {
  it.each`
    line                 | changes                                           | status | why
    ${'POST /v1/ws'}     | ${{}}                                             | ${405} | ${'another method'}
    ${'GET /v1/ws'}      | ${{ 'Sec-WebSocket-Key': undefined }}             | ${400} | ${'no key'}
    ${'GET /v1/ws'}      | ${{ 'Sec-WebSocket-Key': 'short' }}               | ${400} | ${'a key that is none'}
    ${'GET /v1/ws'}      | ${{ 'Sec-WebSocket-Version': undefined }}         | ${426} | ${'no version'}
    ${'GET /v1/ws'}      | ${{ 'Sec-WebSocket-Version': '12' }}              | ${426} | ${'an old version'}
    ${'GET /v1/ws'}      | ${{ 'Sec-WebSocket-Protocol': ',,' }}             | ${400} | ${'a protocol that is none'}
    ${'GET /v1/ws'}      | ${{ Connection: 'Upgrade, close', Upgrade: 'x' }} | ${404} | ${'another protocol'}
    ${'GET /v1/other'}   | ${{ Connection: 'Upgrade, close' }}               | ${404} | ${'another path'}
    ${'GET /v1/orders'}  | ${{ Connection: 'Upgrade, close' }}               | ${401} | ${'the path of something else'}
    ${'GET //'}          | ${{ Connection: 'Upgrade, close' }}               | ${404} | ${'no path'}
    ${'GET http://[/ws'} | ${{ Connection: 'Upgrade, close' }}               | ${400} | ${'no URL'}
  `('is refused with $status for $why', async ({ line, changes, status }) => {
    const answer = await shake(line, changes)
    expect(answer.status).toBe(status)
    const { requestId } = errorSchema.parse(JSON.parse(answer.body))
    expect(answer.headers.get('x-request-id')).toBe(requestId)
  })

  it('names what it expects', async () => {
    expect((await shake('POST /v1/ws')).headers.get('allow')).toBe('GET')
    const { headers } = await shake('GET /v1/ws', { 'Sec-WebSocket-Version': '7' })
    expect([headers.get('upgrade'), headers.get('sec-websocket-version')]).toEqual(['websocket', '13'])
  })

  it.each`
    origin                          | host                | cors                   | status | why
    ${undefined}                    | ${'localhost'}      | ${undefined}           | ${101} | ${'no page'}
    ${'http://evil.example'}        | ${'127.0.0.1:8080'} | ${undefined}           | ${403} | ${'a page from elsewhere'}
    ${'https://evil.example'}       | ${'evil.example'}   | ${undefined}           | ${403} | ${'a page whose name leads to this machine'}
    ${'http://localhost.evil.test'} | ${'localhost'}      | ${undefined}           | ${403} | ${'a name that begins like one of this machine'}
    ${'http://localhost:3000'}      | ${'evil.example'}   | ${undefined}           | ${403} | ${'a page of this machine, under another name'}
    ${'null'}                       | ${'localhost'}      | ${undefined}           | ${403} | ${'a page without an origin'}
    ${'http://localhost:3000'}      | ${'localhost'}      | ${undefined}           | ${101} | ${'a page of this machine'}
    ${'https://[::1]'}              | ${'127.0.0.1:80'}   | ${undefined}           | ${101} | ${'the same by its address of six'}
    ${'https://a.example'}          | ${'localhost'}      | ${'https://a.example'} | ${101} | ${'the one that is allowed'}
    ${'https://b.example'}          | ${'localhost'}      | ${'https://a.example'} | ${403} | ${'another than the one that is allowed'}
    ${'null'}                       | ${'localhost'}      | ${'*'}                 | ${101} | ${'any, when any is allowed'}
  `('from a page is answered with $status for $why', async ({ origin, host, cors, status }) => {
    await served.server.close()
    served = await serveMarket({ cors: cors as string | undefined })
    const connection = await connectTo(served.port)
    const headers = Object.entries({
      ...HANDSHAKE,
      Host: String(host),
      ...(origin === undefined ? {} : { Origin: String(origin) }),
    })
    connection.write(`GET /v1/ws HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    const [answer] = await connection.answers(['GET'])
    expect(answer?.status).toBe(status)
    expect(answer?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    if (status === 403) expect(errorSchema.parse(JSON.parse(answer?.body ?? '')).error.code).toBe('FORBIDDEN')
    connection.destroy()
  })

  it('with two hosts is refused', async () => {
    expect((await shake('GET /v1/ws', { HOST: 'localhost' })).status).toBe(400)
  })

  it('behind requests that are not answered yet comes after their answers', async () => {
    const { key } = await served.user({ USD: '1000' })
    await served.fault({ fault: 'delay', route: 'GET /balances', count: 1, ms: 100 })
    const connection = await connectTo(served.port)
    const lines = Object.entries(HANDSHAKE).map(([name, value]) => `${name}: ${value}\r\n`)
    const before = `GET /v1/balances HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`
    connection.write(`${before}GET /v1/ws HTTP/1.1\r\n${lines.join('')}\r\n`)
    const answers = await connection.answers(['GET', 'GET'])
    expect(answers.map(({ status }) => status)).toEqual([200, 101])
    connection.destroy()
  })

  it('may have a query', async () => {
    const stream = await listenTo(`${served.server.streamUrl}?a=b`)
    expect(await stream.subscribe('trade:BTC_USD')).toMatchObject({ op: 'subscribed' })
  })

  it('whose connection is reset in the middle harms no one', async () => {
    for (let time = 0; time < 20; time += 1) {
      const connection = await connectTo(served.port)
      connection.write('GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      connection.socket.resetAndDestroy()
    }
    const stream = await listenTo(served.server.streamUrl)
    expect(await stream.subscribe('trade:BTC_USD')).toMatchObject({ op: 'subscribed' })
  })

  it('with bytes behind it that are no frame closes the connection', async () => {
    const connection = await connectTo(served.port)
    const lines = Object.entries(HANDSHAKE).map(([name, value]) => `${name}: ${value}\r\n`)
    connection.write(`GET /v1/ws HTTP/1.1\r\n${lines.join('')}\r\nthese are no frames`)
    const [answer] = await connection.all()
    expect(answer?.status).toBe(101)
  })
})

describe('a request that offers another protocol', () => {
  it('is answered as if it had not', async () => {
    const answer = await shake('GET /v1/markets', {
      Upgrade: 'h2c',
      Connection: 'Upgrade, HTTP2-Settings, close',
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    })
    expect([answer.status, answer.body.slice(0, 9)]).toEqual([200, '{"data":['])
    expect(answer.headers.get('x-request-id')).toMatch(/./)
  })

  it.each([
    ['at once', 0],
    ['one of which takes its time', 50],
  ])('is executed once and answered in its place among others, %s', async (_how, ms) => {
    const { key } = await served.user({ USD: '1000' })
    if (ms > 0) await served.fault({ fault: 'delay', route: 'POST /orders', count: 2, ms })
    const body = JSON.stringify(LIMIT_BUY)
    const post = (more = ''): string =>
      `POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n${more}` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'
    const connection = await connectTo(served.port)
    const get = `GET /v1/markets HTTP/1.1\r\nHost: x\r\n${offer}\r\n`
    connection.write(post() + post(offer) + get + post(offer) + post())
    const methods = ['POST', 'POST', 'GET', 'POST', 'POST']
    const answers = await connection.answers(methods)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 201, 201])
    const ids = answers
      .filter(({ status }) => status === 201)
      .map((each) => (JSON.parse(each.body) as { id: string }).id)
    expect(ids).toEqual(['1', '2', '3', '4'])
    connection.destroy()
  })

  it('keeps its body, its key and its connection', async () => {
    const { key } = await served.user({ USD: '1000' })
    const body = JSON.stringify(LIMIT_BUY)
    const connection = await connectTo(served.port)
    const head = [
      'POST /v1/orders HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const first = [
      ...head,
      `X-Api-Key: ${key}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AA',
    ]
    const second = [...head, `X-Api-Key: ${key}`, 'Connection: close']
    connection.write(`${first.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    connection.write(`${body.slice(10)}${second.join('\r\n')}\r\n\r\n${body}`)
    const answers = await connection.all()
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers.map((answer) => (JSON.parse(answer.body) as { id: string }).id)).toEqual(['1', '2'])
  })
})
