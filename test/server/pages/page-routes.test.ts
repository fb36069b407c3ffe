import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'

const KEY = `pt_00000abc_${'k'.repeat(43)}`
const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL'] as const
const CONFIG = {
  agents: false,
  limits: { general: 10, mutations: 2 },
  users: [{ email: 'a@example.com', credits: { USD: '1000' }, keys: [{ scopes: SCOPES, key: KEY }] }],
}

let emulator: Emulator

beforeEach(async () => {
  emulator = await startEmulator({ port: 0, virtualClock: true, config: CONFIG })
})
afterEach(() => emulator.close())

const rootOf = (path: string): string => new URL(path, emulator.baseUrl).href

async function metrics(): Promise<string[]> {
  const response = await fetch(rootOf('/metrics'))
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return (await response.text()).split('\n')
}

const order = async (body: object): Promise<number> => {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  const sent = JSON.stringify({ symbol: 'BTC_USD', side: 'BUY', ...body })
  return (await fetch(`${emulator.baseUrl}/orders`, { method: 'POST', headers, body: sent })).status
}

describe('GET /health', () => {
  it('reports that requests are served, and counts for no key', async () => {
    const response = await fetch(rootOf('/health'), { headers: { 'x-api-key': KEY } })
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', now: Date.UTC(2024, 0, 1) }])
    expect(response.headers.get('ratelimit')).toBeNull()
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  it('is struck by no fault', async () => {
    const fault = JSON.stringify({ fault: 'service-unavailable', route: '*', count: 1 })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${emulator.emulatorUrl}/faults`, { method: 'POST', headers, body: fault })
    expect((await fetch(rootOf('/health'))).status).toBe(200)
    expect((await fetch(`${emulator.baseUrl}/markets`)).status).toBe(503)
  })
})

describe('GET /metrics', () => {
  it('counts orders, refusals of a budget, answers and times by route, and open streams', async () => {
    const stream = new WebSocket(emulator.streamUrl)
    await new Promise((resolve) => stream.once('open', resolve))
    const subscribed = new Promise((resolve) => stream.once('message', resolve))
    stream.send('{"op":"subscribe","streams":["trade:BTC_USD","ticker:BTC_USD"]}')
    await subscribed
    expect(await order({ type: 'LIMIT', price: '10.00', qty: '1' })).toBe(201)
    expect(await order({ type: 'MARKET', qty: '1' })).toBe(422)
    expect(await order({ type: 'MARKET', qty: '1' })).toBe(429)
    const lines = await metrics()
    stream.terminate()
    const heap = lines.find((line) => line.startsWith('nodejs_heap_size_used_bytes '))
    expect(Number(heap?.split(' ')[1])).toBeGreaterThan(1_000_000)
    expect(lines).toEqual(
      expect.arrayContaining([
        'papertape_orders_total{result="accepted"} 1',
        'papertape_orders_total{result="NO_LIQUIDITY"} 1',
        'papertape_budget_refusals_total{bucket="general"} 0',
        'papertape_budget_refusals_total{bucket="mutations"} 1',
        'papertape_streams 1',
        'papertape_stream_subscriptions 2',
        'papertape_requests_total{method="POST",route="/v1/orders",status="201"} 1',
        'papertape_requests_total{method="POST",route="/v1/orders",status="429"} 1',
        'papertape_request_seconds_bucket{method="POST",route="/v1/orders",le="+Inf"} 3',
        'papertape_request_seconds_count{method="POST",route="/v1/orders"} 3',
      ]),
    )
  })

  it('writes every line as Prometheus reads it, with a family reported once and buckets that never fall', async () => {
    await fetch(`${emulator.baseUrl}/orders/17`)
    await fetch(rootOf('/nowhere'))
    const lines = (await metrics()).filter((line) => line !== '')
    const families = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2])
    expect(new Set(families).size).toBe(families.length)
    const label = '[a-z]+="[^"\\\\\n]*"'
    const sample = new RegExp(`^(?:papertape|process|nodejs)_[a-z_]+(?:\\{${label}(?:,${label})*\\})? [0-9.e+-]+$`)
    for (const line of lines.filter((each) => !each.startsWith('#'))) expect(line).toMatch(sample)
    const counts = lines.filter((line) => line.includes('_bucket{method="GET",route="/v1/orders/{orderId}"'))
    const values = counts.map((line) => Number(line.split(' ').at(-1)))
    expect(values).toEqual([...values].sort((left, right) => left - right))
    expect(values.at(-1)).toBe(1)
    expect(lines).toContain('papertape_requests_total{method="OTHER",route="none",status="404"} 1')
  })
})

describe('pages for people', () => {
  it.each(['/', '/docs'])('%s is HTML that loads nothing', async (path) => {
    const response = await fetch(rootOf(path))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await response.text()
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).not.toMatch(/<script|<link|<img|src="|href="https?:|url\(/)
  })

  it('/docs has every call of both documents, and every link leads somewhere', async () => {
    const html = await (await fetch(rootOf('/docs'))).text()
    for (const path of ['/v1/openapi.json', '/emulator/openapi.json']) {
      const { paths } = (await (await fetch(rootOf(path))).json()) as {
        paths: Record<string, Record<string, Operation>>
      }
      for (const { operationId } of Object.values(paths).flatMap((each) => Object.values(each))) {
        expect(html).toContain(`<h3 id="${operationId}">`)
      }
    }
    const targets = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(50)
    for (const target of targets) expect(html).toContain(` id="${target}"`)
  })

  interface Operation {
    readonly operationId: string
  }
})

describe('the description of the emulator itself', () => {
  interface Operation {
    readonly operationId: string
    readonly security: unknown
    readonly responses: Readonly<Record<string, object>>
  }

  it('has its calls, their errors, and what they ask for', async () => {
    const document = (await (await fetch(`${emulator.emulatorUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>
    }
    const { paths } = document
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/emulator/users', '/emulator/faults/{id}', '/emulator/clock', '/health', '/metrics']),
    )
    expect(paths['/health']?.get?.security).toEqual([])
    expect(paths['/emulator/users']?.get?.security).toEqual([{}, { adminToken: [] }])
    expect(Object.keys(paths['/emulator/users/{id}']?.patch?.responses ?? {})).toEqual(
      '200 400 401 403 404 408 413 414 415 417 429 431 503'.split(' '),
    )
    const references = new Set(JSON.stringify(document).match(/#\/components\/\w+\/[\w-]+/g))
    for (const reference of references) expect(document).toHaveProperty(reference.slice(2).split('/'))
  })
})

describe('a key that a config names', () => {
  it('works, and is reported as any other', async () => {
    expect(emulator.users[0]?.keys).toEqual([KEY])
    expect((await fetch(`${emulator.baseUrl}/balances`, { headers: { 'x-api-key': KEY } })).status).toBe(200)
  })

  it.each([
    ['pt_short', 'expected pt_'],
    [`pt_00000ABC_${'k'.repeat(43)}`, 'expected pt_'],
    [`${KEY}k`, 'expected pt_'],
    ['', 'expected pt_'],
  ])('%j is refused', async (key, message) => {
    const users = [{ email: 'a@example.com', keys: [{ scopes: SCOPES, key }] }]
    await expect(startEmulator({ config: { users } })).rejects.toThrow(message)
  })

  it('is of one user: two with one public id are refused, by the place of the second', async () => {
    const key = (email: string, end: string): object => ({
      email,
      keys: [{ scopes: SCOPES, key: KEY.slice(0, -1) + end }],
    })
    const users = [key('a@example.com', 'k'), key('b@example.com', 'j')]
    await expect(startEmulator({ config: { users } as typeof CONFIG })).rejects.toThrow(
      /users\.1\.keys\.0\.key: the public id .* is used by two keys/,
    )
  })
})
