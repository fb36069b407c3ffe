import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS, type WireLimits } from '../../../src/server/http/http-server.ts'
import { errorSchema } from '../../../src/wire/schemas.ts'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket } from '../rig/served-market.ts'
import { listenTo } from '../rig/stream-listener.ts'

let served: ServedMarket
let connections: RawConnection[]
beforeEach(() => {
  connections = []
})
afterEach(async () => {
  for (const connection of connections) connection.destroy()
  await served.server.close()
})

async function start(limits: Partial<WireLimits> = {}): Promise<void> {
  served = await serveMarket({ wire: { http: { checkMs: 20, ...limits } } })
}

async function connect(): Promise<RawConnection> {
  const connection = await connectTo(served.port)
  connections.push(connection)
  return connection
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends the bytes one by one for ever. */
function dribble(connection: RawConnection, bytes: string, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    connection.write(bytes[at % bytes.length] ?? '')
    at += 1
  }, everyMs)
  void connection.ended.then(() => {
    clearInterval(timer)
  })
}

/** What a refused connection was reported. */
async function refusal(connection: RawConnection): Promise<number | undefined> {
  const [answer] = await connection.all()
  if (answer === undefined) return undefined
  expect(errorSchema.parse(JSON.parse(answer.body)).requestId).toBe(answer.headers.get('x-request-id'))
  return answer.status
}

it('gives a client so much, and so long', async () => {
  await start()
  expect(LIMITS).toMatchObject({ headersMs: 10_000, requestMs: 30_000, keepAliveMs: 10_000, body: 16 * 1024 })
})

describe('a connection is ended', () => {
  it('that sends nothing at all', async () => {
    await start({ headersMs: 150, requestMs: 5_000 })
    expect(await refusal(await connect())).toBe(408)
  })

  it('whose headers do not come to an end', async () => {
    await start({ headersMs: 150, requestMs: 5_000 })
    const connection = await connect()
    connection.write('GET /v1/markets HTTP/1.1\r\n')
    dribble(connection, 'X: y\r\n', 10)
    expect(await refusal(connection)).toBe(408)
  })

  it('whose body does not come to an end', async () => {
    await start({ headersMs: 100, requestMs: 250 })
    const connection = await connect()
    connection.write('POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: x\r\nContent-Length: 10000\r\n\r\n')
    dribble(connection, ' ', 10)
    // The key is looked at before the body: the answer is there at once, and the connection is not kept for the rest.
    expect(await refusal(connection)).toBe(401)
  })

  it('whose body does not come to an end, with a key that works', async () => {
    // Long enough for the user to be made on a busy machine.
    await start({ headersMs: 100, requestMs: 1_500 })
    const { key } = await served.user({ USD: '1000' })
    const connection = await connect()
    connection.write(`POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Length: 10000\r\n\r\n`)
    dribble(connection, ' ', 10)
    expect(await refusal(connection)).toBe(408)
  })

  it('whose chunks do not come to an end', async () => {
    // Long enough for the user to be made on a busy machine.
    await start({ headersMs: 100, requestMs: 1_500 })
    const { key } = await served.user()
    const connection = await connect()
    connection.write(`POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    dribble(connection, '1\r\n \r\n', 10)
    expect(await refusal(connection)).toBe(408)
  })

  it('that is kept and not used', async () => {
    await start({ keepAliveMs: 100 })
    const connection = await connect()
    connection.write('GET /v1/markets HTTP/1.1\r\nHost: x\r\n\r\n')
    const answers = await connection.all()
    expect(answers.map(({ status }) => status)).toEqual([200])
  })

  it('that does not read its answers', async () => {
    await start({ silentMs: 200 })
    const connection = await connect()
    connection.socket.pause()
    const many = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)
    const timer = setInterval(() => {
      connection.write(many)
    }, 5)
    // What is written to a connection that was ended comes back as a reset.
    await new Promise((resolve) => connection.socket.once('error', resolve))
    clearInterval(timer)
  })
})

describe('a polite client is answered', () => {
  const polite = async (): Promise<void> => {
    expect((await served.call('GET', '/v1/markets')).status).toBe(200)
  }

  it('while 200 connections dribble headers and bodies, and when they are ended', async () => {
    await start({ headersMs: 400, requestMs: 800 })
    const { key } = await served.user({ USD: '1000000' })
    const slow = await Promise.all(Array.from({ length: 200 }, connect))
    for (const [index, connection] of slow.entries()) {
      const isBody = index % 2 === 0
      connection.write(`POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n`)
      if (isBody) connection.write('Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n')
      dribble(connection, isBody ? ' ' : 'X: y\r\n', 25)
    }
    const ended = Promise.all(slow.map(({ ended: each }) => each))
    const over = new AbortController()
    void ended.then(() => {
      over.abort()
    })
    let orders = 0
    while (!over.signal.aborted) {
      await polite()
      expect((await served.call('POST', '/v1/orders', { key, body: LIMIT_BUY })).status).toBe(201)
      orders += 1
      await wait(10)
    }
    expect(orders).toBeGreaterThan(10)
    expect(slow.map((connection) => connection.parsed([])[0]?.status)).toEqual(slow.map(() => 408))
  })

  it('in a flood of requests, each of which is answered too', async () => {
    await start()
    const { key } = await served.user({ USD: '1000000' })
    const flood = await Promise.all(Array.from({ length: 20 }, connect))
    const body = JSON.stringify({ ...LIMIT_BUY, qty: '0.001' })
    const request = `POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    for (const connection of flood) connection.write(request.repeat(100))
    for (let time = 0; time < 10; time += 1) await polite()
    const methods = Array.from({ length: 100 }, () => 'POST')
    for (const connection of flood) {
      const answers = await connection.answers(methods)
      expect(answers.map(({ status }) => status)).toEqual(methods.map(() => 201))
    }
  })

  it('while others come and go in the middle of everything', async () => {
    await start()
    const pieces = [
      '',
      'G',
      'GET /v1/markets HTTP/1.1\r\n',
      'GET /v1/markets HTTP/1.1\r\nHost: x\r\n\r\n',
      'x'.repeat(5_000),
    ]
    for (let round = 0; round < 40; round += 1) {
      const some = await Promise.all(pieces.map(connect))
      for (const [index, connection] of some.entries()) connection.write(pieces[index] ?? '')
      if (round % 2 === 0) await wait(2)
      for (const connection of some) connection.socket.resetAndDestroy()
    }
    await polite()
    const stream = await listenTo(served.server.streamUrl)
    expect(await stream.subscribe('trade:BTC_USD')).toMatchObject({ op: 'subscribed' })
    expect(served.errors).toEqual([])
  })
})

describe('internal error', () => {
  it('says nothing of itself in the answer, and nothing of the key to anyone who hears of it', async () => {
    const heard: unknown[] = []
    served = await serveMarket({ onError: (...reported) => void heard.push(reported) })
    const { key } = await served.user({ USD: '1000' })
    // What is asked for next fails inside.
    served.server.service.market = () => {
      throw new Error('the secret of the inside')
    }
    const { status, body, text } = await served.call('POST', '/v1/orders', { key, body: LIMIT_BUY })
    expect([status, errorSchema.parse(body).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(text).not.toMatch(/secret/)
    expect(heard).toHaveLength(1)
    const reported = inspect(heard, { depth: 20, showHidden: true })
    expect(reported).toMatch(/the secret of the inside/)
    expect(reported).toContain(errorSchema.parse(body).requestId)
    expect(reported).not.toContain(key)
    expect(reported).not.toContain(key.slice(-20))
  })
})
