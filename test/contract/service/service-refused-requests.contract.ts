/**
 * Requests that reach no route, or are larger or of another kind than one takes: decision 26, and 404.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersIn, report, type HttpAnswer } from './http-answer.ts'
import type { Answer } from './service-answer.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
const ORDER_TEXT = JSON.stringify(ORDER)

export function describeRefusedRequests(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeAll(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '1000000' } })
  })
  afterAll(() => service.close())

  const outcome = ({ status, code }: Answer): [number, string | undefined] => [status, code]

  /** Bytes on a connection of their own: what was answered, checked. @param sent  of the request, to find its route */
  const onSocket = async (text: string | Uint8Array, ...sent: readonly string[]): Promise<Answer[]> => {
    const answers = answersIn(await report(new URL(service.addresses.baseUrl), text))
    return answers.map((answer: HttpAnswer, index) => {
      // Without a word of its route it is one that leads to none, and may be refused in any way.
      const [method = 'GET', path = answer.status < 400 ? '/v1/markets' : '/'] = sent[index]?.split(' ') ?? []
      return service.checked(method, path, answer)
    })
  }

  describe('section 4: a path that is no route is 404 with the envelope', () => {
    it.each([
      '=/v1',
      '=/v1/',
      '=/v2/markets',
      '=/markets',
      '=/V1/markets',
      '=/v1/Markets',
      '=/v1/markets/',
      '=//v1/markets',
      '=/v1//markets',
      '=/v1/markets/BTC_USD',
      '=/v1/markets/BTC_USD/',
      '=/v1/markets/BTC_USD/ticker/',
      '=/v1/markets/BTC_USD/depth',
      '=/v1/./markets',
      '=/v1/../v1/markets',
      '=/v1/%2e%2e/markets',
      '=/v1/markets;x=1',
      '=/v1/markets%3Fx=1',
      '=/v1/orders/1/fills',
      '=/v1/orders/open/',
      '=/favicon.ico',
      '=/emulator',
      '=/emulator/nothing',
    ])('%s', async (path) => {
      expect(outcome(await alice.get(path))).toEqual([404, 'VALIDATION_ERROR'])
      expect(outcome(await service.ask('POST', path, { body: ORDER }))).toEqual([404, 'VALIDATION_ERROR'])
    })

    it.each(['=/v1/orders/', '=/v1/markets//ticker'])('%s has an empty name in it', async (path) => {
      expect((await alice.get(path)).status).toBe(404)
    })

    it('its body is not read, however large or odd', async () => {
      expect((await service.ask('POST', '/nothing', { body: 'x'.repeat(100_000) })).status).toBe(404)
      const odd = { body: 'x', headers: { 'content-type': ';;;' } }
      expect((await service.ask('POST', '/nothing', odd)).status).toBe(404)
    })

    it.each([
      '=/v1/markets/%ZZ/ticker',
      '=/v1/markets/%/ticker',
      '=/v1/markets/%FF%FE/ticker',
      '=/%E0%A4%A',
      '=/v1/orders/%C0%AF',
    ])('%s cannot be decoded: 400', async (path) => {
      expect(outcome(await alice.get(path))).toEqual([400, 'VALIDATION_ERROR'])
    })

    it('a slash that is encoded is part of a name', async () => {
      expect(outcome(await alice.get('/markets/BTC%2FUSD/ticker'))).toEqual([404, 'MARKET_NOT_FOUND'])
    })

    it('a path in absolute form is the path', async () => {
      const { baseUrl } = service.addresses
      expect((await alice.get(`=${baseUrl}/markets`)).status).toBe(200)
      expect((await alice.ask('PUT', `=${baseUrl}/markets`)).status).toBe(405)
    })
  })

  const ALLOWED: readonly (readonly [path: string, others: readonly string[], allow: string])[] = [
    ['/markets', ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'], 'GET, HEAD, OPTIONS'],
    ['/markets/BTC_USD/ticker', ['POST'], 'GET, HEAD, OPTIONS'],
    ['/markets/XRP_USD/ticker', ['POST'], 'GET, HEAD, OPTIONS'],
    ['/orders', ['PUT', 'PATCH', 'DELETE'], 'POST, GET, HEAD, OPTIONS'],
    ['/orders/open', ['PUT'], 'GET, HEAD, DELETE, OPTIONS'],
    ['/orders/1', ['POST', 'PUT', 'PATCH'], 'GET, HEAD, DELETE, OPTIONS'],
    ['/balances', ['POST'], 'GET, HEAD, OPTIONS'],
    ['/openapi.json', ['POST'], 'GET, HEAD, OPTIONS'],
    ['/emulator/audit', ['POST'], 'GET, HEAD, OPTIONS'],
  ]

  describe('decision 26: 405 with the envelope and Allow', () => {
    it.each(ALLOWED)('%s with %s', async (path, methods, allow) => {
      for (const method of methods) {
        const { status, code, headers } = await alice.ask(method, path)
        expect([method, status, code, headers.allow]).toEqual([method, 405, 'VALIDATION_ERROR', allow])
      }
    })

    it('a body with it is not read', async () => {
      expect((await alice.ask('PUT', '/orders', { body: 'x'.repeat(100_000) })).status).toBe(405)
    })

    it('CONNECT is 405 on the bare connection', async () => {
      const [answer] = await onSocket('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n')
      expect([answer?.status, answer?.headers.connection]).toEqual([405, 'close'])
    })
  })

  describe('HEAD and OPTIONS (RFC 9110)', () => {
    it.each(ALLOWED)('OPTIONS of %s is 204, and says what it takes beside %s', async (path, _others, allow) => {
      const { status, text, headers } = await alice.ask('OPTIONS', path)
      expect([status, text, headers.allow]).toEqual([204, '', allow])
    })

    it('OPTIONS of no route is 404, and counts with a key as any request', async () => {
      expect(outcome(await service.ask('OPTIONS', '/nothing'))).toEqual([404, 'VALIDATION_ERROR'])
      const bob = await service.user({})
      await bob.ask('OPTIONS', '/orders')
      expect((await bob.ask('HEAD', '/orders')).headers.ratelimit).toMatch(/r=\d+/)
    })

    it.each(['/markets', '/markets/tickers', '/orders', '/balances', '/openapi.json'])(
      'HEAD of %s has the headers of its GET, and no body',
      async (path) => {
        const [head, got] = [await alice.ask('HEAD', path), await alice.get(path)]
        expect([head.status, head.text]).toEqual([200, ''])
        for (const name of ['content-type', 'content-length', 'ratelimit-policy']) {
          expect(head.headers[name]).toBe(got.headers[name])
        }
      },
    )

    it('HEAD is refused as its GET is', async () => {
      expect((await service.ask('HEAD', '/orders')).status).toBe(401)
      expect((await alice.ask('HEAD', '/orders/0')).status).toBe(404)
      expect((await alice.ask('HEAD', '/trades?limit=0')).status).toBe(400)
      expect((await alice.ask('HEAD', '/nothing')).status).toBe(404)
    })
  })

  describe('decision 26: 413, 414, 415, 431', () => {
    it('413: a body of more than 16 KiB, reported by its length or in pieces; 16 KiB are read', async () => {
      const body = (bytes: number): string => ORDER_TEXT.padEnd(bytes, ' ')
      expect(outcome(await alice.post(body(16 * 1024)))).toEqual([201, undefined])
      expect(outcome(await alice.post(body(16 * 1024 + 1)))).toEqual([413, 'VALIDATION_ERROR'])
      expect(outcome(await alice.post(body(1_000_000)))).toEqual([413, 'VALIDATION_ERROR'])
      const chunked = { 'transfer-encoding': 'chunked' }
      const inPieces = (bytes: number): Promise<Answer> =>
        alice.ask('POST', '/orders', { body: body(bytes), headers: chunked })
      expect(outcome(await inPieces(16 * 1024))).toEqual([201, undefined])
      expect(outcome(await inPieces(16 * 1024 + 1))).toEqual([413, 'VALIDATION_ERROR'])
    })

    it('414: a path of more than 8 KiB', async () => {
      const [fits, doesNot] = [8, 9].map((size) => `/markets/${'X'.repeat(size * 1024 - 100)}/ticker`)
      expect(outcome(await alice.get(fits ?? ''))).toEqual([404, 'MARKET_NOT_FOUND'])
      expect(outcome(await alice.get(doesNot ?? ''))).toEqual([414, 'VALIDATION_ERROR'])
      expect(outcome(await alice.get(`/markets?x=${'x'.repeat(12_000)}`))).toEqual([414, 'VALIDATION_ERROR'])
    })

    it('414 on the bare connection: a path of more than all headers may have', async () => {
      const [answer] = await onSocket(`GET /v1/${'x'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect([answer?.status, answer?.code]).toEqual([414, 'VALIDATION_ERROR'])
    })

    it('431: more than 16 KiB of headers', async () => {
      const { status, code } = await alice.ask('GET', '/markets', { headers: { 'x-much': 'x'.repeat(17_000) } })
      expect([status, code]).toEqual([431, 'VALIDATION_ERROR'])
      const many = Array.from({ length: 3_000 }, (_, index) => `a${index}: 1\r\n`).join('')
      const [answer] = await onSocket(`GET /v1/markets HTTP/1.1\r\nhost: x\r\n${many}\r\n`)
      expect(answer?.status).toBe(431)
    })

    it('a key behind two thousand headers is read', async () => {
      const many = 'a:\r\n'.repeat(2_500)
      const [answer] = await onSocket(
        `GET /v1/balances HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${many}x-api-key: ${alice.key}\r\n\r\n`,
        'GET /v1/balances',
      )
      expect(answer?.status).toBe(200)
    })

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json-patch+json',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'application/json, text/plain',
      'json',
      ';',
      '',
    ])('415: a body of content-type %j', async (type) => {
      const answer = await alice.ask('POST', '/orders', { body: ORDER_TEXT, headers: { 'content-type': type } })
      expect(outcome(answer)).toEqual([415, 'VALIDATION_ERROR'])
    })

    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset=utf8',
      'Application/JSON ; Charset="utf-8"',
    ])('a body of content-type %s is read', async (type) => {
      const answer = await alice.ask('POST', '/orders', { body: ORDER_TEXT, headers: { 'content-type': type } })
      expect(answer.status).toBe(201)
    })

    it('415: a body without a content-type; no body at all is no JSON', async () => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${alice.key}\r\n`
      const [untyped] = await onSocket(`${head}content-length: ${ORDER_TEXT.length}\r\n\r\n${ORDER_TEXT}`)
      expect([untyped?.status, untyped?.code]).toEqual([415, 'VALIDATION_ERROR'])
      const [empty] = await onSocket(`${head}content-length: 0\r\n\r\n`)
      expect([empty?.status, empty?.code]).toEqual([400, 'MALFORMED_JSON'])
      const [nothing] = await onSocket(`${head}\r\n`)
      expect([nothing?.status, nothing?.code]).toEqual([400, 'MALFORMED_JSON'])
    })

    it('415: a body that is compressed; identity is none', async () => {
      const packed = { body: gzipSync(ORDER_TEXT), headers: { 'content-encoding': 'gzip' } }
      expect(outcome(await alice.ask('POST', '/orders', packed))).toEqual([415, 'VALIDATION_ERROR'])
      const plain = { body: ORDER_TEXT, headers: { 'content-encoding': 'identity' } }
      expect((await alice.ask('POST', '/orders', plain)).status).toBe(201)
    })
  })
}
