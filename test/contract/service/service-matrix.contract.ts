/**
 * Route x key x scope x ownership, made of the route table: section 5 (Scopes, Authentication errors), decisions 6 and
 * 20.
 *
 * A route that has no row fails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../../src/server/service/api-key.ts'
import { paramsOf, type Route } from '../../../src/server/service/route.ts'
import { EMULATOR_ROUTES, routeName, SERVICE_ROUTES } from './service-routes.ts'
import type { Answer } from './service-answer.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

interface Row {
  readonly body?: unknown
  /** What may stand in the braces of the path, each by how it is answered: own (the route's status), or a code. */
  readonly params?: Readonly<Record<string, ParamRow>>
}

interface ParamRow {
  /** One that is there for the caller; made again for each request. */
  readonly own: (world: World) => Promise<string> | string
  /** One of somebody else, where there is such a thing. */
  readonly foreign?: (world: World) => Promise<string> | string
  readonly unknown: string
  readonly malformed: string
  readonly code: string
}

interface World {
  readonly service: ServiceStage
  readonly alice: TestUser
  readonly bob: TestUser
}

const SYMBOL: ParamRow = { own: () => 'BTC_USD', unknown: 'XRP_USD', malformed: '%20', code: 'MARKET_NOT_FOUND' }
const restingOf = async (user: TestUser): Promise<string> => (await user.limit('BUY', 'BTC_USD', '1', '1')).id
const ORDER: ParamRow = {
  own: ({ alice }) => restingOf(alice),
  foreign: ({ bob }) => restingOf(bob),
  unknown: '987654321',
  malformed: 'one',
  code: 'ORDER_NOT_FOUND',
}
const USER: ParamRow = { own: ({ alice }) => alice.id, unknown: 'user-99', malformed: '*', code: 'VALIDATION_ERROR' }
const NEW_USER: ParamRow = {
  ...USER,
  own: async ({ service }) => {
    const body = { email: 'gone@example.com', verified: true }
    return ((await service.ask('POST', '/emulator/users', { body })).json as { id: string }).id
  },
}
const KEY: ParamRow = {
  own: async ({ service, bob }) => (await service.key(bob.id, ['ORDER_READ'])).keyId,
  unknown: 'aaaaaaaa',
  malformed: '*',
  code: 'VALIDATION_ERROR',
}

