/**
 * The emulator's own surface, as the page of decisions describes it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceStage } from './service-stage.ts'
import { START } from './service-subject.ts'
import type { TestUser } from './test-user.ts'

export function describeEmulator(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user()
  })
  afterEach(() => service.close())

  const post = async (path: string, body: unknown): Promise<unknown[]> => {
    const { status, code, fields } = await service.ask('POST', `/emulator${path}`, { body })
    return [status, code, ...fields]
  }

  describe('users', () => {
    it('are made with an e-mail, verified or not, and get a short readable id', async () => {
      const body = { email: 'b@example.com', verified: false }
      const { status, json } = await service.ask('POST', '/emulator/users', { body })
      expect([status, json]).toEqual([201, { id: 'user-2', ...body }])
      const changed = await service.ask('PATCH', '/emulator/users/user-2', { body: { verified: true } })
      expect([changed.status, changed.json]).toEqual([200, { id: 'user-2', ...body, verified: true }])
    })

    it('are listed in their order, with the ids and scopes of their keys and no secret', async () => {
      await post('/users', { email: 'b@example.com', verified: false })
      const { json } = await service.ask('GET', '/emulator/users')
      expect(json).toMatchObject([
        { id: alice.id, keys: [{ id: alice.keyId }] },
        { id: 'user-2', email: 'b@example.com', verified: false, keys: [] },
      ])
      expect(JSON.stringify(json)).not.toContain(alice.key)
      await service.ask('DELETE', `/emulator/keys/${alice.keyId}`)
      expect((await service.ask('GET', '/emulator/users')).json).toMatchObject([{ keys: [] }, {}])
    })

    it.each([
      [{}, ['email', 'verified']],
      [{ email: 'b@example.com' }, ['verified']],
      [{ email: 'b', verified: true }, ['email']],
      [{ email: 'b@example.com', verified: 'yes' }, ['verified']],
      [{ email: 'b@example.com', verified: true, id: 'user-9' }, ['id']],
      [{ email: null, verified: null }, ['email', 'verified']],
    ])('%j is 400 naming %j', async (body, fields) => {
      expect(await post('/users', body)).toEqual([400, 'VALIDATION_ERROR', ...fields])
    })

    it('have an e-mail of their own, in whatever capitals: 400 naming it, and no one is made', async () => {
      await post('/users', { email: 'b@example.com', verified: false })
      for (const email of ['b@example.com', 'B@Example.com']) {
        expect(await post('/users', { email, verified: true })).toEqual([400, 'VALIDATION_ERROR', 'email'])
      }
      expect((await service.ask('GET', '/emulator/users')).json).toHaveLength(2)
      expect((await post('/users', { email: 'c@example.com', verified: true }))[0]).toBe(201)
    })
  })

  describe('keys', () => {
    it('report their id, text and scopes; 201', async () => {
      const { status, json } = await service.ask('POST', `/emulator/users/${alice.id}/keys`, {
        body: { scopes: ['ORDER_READ', 'ACCOUNT_READ', 'ORDER_READ'] },
      })
      expect([status, json]).toMatchObject([201, { scopes: ['ORDER_READ', 'ACCOUNT_READ'] }])
    })

    it.each([
      [{}, 'scopes'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['ADMIN'] }, 'scopes.0'],
      [{ scopes: 'ORDER_READ' }, 'scopes'],
      [{ scopes: ['ORDER_READ'], key: 'x' }, 'key'],
    ])('%j is 400 naming %s', async (body, field) => {
      expect(await post(`/users/${alice.id}/keys`, body)).toEqual([400, 'VALIDATION_ERROR', field])
    })

    it('revoked twice is 404 the second time', async () => {
      expect((await service.ask('DELETE', `/emulator/keys/${alice.keyId}`)).status).toBe(204)
      expect((await service.ask('DELETE', `/emulator/keys/${alice.keyId}`)).status).toBe(404)
    })
  })

  describe('credits', () => {
    const credit = (asset: string, amount: unknown): Promise<unknown[]> =>
      post(`/users/${alice.id}/credits`, { asset, amount })

    it('answer with all balances; a negative amount is a debit', async () => {
      const { json } = await alice.credit('USD', '100.1234567')
      expect(json).toMatchObject({ USD: { available: '100.1234567', locked: '0' }, BTC: { available: '0' } })
      expect(await credit('USD', '-0.1234567')).toEqual([200, undefined])
      expect(await alice.has('USD')).toBe('100 + 0')
    })

    it('a debit over what is available is 422 INSUFFICIENT_BALANCE', async () => {
      await alice.credit('USD', '100')
      await alice.limit('BUY', 'BTC_USD', '10', '1')
      expect(await credit('USD', '-90.0000001')).toEqual([422, 'INSUFFICIENT_BALANCE'])
      expect(await credit('USD', '-90')).toEqual([200, undefined])
      expect(await alice.has('USD')).toBe('0 + 10')
    })

    it('an unknown asset is 404 ASSET_NOT_FOUND', async () => {
      expect(await credit('EUR', '1')).toEqual([404, 'ASSET_NOT_FOUND'])
    })

    it.each(['1e5', '.5', '½', '', ' 1', '0.00000001', '1'.repeat(41), '--1', '+'])(
      'amount %j is 400',
      async (amount) => {
        expect(await credit('USD', amount)).toEqual([400, 'VALIDATION_ERROR', 'amount'])
      },
    )

    it.each([1, null, true, ['1']])('amount %j is 400', async (amount) => {
      expect(await credit('USD', amount)).toEqual([400, 'VALIDATION_ERROR', 'amount'])
    })
  })

  describe('audit', () => {
    it('credited = held + fees, of every asset', async () => {
      const bob = await service.user({ credits: { ETH: '10' } })
      await alice.credit('USD', '1000')
      await bob.limit('SELL', 'ETH_USD', '100', '2')
      await alice.market('BUY', 'ETH_USD', '1')
      const none = { credited: '0', held: '0', fees: '0', difference: '0' }
      expect((await service.ask('GET', '/emulator/audit')).json).toEqual({
        assets: {
          BTC: none,
          USD: { credited: '1000', held: '999.7', fees: '0.3', difference: '0' },
          ETH: { credited: '10', held: '10', fees: '0', difference: '0' },
          ONE: none,
        },
        ok: true,
      })
    })
  })

  describe('clock', () => {
    it('stands still until it is moved', async () => {
      expect((await service.ask('GET', '/emulator/clock')).json).toEqual({ now: START })
      expect(await service.pass(1)).toBe(START + 1)
      expect(await service.pass(0)).toBe(START + 1)
      expect((await service.ask('GET', '/emulator/clock')).json).toEqual({ now: START + 1 })
    })

    it.each([[-1], [1.5], ['1'], [null], [1e15]])('advanceMs %j is 400', async (advanceMs) => {
      expect(await post('/clock', { advanceMs })).toEqual([400, 'VALIDATION_ERROR', 'advanceMs'])
    })
  })

  describe('faults', () => {
    it.each([
      [{}, ['fault', 'route']],
      [{ fault: 'flood', route: '*', count: 1 }, ['fault']],
      [{ fault: 'delay', route: '*' }, ['count']],
      [{ fault: 'delay', route: '*', count: 0 }, ['count']],
      [{ fault: 'delay', route: '*', probability: 2 }, ['probability']],
      [{ fault: 'delay', route: 'GET /nothing', count: 1 }, ['route']],
      [{ fault: 'delay', route: '*', count: 1, often: true }, ['often']],
    ])('%j is 400 naming %j', async (body, fields) => {
      expect(await post('/faults', body)).toEqual([400, 'VALIDATION_ERROR', ...fields])
    })

    it.each([
      ['engine-timeout-before', 'POST /orders', 504, 'ENGINE_TIMEOUT'],
      ['engine-timeout-after', 'POST /orders', 504, 'ENGINE_TIMEOUT'],
      ['engine-unavailable', 'POST /orders', 503, 'ENGINE_UNAVAILABLE'],
      ['service-unavailable', '*', 503, 'SERVICE_UNAVAILABLE'],
      ['rate-limited', 'POST /orders', 429, 'RATE_LIMITED'],
    ])('section 7: %s of %s is %i %s, once', async (fault, route, status, code) => {
      await alice.credit('USD', '1000')
      const order = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
      const { status: made, json } = await service.ask('POST', '/emulator/faults', { body: { fault, route, count: 1 } })
      expect([made, json]).toEqual([201, { id: 'fault-1' }])
      const answer = await alice.post(order)
      expect([answer.status, answer.code]).toEqual([status, code])
      expect((await alice.get('/orders')).json).toHaveLength(fault === 'engine-timeout-after' ? 1 : 0)
      expect((await alice.post(order)).status).toBe(201)
    })

    it('are listed with what is left of them, and one is forgotten by its id', async () => {
      await post('/faults', { fault: 'delay', route: 'GET /balances', count: 2, ms: 1 })
      await post('/faults', { fault: 'service-unavailable', route: 'GET /trades', probability: 1, seed: 3 })
      await alice.get('/balances')
      const listed = await service.ask('GET', '/emulator/faults')
      expect(listed.json).toEqual([
        { id: 'fault-1', fault: 'delay', route: 'GET /balances', count: 1, seed: 1, ms: 1 },
        { id: 'fault-2', fault: 'service-unavailable', route: 'GET /trades', probability: 1, seed: 3, ms: 1000 },
      ])
      expect((await service.ask('DELETE', '/emulator/faults/fault-2')).status).toBe(204)
      expect((await alice.get('/trades')).status).toBe(200)
      expect((await service.ask('DELETE', '/emulator/faults/fault-2')).status).toBe(404)
      await alice.get('/balances')
      expect((await service.ask('GET', '/emulator/faults')).json).toEqual([])
    })

    it('section 4, GET /portfolio: 503 PORTFOLIO_UNAVAILABLE; DELETE removes every fault', async () => {
      const body = { fault: 'portfolio-unavailable', route: 'GET /portfolio', count: 5 }
      await service.ask('POST', '/emulator/faults', { body })
      const { status, code } = await alice.get('/portfolio')
      expect([status, code]).toEqual([503, 'PORTFOLIO_UNAVAILABLE'])
      expect((await service.ask('DELETE', '/emulator/faults')).status).toBe(204)
      expect((await alice.get('/portfolio')).status).toBe(200)
    })
  })
}
