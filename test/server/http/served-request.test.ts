/**
 * A request on its way through the server: how its target is read, and when faults, listeners and errors meet it.
 */
import { afterEach, describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/server/http/answered-request.ts'
import { connectTo } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket, type ServedUser } from '../rig/served-market.ts'

const ORDER = JSON.stringify(LIMIT_BUY)

const opened: ServedMarket[] = []
afterEach(async () => {
  for (const served of opened.splice(0)) {
    await served.server.close()
    expect(served.errors).toEqual([])
  }
})

async function serve(options: Parameters<typeof serveMarket>[0] = {}): Promise<[ServedMarket, ServedUser]> {
  const served = await serveMarket(options)
  opened.push(served)
  return [served, await served.user({ USD: '1000', BTC: '1' })]
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** In place of the user's. */
  readonly key?: string
  readonly headers?: string
}

const textOf = ({ method, path, body, key, headers = '' }: Asked, user: ServedUser): string => {
  const type =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const ofKey = key === '' ? '' : `x-api-key: ${key ?? user.key}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${ofKey}${type}${headers}\r\n${body ?? ''}`
}

const order = (more: object): string => JSON.stringify({ ...LIMIT_BUY, ...more })
const post = (body: string, more: Partial<Asked> = {}): Asked => ({ method: 'POST', path: '/v1/orders', body, ...more })
const get = (path: string, more: Partial<Asked> = {}): Asked => ({ method: 'GET', path, ...more })

const ASKED: readonly Asked[] = [
  post(ORDER),
  post(order({ side: 'SELL', qty: '0.5', price: '90.00' })),
  post(order({ type: 'MARKET', price: undefined, qty: '0.0001' })),
  post(order({ qty: '100' })),
  post(order({ qty: '0' })),
  post(order({ qty: '0.00001' })),
  post(order({ price: 1 })),
  post(order({ symbol: 'DOGE_USD' })),
  post(order({ symbol: 'ü"\\' })),
  post('{"symbol":"BTC_USD","symbol":"ETH_USD","side":"BUY","type":"LIMIT","price":"1.00","qty":"1"}'),
  post('{'),
  post('[]'),
  post(ORDER, { key: '' }),
  post(ORDER, { key: 'pt_nobody00_x' }),
  post(ORDER, { headers: 'connection: close\r\n' }),
  get('/v1/orders'),
  get('/v1/orders/open'),
  get('/v1/markets'),
  get('/v1/markets', { key: '' }),
  get('/v1/openapi.json', { key: '' }),
]

/** Every answer, as it came over the wire. @param ending  of the path */
async function answersTo(ending: string, limits: { general: number; mutations: number }): Promise<readonly string[]> {
  const [served, user] = await serve({ limits: { ...limits, windowSeconds: 60 } })
  const received: string[] = []
  for (const asked of ASKED) {
    const connection = await connectTo(served.port)
    connection.write(textOf({ ...asked, path: asked.path + ending }, user))
    await connection.answers([asked.method])
    received.push(connection.take())
    connection.destroy()
  }
  return received
}

describe('a request with an empty query is answered to the byte as the same one without', () => {
  it.each`
    limits                              | why
    ${{ general: 600, mutations: 600 }} | ${'whatever it asks'}
    ${{ general: 600, mutations: 3 }}   | ${'with too many orders in the window'}
    ${{ general: 4, mutations: 3 }}     | ${'with too many requests in the window'}
  `('$why', async ({ limits }: { limits: { general: number; mutations: number } }) => {
    const [plain, other] = [await answersTo('', limits), await answersTo('?', limits)]
    expect(plain).toEqual(other)
    for (const text of plain) expect(text).toMatch(/^HTTP\/1\.1 [2-5]\d\d /)
  })
})

