/**
 * What the engine does with orders, as far as the wire shows it: section 4 (POST /orders 4), decisions 9 to 15.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderJson, Side } from '../../../src/domain/order.ts'
import type { TradeJson } from '../../../src/domain/trade.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

export function describeMatching(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser
  let bob: TestUser
  let carol: TestUser

  beforeEach(async () => {
    service = await open()
    const credits = { USD: '1000', BTC: '10', ETH: '10' }
    alice = await service.user({ credits })
    bob = await service.user({ credits })
    carol = await service.user({ credits })
  })
  afterEach(async () => {
    await service.audit()
    await service.close()
  })

  const refusal = async (user: TestUser, body: object): Promise<[number, string | undefined]> => {
    const { status, code } = await user.post(body)
    return [status, code]
  }
  const limit = (side: Side, price: string, qty: string, symbol = 'BTC_USD'): object => {
    return { symbol, side, type: 'LIMIT', price, qty }
  }
  const market = (side: Side, qty: string, symbol = 'BTC_USD'): object => ({ symbol, side, type: 'MARKET', qty })

  describe('section 4, POST /orders 4; decisions 9 and 10: which 422', () => {
    it('decision 9: a market order against an empty book is NO_LIQUIDITY, and there is no order', async () => {
      expect(await refusal(alice, market('BUY', '1'))).toEqual([422, 'NO_LIQUIDITY'])
      expect(await refusal(alice, market('SELL', '1'))).toEqual([422, 'NO_LIQUIDITY'])
      // Only the other side counts.
      await bob.limit('BUY', 'BTC_USD', '10', '1')
      expect(await refusal(alice, market('BUY', '1'))).toEqual([422, 'NO_LIQUIDITY'])
      expect((await alice.get('/orders')).json).toEqual([])
    })

    it('a need beyond what is available is INSUFFICIENT_BALANCE, and exactly what is available is enough', async () => {
      expect(await refusal(alice, limit('BUY', '1000.01', '1'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      expect(await refusal(alice, limit('SELL', '1', '10.00001'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      await alice.limit('BUY', 'BTC_USD', '1000', '1')
      await alice.limit('SELL', 'BTC_USD', '2000', '10')
      expect([await alice.has('USD'), await alice.has('BTC')]).toEqual(['0 + 1000', '0 + 10'])
    })

    it('what is locked is not available', async () => {
      await alice.limit('BUY', 'BTC_USD', '600', '1')
      expect(await refusal(alice, limit('BUY', '400.01', '1'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      await alice.limit('BUY', 'BTC_USD', '400', '1')
    })

    it('the need of a limit buy has the higher of the two fees', async () => {
      // 20 bps of 998 are 1.996.
      expect(await refusal(alice, limit('BUY', '998.1', '1', 'ETH_USD'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      await alice.limit('BUY', 'ETH_USD', '998.0', '1')
      expect(await alice.has('USD')).toBe('0.004 + 999.996')
    })

    it('the need of a market buy is the walk over the book with its fee', async () => {
      await bob.limit('SELL', 'ETH_USD', '100', '5')
      await bob.limit('SELL', 'ETH_USD', '200', '5')
      // 500 + 2.495 x 200 = 999; with 20 bps 1000.998.
      expect(await refusal(alice, market('BUY', '7.495', 'ETH_USD'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      expect(await alice.market('BUY', 'ETH_USD', '7.490')).toMatchObject({ status: 'FILLED' })
      expect(await alice.has('USD')).toBe('0.004 + 0')
    })

    it('decision 10, order: zero before NO_LIQUIDITY before INSUFFICIENT_BALANCE before the own order', async () => {
      expect(await refusal(alice, market('BUY', '0'))).toEqual([422, 'ORDER_REJECTED'])
      expect(await refusal(alice, market('SELL', '99'))).toEqual([422, 'NO_LIQUIDITY'])
      await alice.limit('SELL', 'ETH_USD', '100', '5')
      expect(await refusal(alice, limit('BUY', '100', '0', 'ETH_USD'))).toEqual([422, 'ORDER_REJECTED'])
      expect(await refusal(alice, limit('BUY', '2000', '5', 'ETH_USD'))).toEqual([422, 'INSUFFICIENT_BALANCE'])
      expect(await refusal(alice, limit('BUY', '100', '5', 'ETH_USD'))).toEqual([422, 'ORDER_REJECTED'])
    })

    it('a refused order changes nothing', async () => {
      await bob.limit('SELL', 'BTC_USD', '100', '1')
      const before = await Promise.all(
        ['/balances', '/orders', '/trades'].map(async (path) => (await alice.get(path)).json),
      )
      await refusal(alice, limit('BUY', '5000', '1'))
      await refusal(alice, market('SELL', '1'))
      const after = await Promise.all(
        ['/balances', '/orders', '/trades'].map(async (path) => (await alice.get(path)).json),
      )
      expect(after).toEqual(before)
    })
  })

  describe('decision 11: price, then time', () => {
    it('the best price first, at one price the oldest, each at the price of the order that rested', async () => {
      await alice.limit('SELL', 'BTC_USD', '101', '1')
      await bob.limit('SELL', 'BTC_USD', '100', '1')
      await alice.limit('SELL', 'BTC_USD', '100', '1')
      await carol.market('BUY', 'BTC_USD', '3')
      const trades = (await service.ask('GET', '/markets/BTC_USD/trades')).json as TradeJson[]
      expect(trades.reverse().map(({ sellOrderId, price }) => [sellOrderId, price])).toEqual([
        ['2', '100.00'],
        ['3', '100.00'],
        ['1', '101.00'],
      ])
    })

    it('a limit buy that fills better than its limit has the difference back at that fill', async () => {
      await bob.limit('SELL', 'BTC_USD', '90', '1')
      await alice.limit('BUY', 'BTC_USD', '100', '2')
      expect(await alice.has('USD')).toBe('810 + 100')
    })
  })

  describe('decision 12: fees', () => {
    it('the buyer pays on top, the seller out of the proceeds, each the rate of its role', async () => {
      await bob.limit('SELL', 'ETH_USD', '100', '2')
      await alice.market('BUY', 'ETH_USD', '1')
      expect([await alice.has('USD'), await alice.has('ETH')]).toEqual(['899.8 + 0', '11 + 0'])
      expect([await bob.has('USD'), await bob.has('ETH')]).toEqual(['1099.9 + 0', '8 + 1'])
      await carol.limit('BUY', 'ETH_USD', '50', '2')
      // Carol reserves the higher rate, and pays the maker's.
      expect(await carol.has('USD')).toBe('899.8 + 100.2')
      await alice.market('SELL', 'ETH_USD', '2')
      expect(await carol.has('USD')).toBe('899.9 + 0')
      expect(await alice.has('USD')).toBe('999.6 + 0')
      const { json } = await service.ask('GET', '/emulator/audit')
      expect(json).toMatchObject({ assets: { USD: { credited: '3000', fees: '0.6', difference: '0' } }, ok: true })
    })

    it('the fee of an order is rounded up once, to the last digit of the ledger', async () => {
      await bob.limit('SELL', 'ETH_BTC', '0.00001', '0.04')
      const proceeds: string[] = []
      for (let done = 0; done < 4; done += 1) {
        await alice.market('BUY', 'ETH_BTC', '0.01')
        proceeds.push(await bob.has('BTC'))
      }
      // Each fill is one unit of the ledger, of which a third is charged: 1, 1, 1 and 2 of the first 1, 2, 3 and 4.
      expect(proceeds).toEqual(['10 + 0', '10.0000001 + 0', '10.0000002 + 0', '10.0000002 + 0'])
    })
  })

  describe('decision 13: self-trade', () => {
    it('allow: two rows of GET /trades with one id, one for each order', async () => {
      await alice.limit('SELL', 'BTC_USD', '100', '1')
      const { id } = await alice.market('BUY', 'BTC_USD', '1')
      const fills = await alice.fills()
      expect(fills.map((fill) => [fill.id, fill.orderId, fill.side, fill.isMaker])).toEqual([
        ['1', id, 'BUY', false],
        ['1', '1', 'SELL', true],
      ])
      expect(fills[0]).toMatchObject({ buyerId: alice.id, sellerId: alice.id, isBuyerMaker: false })
      expect([await alice.has('USD'), await alice.has('BTC')]).toEqual(['1000 + 0', '10 + 0'])
    })

    it('reject: a walk that reaches an own order is ORDER_REJECTED as a whole; one that ends before it is not', async () => {
      await bob.limit('SELL', 'ETH_USD', '100', '1')
      await alice.limit('SELL', 'ETH_USD', '101', '1')
      expect(await refusal(alice, market('BUY', '2', 'ETH_USD'))).toEqual([422, 'ORDER_REJECTED'])
      expect(await refusal(alice, limit('BUY', '101', '1.001', 'ETH_USD'))).toEqual([422, 'ORDER_REJECTED'])
      expect((await alice.fills()).length).toBe(0)
      expect(await alice.limit('BUY', 'ETH_USD', '100', '2')).toMatchObject({ status: 'PARTIALLY_FILLED' })
      expect(await refusal(alice, market('SELL', '1', 'ETH_USD'))).toEqual([422, 'ORDER_REJECTED'])
    })
  })

  describe('decisions 14 and 15: forms', () => {
    it('averagePrice is exact when it can be', async () => {
      await bob.limit('SELL', 'BTC_USD', '100', '1')
      await bob.limit('SELL', 'BTC_USD', '100.33', '3')
      expect((await alice.market('BUY', 'BTC_USD', '4')).averagePrice).toBe('100.2475')
    })

    it('averagePrice has at most pricePrecision + 8 decimals, half to even, and no zeros at its end', async () => {
      await bob.credit('ONE', '1000000000')
      await bob.limit('SELL', 'ONE_USD', '1', '2')
      await bob.limit('SELL', 'ONE_USD', '2', '1')
      expect((await alice.market('BUY', 'ONE_USD', '3')).averagePrice).toBe('1.33333333')
      await bob.limit('SELL', 'ONE_USD', '1', '1')
      await bob.limit('SELL', 'ONE_USD', '2', '2')
      expect((await alice.market('BUY', 'ONE_USD', '3')).averagePrice).toBe('1.66666667')
      await bob.limit('SELL', 'ONE_USD', '2', '1')
      expect((await alice.market('BUY', 'ONE_USD', '1')).averagePrice).toBe('2')
      // 1 + 1 / 512 and 1 + 3 / 512 have their last digit, a 5, behind the eighth.
      await alice.credit('USD', '10000')
      await bob.limit('SELL', 'ONE_USD', '1', '511')
      await bob.limit('SELL', 'ONE_USD', '2', '1')
      expect((await alice.market('BUY', 'ONE_USD', '512')).averagePrice).toBe('1.00195312')
      await bob.limit('SELL', 'ONE_USD', '1', '509')
      await bob.limit('SELL', 'ONE_USD', '2', '3')
      expect((await alice.market('BUY', 'ONE_USD', '512')).averagePrice).toBe('1.00585938')
    })

    it('a market against another asset than that of the valuation settles in its own', async () => {
      await bob.limit('SELL', 'ETH_BTC', '0.05', '2')
      await alice.market('BUY', 'ETH_BTC', '1.5')
      expect([await alice.has('ETH'), await alice.has('BTC')]).toEqual(['11.5 + 0', '9.925 + 0'])
      expect([await bob.has('ETH'), await bob.has('BTC')]).toEqual(['8 + 0.5', '10.05 + 0'])
    })
  })

  it('every order that is open is in the book, and no other', async () => {
    await alice.limit('BUY', 'BTC_USD', '10', '1')
    await bob.limit('BUY', 'BTC_USD', '10', '2')
    await bob.limit('BUY', 'BTC_USD', '11', '1')
    await carol.limit('SELL', 'BTC_USD', '12', '1')
    await carol.limit('SELL', 'BTC_USD', '11', '0.5')
    await alice.cancel('1')
    expect((await service.ask('GET', '/emulator/markets/BTC_USD/book')).json).toEqual({
      bids: [
        ['11.00', '0.5'],
        ['10.00', '2'],
      ],
      asks: [['12.00', '1']],
    })
    expect(((await bob.get('/orders/open')).json as OrderJson[]).map(({ id }) => id)).toEqual(['3', '2'])
  })
}
