/**
 * Many requests at once on one connection: all are answered, and others come in between.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket } from '../rig/served-market.ts'

let served: ServedMarket
let connections: RawConnection[] = []
afterEach(async () => {
  for (const connection of connections) connection.destroy()
  connections = []
  await served.server.close()
  expect(served.errors).toEqual([])
})

async function connect(): Promise<RawConnection> {
  const connection = await connectTo(served.port)
  connections.push(connection)
  return connection
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

function post(key: string, more = ''): string {
  const body = JSON.stringify({ ...LIMIT_BUY, qty: '0.001' })
  const head = `POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n${more}`
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

describe('half a megabyte of requests from one socket', () => {
  it.each(['/x', '/v1/markets', '/v1/balances'])('%s: somebody else is answered in between', async (path) => {
    let answered = 0
    let between: number | undefined
    let before = 0
    served = await serveMarket({
      onAnswer: ({ route }) => {
        if (route === '/v1/markets/tickers') {
          between = answered - before
          return
        }
        answered += 1
        if (answered !== 500) return
        before = answered
        connections[0]?.write(get('/v1/markets/tickers'))
      },
    })
    const polite = await connect()
    const hostile = await connect()
    const count = Math.floor(500_000 / get(path).length)
    hostile.write(get(path).repeat(count))
    await polite.answers(['GET'])
    expect(between).toBeLessThan(400)
  })

  it('each of which is done once and answered in its place, though orders are among them', async () => {
    served = await serveMarket()
    const { key } = await served.user({ USD: '1000000' })
    const connection = await connect()
    connection.write((post(key) + get('/v1/markets')).repeat(300))
    const methods = Array.from({ length: 600 }, (_, index) => (index % 2 === 0 ? 'POST' : 'GET'))
    const answers = await connection.answers(methods)
    expect(answers.map(({ status }) => status)).toEqual(methods.map((method) => (method === 'POST' ? 201 : 200)))
    const ids = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => (JSON.parse(body) as { id: string }).id)
    expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => String(index + 1)))
  })

  it('whose key is revoked among them, which the rest of them feels', async () => {
    let orders = 0
    served = await serveMarket({
      onAnswer: ({ route, status }) => {
        if (route !== '/v1/orders' || status !== 201) return
        orders += 1
        if (orders === 100) served.server.service.users.revokeKey(key.slice(3, 11))
      },
    })
    const { key } = await served.user({ USD: '1000000' })
    const connection = await connect()
    connection.write(post(key).repeat(1_000))
    const answers = await connection.answers(
      Array.from({ length: 1_000 }, () => 'POST'),
      20_000,
    )
    const done = answers.findIndex(({ status }) => status === 401)
    expect(done).toBeGreaterThanOrEqual(100)
    expect(done).toBeLessThan(400)
    expect(new Set(answers.slice(done).map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('of which one is delayed: the others wait for its answer, and not for it to be done', async () => {
    served = await serveMarket()
    const { key } = await served.user({ USD: '1000000' })
    await served.fault({ fault: 'delay', route: 'POST /orders', count: 1, ms: 100 })
    const connection = await connect()
    connection.write(post(key).repeat(200))
    const methods = Array.from({ length: 200 }, () => 'POST')
    const answers = await connection.answers(methods)
    const ids = answers.map(({ body }) => Number((JSON.parse(body) as { id: string }).id))
    const [delayed = 0, ...others] = ids
    expect(delayed).toBeGreaterThan(1)
    expect(others).toEqual(Array.from({ length: 200 }, (_, index) => index + 1).filter((id) => id !== delayed))
  })

  it('that is cut in the middle of all harms no one', async () => {
    served = await serveMarket()
    for (let time = 0; time < 10; time += 1) {
      const connection = await connect()
      connection.write(get('/v1/markets').repeat(3_000))
      await new Promise((resolve) => setImmediate(resolve))
      connection.socket.resetAndDestroy()
    }
    expect((await served.call('GET', '/v1/markets')).status).toBe(200)
  })
})