describe('a request', () => {
  it('meets a fault that was planned while its body was on the way, and counts once', async () => {
    const [served, user] = await serve()
    const connection = await connectTo(served.port)
    const text = textOf(post(ORDER), user)
    connection.write(text.slice(0, -1))
    const { general } = served.server.service.budgetOf(user.key.slice(3, 11))
    await expect.poll(() => general.limit - general.remaining(served.clock.now())).toBe(1)
    await served.fault({ fault: 'engine-unavailable', route: 'POST /orders', count: 1 })
    connection.write(text.slice(-1) + text)
    const [struck, next] = await connection.answers(['POST', 'POST'])
    connection.destroy()
    expect(struck?.status).toBe(503)
    expect(JSON.parse(struck?.body ?? '')).toMatchObject({ error: { code: 'ENGINE_UNAVAILABLE' } })
    expect(next?.status).toBe(201)
    expect(general.limit - general.remaining(served.clock.now())).toBe(2)
  })

  it('executes as usual when the planned fault is for another route', async () => {
    const [served, user] = await serve()
    const connection = await connectTo(served.port)
    const text = textOf(post(ORDER), user)
    connection.write(text.slice(0, -20))
    const { general } = served.server.service.budgetOf(user.key.slice(3, 11))
    await expect.poll(() => general.limit - general.remaining(served.clock.now())).toBe(1)
    await served.fault({ fault: 'delay', route: 'GET /orders', count: 1, ms: 1 })
    connection.write(text.slice(-20))
    const [answer] = await connection.answers(['POST'])
    connection.destroy()
    expect(answer?.status).toBe(201)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject(LIMIT_BUY_SHOWN)
  })

  it('is reported to onAnswer with the id of its response', async () => {
    const heard: AnsweredRequest[] = []
    const [served, user] = await serve({ onAnswer: (answer) => void heard.push(answer) })
    const { headers } = await served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
    const id = headers.get('x-request-id')
    await expect.poll(() => heard.find((answer) => answer.id === id)).toBeDefined()
    expect(heard.find((answer) => answer.id === id)).toMatchObject({ method: 'POST', route: '/v1/orders', status: 201 })
    const metrics = await (await fetch(`${served.origin}/metrics`)).text()
    expect(metrics).toMatch(/route="\/v1\/orders".*} 1\n/)
  })

  it('that fails inside is answered without any detail of the error', async () => {
    const reported: unknown[] = []
    const [served, user] = await serve({ onError: (error) => void reported.push(error) })
    const { service } = served.server
    service.execute = () => {
      throw new TypeError('secret')
    }
    const answer = await served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('secret')
    expect(answer.body).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(reported).toEqual([new TypeError('secret')])
  })
})

describe('the target of a request', () => {
  it.each`
    method       | target                            | status | allow
    ${'GET'}     | ${'/v1/m%61rkets'}                | ${200} | ${undefined}
    ${'HEAD'}    | ${'/v1/markets#'}                 | ${200} | ${undefined}
    ${'POST'}    | ${'/v1/m%61rkets'}                | ${405} | ${'GET, HEAD, OPTIONS'}
    ${'OPTIONS'} | ${'/v1/orders'}                   | ${204} | ${'POST, GET, HEAD, OPTIONS'}
    ${'DELETE'}  | ${'/v1/orders/open'}              | ${404} | ${undefined}
    ${'PUT'}     | ${'/v1/orders/open'}              | ${405} | ${'GET, HEAD, DELETE, OPTIONS'}
    ${'GET'}     | ${'/v1/markets/BTC%5FUSD/ticker'} | ${200} | ${undefined}
    ${'GET'}     | ${'/v1/markets%2FBTC_USD/ticker'} | ${404} | ${undefined}
    ${'GET'}     | ${'/v1/markets//ticker'}          | ${404} | ${undefined}
    ${'GET'}     | ${'/v1/orders/'}                  | ${404} | ${undefined}
    ${'GET'}     | ${'/v1/%zz'}                      | ${400} | ${undefined}
    ${'GET'}     | ${'http://localhost/v1/markets?'} | ${200} | ${undefined}
    ${'GET'}     | ${'http://localhost'}             | ${200} | ${undefined}
    ${'GET'}     | ${'http:///v1/markets'}           | ${400} | ${undefined}
    ${'GET'}     | ${'ftp://localhost/v1/markets'}   | ${404} | ${undefined}
    ${'GET'}     | ${'*'}                            | ${404} | ${undefined}
    ${'GET'}     | ${'/v1/orders?l%69mit=%31'}       | ${200} | ${undefined}
    ${'GET'}     | ${'/v1/orders?limit=1&limit=2'}   | ${400} | ${undefined}
    ${'GET'}     | ${'/v1/orders?limit=%zz'}         | ${400} | ${undefined}
    ${'GET'}     | ${'/v1/orders?__proto__=1'}       | ${400} | ${undefined}
  `(
    '$method $target is answered with $status',
    async ({ method, target, status, allow }: { method: string; target: string; status: number; allow?: string }) => {
      const [served, user] = await serve()
      const connection = await connectTo(served.port)
      connection.write(textOf({ method, path: target }, user))
      const [answer] = await connection.answers([method])
      connection.destroy()
      expect([answer?.status, answer?.headers.get('allow')]).toEqual([status, allow])
    },
  )
})

const LIMIT_BUY_SHOWN = { ...LIMIT_BUY, qty: '1.0000', status: 'OPEN' }
