/**
 * HTTP as it comes: section 1 (Request IDs), section 7 (envelope), section 9, and what no one sends by accident.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderJson } from '../../../src/domain/order.ts'
import { answersIn, report, type HttpAnswer } from './http-answer.ts'
import type { Answer } from './service-answer.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
const ORDER_TEXT = JSON.stringify(ORDER)

export function describeWire(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeAll(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '1000000' } })
  })
  afterAll(() => service.close())

  /** Bytes on a connection of their own: what was answered, checked. @param sent  of the request, to find its route */
  const onSocket = async (text: string | Uint8Array, ...sent: readonly string[]): Promise<Answer[]> => {
    const answers = answersIn(await report(new URL(service.addresses.baseUrl), text))
    return answers.map((answer: HttpAnswer, index) => {
      const [method = 'GET', path = '/v1/markets'] = sent[index]?.split(' ') ?? []
      return service.checked(method, path, answer)
    })
  }

  describe('section 4: queries are read strictly (decision 28)', () => {
    it.each([
      '/markets',
      '/markets/tickers',
      '/markets/BTC_USD/ticker',
      '/markets/BTC_USD/trades',
      '/markets/BTC_USD/candles',
      '/orders',
      '/orders/open',
      '/balances',
      '/portfolio',
      '/trades',
    ])('%s with an unknown parameter is 400 and names it', async (path) => {
      for (const name of ['x', 'Limit', 'toString']) {
        const { status, code, fields } = await alice.get(`${path}?${name}=1`)
        expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [name]])
      }
    })

    it.each([
      ['/trades?limit=1&limit=2', 'limit'],
      ['/trades?limit=1&limit=1', 'limit'],
      ['/trades?limit[]=1', 'limit[]'],
      ['/trades?limit%5B%5D=1', 'limit[]'],
      ['/orders?status=OPEN&status=OPEN', 'status'],
      ['/trades?limit', 'limit'],
      ['/trades?__proto__=1', '__proto__'],
      ['/trades?=1', ''],
    ])('%s is 400 and names %s', async (path, field) => {
      const { status, code, fields } = await alice.get(path)
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [field]])
    })

    it('an empty query is none, and a name or value may be encoded', async () => {
      expect((await alice.get('/trades?')).status).toBe(200)
      expect((await alice.get('/trades?%6Cimit=%31')).status).toBe(200)
      expect((await alice.get('/orders?symbol=BTC%5FUSD')).status).toBe(200)
    })
  })

  describe('bodies where none is asked for', () => {
    it('that of a GET or DELETE is ignored', async () => {
      const { id } = await alice.limit('BUY', 'BTC_USD', '1', '1')
      expect((await alice.ask('GET', `/orders/${id}`, { body: { a: 1 } })).status).toBe(200)
      expect((await alice.ask('DELETE', `/orders/${id}`, { body: 'no JSON' })).json).toMatchObject({
        status: 'CANCELLED',
      })
    })

    it('a content-type alone harms nothing', async () => {
      const { id } = await alice.limit('BUY', 'BTC_USD', '1', '1')
      const headers = { 'content-type': 'application/json' }
      expect((await alice.ask('GET', '/orders', { headers })).status).toBe(200)
      expect((await alice.ask('DELETE', `/orders/${id}`, { headers })).status).toBe(200)
    })
  })

  describe('section 1: X-Request-Id is requestId, and of the server', () => {
    it('one that the client sends is not taken', async () => {
      const id = '00000000-0000-4000-8000-000000000000'
      for (const name of ['x-request-id', 'request-id']) {
        expect((await alice.ask('GET', '/balances', { headers: { [name]: id } })).headers['x-request-id']).not.toBe(id)
      }
    })

    it.each([
      ['no HTTP', 'hello\r\n\r\n', 400],
      ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 400],
      ['another protocol', 'GET /v1/markets SPDY/3\r\n\r\n', 400],
      ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['an unknown method', 'BUY /v1/orders HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      ['a blank in the path', 'GET /v1/ markets HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      ['a zero byte in a header', 'GET /v1/markets HTTP/1.1\r\nhost: x\r\nx: \u0000\r\n\r\n', 400],
      ['a header without a colon', 'GET /v1/markets HTTP/1.1\r\nhost: x\r\nx\r\n\r\n', 400],
      ['two lengths', 'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
      ['a negative length', 'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\nx', 400],
      [
        'a length and chunks',
        'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      ['no host in HTTP/1.1', 'GET /v1/markets HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
      ['two hosts', 'GET /v1/markets HTTP/1.1\r\nhost: x\r\nHost: x\r\nconnection: close\r\n\r\n', 400],
      ['an expectation', 'GET /v1/markets HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\n\r\n', 417],
    ])('%s: the envelope on the bare connection', async (_what, bytes, status) => {
      const [answer, ...others] = await onSocket(bytes)
      expect([answer?.status, answer?.code, others]).toEqual([status, 'VALIDATION_ERROR', []])
    })

    it('chunks that are none, behind a good head', async () => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${alice.key}\r\n`
      const [answer] = await onSocket(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`)
      expect(answer?.status).toBe(400)
    })
  })

  describe('HTTP', () => {
    const get = (path: string, more = ''): string => `GET /v1${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
    const key = (): string => `x-api-key: ${alice.key}\r\n`

    it('requests in a pipeline are answered in their order', async () => {
      const paths = ['/markets', '/nothing', '/balances', '/orders', '/markets/tickers']
      const text = paths.map((path, index) => get(path, key() + (index === 4 ? 'connection: close\r\n' : ''))).join('')
      const answers = await onSocket(text, ...paths.map((path) => `GET /v1${path}`))
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 200])
    })

    it('what follows a request and is none is reported after its answer, and in its place', async () => {
      const before = (await alice.get('/orders?limit=500')).json as OrderJson[]
      await service.ask('POST', '/emulator/faults', {
        body: { fault: 'delay', route: 'POST /orders', count: 1, ms: 50 },
      })
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${key()}`
      const answers = await onSocket(
        `${head}content-length: ${ORDER_TEXT.length}\r\n\r\n${ORDER_TEXT}garbage\r\n\r\n`,
        'POST /v1/orders',
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 400])
      expect((await alice.get('/orders?limit=500')).json).toHaveLength(before.length + 1)
    })

    it('HTTP/1.0, with and without a host', async () => {
      for (const host of ['', 'host: x\r\n']) {
        const [answer] = await onSocket(`GET /v1/markets HTTP/1.0\r\n${host}\r\n`)
        expect([answer?.status, answer?.headers.connection]).toEqual([200, 'close'])
      }
    })

    it('Expect: 100-continue is answered before the body comes', async () => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${key()}`
      const text = await report(
        new URL(service.addresses.baseUrl),
        `${head}expect: 100-continue\r\ncontent-length: ${ORDER_TEXT.length}\r\n\r\n`,
        ORDER_TEXT,
      )
      expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    })

    it('a body in chunks, of one byte each', async () => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${key()}`
      const chunks = [...ORDER_TEXT].map((char) => `1\r\n${char}\r\n`).join('')
      const [answer] = await onSocket(`${head}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`, 'POST /v1/orders')
      expect(answer?.status).toBe(201)
    })

    it('headers in several lines, blank lines before a request, names in any case', async () => {
      const [answer] = await onSocket(`\r\n\r\nGET /v1/markets HTTP/1.1\r\nHOST: x\r\nCONNECTION: close\r\n\r\n`)
      expect(answer?.status).toBe(200)
    })
  })

  describe('section 9: the version is in the path', () => {
    it('base_url ends in /v1, the description says 1.0.0', async () => {
      expect(service.addresses.baseUrl).toMatch(/\/v1$/)
      const { json } = await service.ask('GET', '/openapi.json')
      expect(json).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/v1' }] })
    })
  })
}