const SERVICE_ROWS: Readonly<Record<string, Row>> = {
  'GET /markets': {},
  'GET /markets/tickers': {},
  'GET /markets/{symbol}/ticker': { params: { symbol: SYMBOL } },
  'GET /markets/{symbol}/trades': { params: { symbol: SYMBOL } },
  'GET /markets/{symbol}/candles': { params: { symbol: SYMBOL } },
  'POST /orders': { body: { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' } },
  'GET /orders': {},
  'GET /orders/open': {},
  'GET /orders/{orderId}': { params: { orderId: ORDER } },
  'DELETE /orders/{orderId}': { params: { orderId: ORDER } },
  'GET /balances': {},
  'GET /portfolio': {},
  'GET /trades': {},
}

const FAULT: ParamRow = {
  own: async ({ service }) => {
    const body = { fault: 'delay', route: 'GET /ws', count: 1, ms: 0 }
    const { json } = await service.ask('POST', '/emulator/faults', { body })
    return (json as { id: string }).id
  },
  unknown: 'fault-999',
  malformed: '*',
  code: 'VALIDATION_ERROR',
}

const EMULATOR_ROWS: Readonly<Record<string, Row>> = {
  'GET /users': {},
  'POST /users': { body: { email: 'b@example.com', verified: true } },
  'PATCH /users/{id}': { params: { id: USER }, body: { verified: true } },
  'POST /users/{id}/keys': { params: { id: USER }, body: { scopes: ['ORDER_READ'] } },
  'DELETE /keys/{id}': { params: { id: KEY } },
  'POST /users/{id}/credits': { params: { id: USER }, body: { asset: 'USD', amount: '1' } },
  'POST /faults': { body: { fault: 'delay', route: 'GET /markets', count: 1, ms: 0 } },
  'GET /faults': {},
  'DELETE /faults': {},
  'DELETE /faults/{id}': { params: { id: FAULT } },
  'POST /users/{id}/freeze': { params: { id: USER } },
  'DELETE /users/{id}/freeze': { params: { id: USER } },
  'POST /users/{id}/reset': { params: { id: USER }, body: { credits: { USD: '1000000' } } },
  'POST /users/{id}/clone': { params: { id: USER }, body: { email: 'clone@example.com' } },
  'DELETE /users/{id}': { params: { id: NEW_USER } },
  'GET /audit': {},
  'GET /markets/{symbol}/book': { params: { symbol: SYMBOL } },
  'GET /markets': {},
  'POST /markets/{symbol}/pause': { params: { symbol: SYMBOL }, body: { reason: 'a test' } },
  'DELETE /markets/{symbol}/pause': { params: { symbol: SYMBOL } },
  'GET /clock': {},
  'POST /clock': { body: { advanceMs: 0 } },
  'DELETE /clock': {},
}

export function describeMatrix(open: () => Promise<ServiceStage>): void {
  let world: World

  beforeAll(async () => {
    const service = await open()
    const credits = { USD: '1000000' }
    world = { service, alice: await service.user({ credits }), bob: await service.user({ credits }) }
  })
  afterAll(() => world.service.close())

  /** @param choice  what of each parameter stands in the path */
  const pathOf = async (
    route: Route,
    { params = {} }: Row,
    choice: Exclude<keyof ParamRow, 'code'>,
  ): Promise<string> => {
    let { path } = route
    for (const name of paramsOf(route.path)) {
      const param = params[name]?.[choice]
      path = path.replace(`{${name}}`, typeof param === 'function' ? await param(world) : (param ?? ''))
    }
    return path
  }

  const ask = async (route: Route, row: Row, key?: string): Promise<Answer> => {
    const prefix = route.access === 'emulator' ? '/emulator' : ''
    return world.service.ask(route.method, prefix + (await pathOf(route, row, 'own')), { key, body: row.body })
  }

  const keyWith = async (scopes: readonly Scope[]): Promise<string> =>
    (await world.service.key(world.alice.id, scopes)).key

  describe.each([
    ['service', SERVICE_ROUTES, SERVICE_ROWS],
    ['emulator', EMULATOR_ROUTES, EMULATOR_ROWS],
  ] as const)('%s', (_name, routes, rows) => {
    it('every route has its row, and every row its route', () => {
      expect(routes.map(routeName).sort()).toEqual(Object.keys(rows).sort())
    })

    it('every parameter of a path has its row', () => {
      for (const route of routes) {
        expect(Object.keys(rows[routeName(route)]?.params ?? {}), routeName(route)).toEqual(paramsOf(route.path))
      }
    })
  })

  it('the description that is served has the same routes', async () => {
    const { json } = await world.service.ask('GET', '/openapi.json')
    const { paths } = json as { paths: Record<string, Record<string, unknown>> }
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(served.sort()).toEqual(Object.keys(SERVICE_ROWS).sort())
  })

  describe.each(SERVICE_ROUTES.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
    const row = SERVICE_ROWS[name] ?? {}
    const isPublic = route.access === 'public'

    it('without a key', async () => {
      const { status, code } = await ask(route, row)
      expect([status, code]).toEqual(isPublic ? [200, undefined] : [401, 'AUTHENTICATION_REQUIRED'])
    })

    it('with a key that is wrong, of no one, or revoked', async () => {
      const revoked = await world.service.key(world.alice.id, SCOPES)
      await world.service.ask('DELETE', `/emulator/keys/${revoked.keyId}`)
      const wrong = `${world.alice.key.slice(0, -2)}${world.alice.key.endsWith('AA') ? 'BB' : 'AA'}`
      for (const key of ['nonsense', wrong, `pt_aaaaaaaa_${'A'.repeat(43)}`, revoked.key]) {
        const { status, code } = await ask(route, row, key)
        expect([status, code]).toEqual(isPublic ? [200, undefined] : [401, 'INVALID_API_KEY'])
      }
    })

    it.each(SCOPES)('with %s alone', async (scope) => {
      const { status, code } = await ask(route, row, await keyWith([scope]))
      const isAllowed = isPublic || route.access === scope
      expect([status, code]).toEqual(isAllowed ? [route.status, undefined] : [403, 'FORBIDDEN'])
    })

    it('with every other scope', async () => {
      const others = SCOPES.filter((scope) => scope !== route.access)
      const { status, code } = await ask(route, row, await keyWith(others))
      expect([status, code]).toEqual(isPublic ? [200, undefined] : [403, 'FORBIDDEN'])
    })

    it('of an account that is not verified', async () => {
      const user = await world.service.user({ isVerified: false })
      const { status, code } = await ask(route, row, user.key)
      if (route.isMutation === true) expect([status, code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
      else if ('orderId' in (row.params ?? {})) expect([status, code]).toEqual([404, 'ORDER_NOT_FOUND'])
      else expect(status).toBe(route.status)
    })

    for (const param of paramsOf(route.path)) {
      const paramRow = row.params?.[param]
      it.each(['unknown', 'malformed', 'foreign'] as const)(`with a {${param}} that is %s`, async (choice) => {
        if (paramRow?.[choice] === undefined) return
        const key = isPublic ? undefined : world.alice.key
        const unknown = await world.service.ask(route.method, await pathOf(route, row, 'unknown'), { key })
        const chosen = await world.service.ask(route.method, await pathOf(route, row, choice), { key })
        expect([chosen.status, chosen.code]).toEqual([404, paramRow.code])
        if (!isPublic) {
          expect({ ...(chosen.json as object), requestId: '' }).toEqual({ ...(unknown.json as object), requestId: '' })
        }
      })
    }
  })

  describe.each(EMULATOR_ROUTES.map((route) => [routeName(route), route] as const))('emulator: %s', (name, route) => {
    const row = EMULATOR_ROWS[name] ?? {}

    it('needs no key and counts none', async () => {
      const { status, headers } = await ask(route, row, world.alice.key)
      expect([status, headers.ratelimit]).toEqual([route.status, undefined])
    })

    for (const param of paramsOf(route.path)) {
      it.each(['unknown', 'malformed'] as const)(`with a {${param}} that is %s`, async (choice) => {
        const path = `/emulator${await pathOf(route, row, choice)}`
        const { status, code } = await world.service.ask(route.method, path, { body: row.body })
        expect([status, code]).toEqual([404, row.params?.[param]?.code])
      })
    }
  })
}
