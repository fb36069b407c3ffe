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

/** Sends a request with the headers of a handshake, those in `changes` changed, and reads until the connection is closed. */
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
    ${'GET /'}           | ${{ Connection: 'Upgrade, close' }}               | ${404} | ${'the root'}
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

  it('may have a query', async () => {
    const stream = await listenTo(`${served.server.streamUrl}?a=b`)
    expect(await stream.subscribe('trade:BTC_USD')).toMatchObject({ op: 'subscribed' })
  })

  it('whose connection is reset in the middle harms nobody', async () => {
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
