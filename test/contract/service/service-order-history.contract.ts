/**
 * Orders that are read: section 4 (GET /orders, /orders/open, /orders/{orderId}), decisions 5 and 6.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderJson } from '../../../src/domain/order.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

export function describeOrderHistory(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser
  let bob: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '100000', BTC: '100' } })
    bob = await service.user({ credits: { USD: '100000', BTC: '100' } })
  })
  afterEach(() => service.close())

  describe('section 4, GET and DELETE /orders/{orderId}; decision 6', () => {
    const unknown = [
      '999999',
      '0',
      '-1',
      '1.0',
      '01',
      '1e0',
      'abc',
      '%00',
      '__proto__',
      '9'.repeat(15),
      '9'.repeat(400),
      'open%20',
    ]
    it.each(unknown)('the id %s is of no order: 404 ORDER_NOT_FOUND', async (id) => {
      await alice.limit('BUY', 'BTC_USD', '100', '1')
      for (const method of ['GET', 'DELETE']) {
        const { status, code } = await alice.ask(method, `/orders/${id}`)
        expect([method, status, code]).toEqual([method, 404, 'ORDER_NOT_FOUND'])
      }
    })

    it("another account's order is answered byte for byte as an unknown one, whatever its state", async () => {
      const open = await bob.limit('BUY', 'BTC_USD', '100', '1')
      const finished = await bob.limit('BUY', 'BTC_USD', '100', '1')
      await bob.cancel(finished.id)
      for (const method of ['GET', 'DELETE']) {
        const unknown = await alice.ask(method, '/orders/4711')
        const bytes = ({ text, headers }: typeof unknown): string =>
          text.replaceAll(String(headers['x-request-id']), '')
        for (const { id } of [open, finished]) {
          const foreign = await alice.ask(method, `/orders/${id}`)
          expect(bytes(foreign)).toBe(bytes(unknown))
          expect(Object.keys(foreign.headers)).toEqual(Object.keys(unknown.headers))
        }
      }
      expect(await bob.order(open.id)).toEqual(open)
    })

    it('an id may be percent-encoded', async () => {
      const order = await alice.limit('BUY', 'BTC_USD', '100', '1')
      expect(await alice.order('%31')).toEqual(order)
    })
  })

  describe('section 4, GET /orders and GET /orders/open', () => {
    const idsOf = async (path: string): Promise<number[]> =>
      ((await alice.get(path)).json as OrderJson[]).map(({ id }) => Number(id))

    const someOrders = async (): Promise<void> => {
      await alice.limit('BUY', 'BTC_USD', '100', '1')
      await alice.limit('BUY', 'BTC_USD', '101', '1')
      await alice.limit('BUY', 'ONE_USD', '5', '1')
      await bob.limit('BUY', 'BTC_USD', '1', '1')
      await alice.limit('SELL', 'BTC_USD', '101', '0.5')
      await alice.cancel('1')
    }

    it('are empty for an account without orders', async () => {
      expect([await idsOf('/orders'), await idsOf('/orders/open')]).toEqual([[], []])
    })

    it('are the own ones, newest first', async () => {
      await someOrders()
      expect(await idsOf('/orders')).toEqual([5, 3, 2, 1])
      expect(await idsOf('/orders/open')).toEqual([3, 2])
      expect(((await alice.get('/orders')).json as OrderJson[]).map(({ status }) => status)).toEqual([
        'FILLED',
        'OPEN',
        'PARTIALLY_FILLED',
        'CANCELLED',
      ])
    })

    it('by symbol and by status, also both', async () => {
      await someOrders()
      expect(await idsOf('/orders?symbol=BTC_USD')).toEqual([5, 2, 1])
      expect(await idsOf('/orders?symbol=ETH_USD')).toEqual([])
      expect(await idsOf('/orders?status=OPEN')).toEqual([3])
      expect(await idsOf('/orders?status=PARTIALLY_FILLED')).toEqual([2])
      expect(await idsOf('/orders?status=FILLED')).toEqual([5])
      expect(await idsOf('/orders?status=CANCELLED&symbol=BTC_USD')).toEqual([1])
      expect(await idsOf('/orders?status=CANCELLED&symbol=ONE_USD')).toEqual([])
    })

    it('page is one-based; pages follow each other without a gap, and end', async () => {
      await someOrders()
      expect(await idsOf('/orders?limit=3')).toEqual([5, 3, 2])
      expect(await idsOf('/orders?limit=3&page=1')).toEqual([5, 3, 2])
      expect(await idsOf('/orders?limit=3&page=2')).toEqual([1])
      expect(await idsOf('/orders?limit=3&page=3')).toEqual([])
      expect(await idsOf('/orders?limit=1&page=2&symbol=BTC_USD')).toEqual([2])
      expect(await idsOf('/orders?page=9007199254740991')).toEqual([])
      expect((await alice.get('/orders?page=9007199254740992')).fields).toEqual(['page'])
    })

    it('decision 5: 50 when no limit is given; more than 500 is served as 500', async () => {
      for (let done = 0; done < 502; done += 1) await alice.limit('BUY', 'ONE_USD', '1', '1')
      const newest = Array.from({ length: 502 }, (_, index) => 502 - index)
      expect(await idsOf('/orders')).toEqual(newest.slice(0, 50))
      for (const limit of ['500', '501', '1000000', '99999999999999999999']) {
        expect(await idsOf(`/orders?limit=${limit}`)).toEqual(newest.slice(0, 500))
      }
      expect(await idsOf('/orders?limit=1000&page=2')).toEqual([2, 1])
      expect(await idsOf('/orders/open')).toEqual(newest)
    })

    it.each([
      ['limit', '0'],
      ['limit', '-1'],
      ['limit', '1.5'],
      ['limit', 'all'],
      ['limit', ''],
      ['page', '0'],
      ['page', '-1'],
      ['page', '1.0'],
      ['page', ''],
      ['status', 'open'],
      ['status', 'NEW'],
      ['status', ''],
      ['status', 'OPEN,FILLED'],
    ])('%s=%s is 400 VALIDATION_ERROR and names it', async (name, value) => {
      const { status, code, fields } = await alice.get(`/orders?${name}=${value}`)
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [name]])
    })

    it.each(['XRP_USD', 'btc_usd', ''])('symbol=%s is 404 MARKET_NOT_FOUND', async (symbol) => {
      const { status, code } = await alice.get(`/orders?symbol=${symbol}`)
      expect([status, code]).toEqual([404, 'MARKET_NOT_FOUND'])
    })
  })
}
