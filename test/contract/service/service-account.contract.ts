/**
 * Balances, portfolio and own fills: sections 2 and 4 (Account), decisions 1, 4, 15, 17.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { START } from './service-subject.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

const NOTHING = { available: '0', locked: '0' }

export function describeAccount(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser
  let bob: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user()
    bob = await service.user({ credits: { USD: '100000', BTC: '1000' } })
  })
  afterEach(() => service.close())

  describe('section 2, Balances; section 4, GET /balances; decision 17', () => {
    it('has every asset of the listed markets, zeros included', async () => {
      expect((await alice.get('/balances')).json).toEqual({ BTC: NOTHING, USD: NOTHING, ETH: NOTHING, ONE: NOTHING })
    })

    it('locked is what open orders reserve; neither has zeros at its end', async () => {
      await alice.credit('USD', '100.5000')
      await alice.limit('BUY', 'BTC_USD', '10', '2.5')
      const USD = { available: '75.5', locked: '25' }
      expect((await alice.get('/balances')).json).toEqual({ BTC: NOTHING, USD, ETH: NOTHING, ONE: NOTHING })
      expect((await alice.get('/balances?asset=USD')).json).toEqual({ USD })
      expect((await alice.get('/balances?asset=ONE')).json).toEqual({ ONE: NOTHING })
    })

    it.each(['EUR', 'usd', '', '__proto__', 'constructor', 'USD%20', 'X'.repeat(500)])(
      'asset=%s is 404 ASSET_NOT_FOUND',
      async (asset) => {
        const { status, code, text } = await alice.get(`/balances?asset=${asset}`)
        expect([status, code]).toEqual([404, 'ASSET_NOT_FOUND'])
        expect(text.length).toBeLessThan(300)
      },
    )
  })

  describe('section 2, Portfolio; section 4, GET /portfolio; decision 17', () => {
    const none = { available: '0', locked: '0', total: '0', value: '0' }

    it('of an account without a credit: nothing, since now, as of now', async () => {
      await service.pass(1)
      expect(await alice.portfolio()).toEqual({
        quoteAsset: 'USD',
        equity: '0',
        baselineEquity: '0',
        pnl: '0',
        pnlPercent: '0',
        baselineAt: '2025-01-01T00:00:00.001Z',
        asOf: '2025-01-01T00:00:00.001Z',
        partial: false,
        positions: [
          { asset: 'BTC', ...none, markPrice: '0' },
          { asset: 'USD', ...none, markPrice: '1' },
          { asset: 'ETH', ...none, markPrice: '0' },
          { asset: 'ONE', ...none, markPrice: '0' },
        ],
      })
    })

    it('every position at the last trade of its market against the quote asset; asOf is the oldest mark', async () => {
      await service.pass(1000)
      await alice.credit('USD', '1000')
      await service.pass(1000)
      await bob.limit('SELL', 'BTC_USD', '100', '5')
      await alice.market('BUY', 'BTC_USD', '2')
      await service.pass(1000)
      await bob.market('BUY', 'BTC_USD', '1')
      await bob.limit('SELL', 'BTC_USD', '90.5', '1')
      await bob.market('BUY', 'BTC_USD', '1')
      await service.pass(5000)
      await alice.limit('SELL', 'BTC_USD', '200', '0.5')
      const portfolio = await alice.portfolio()
      expect(portfolio).toEqual({
        quoteAsset: 'USD',
        equity: '981',
        baselineEquity: '1000',
        pnl: '-19',
        pnlPercent: '-1.9',
        baselineAt: '2025-01-01T00:00:01.000Z',
        asOf: '2025-01-01T00:00:03.000Z',
        partial: false,
        positions: [
          { asset: 'BTC', available: '1.5', locked: '0.5', total: '2', markPrice: '90.5', value: '181' },
          { asset: 'USD', available: '800', locked: '0', total: '800', markPrice: '1', value: '800' },
          { asset: 'ETH', ...none, markPrice: '0' },
          { asset: 'ONE', ...none, markPrice: '0' },
        ],
      })
    })

    it('a holding without a price makes it partial, and joins the baseline at its first price', async () => {
      await alice.credit('BTC', '2')
      const unpriced = await alice.portfolio()
      expect(unpriced).toMatchObject({ equity: '0', baselineEquity: '0', pnlPercent: '0', partial: true })
      expect(unpriced.positions[0]).toEqual({
        asset: 'BTC',
        available: '2',
        locked: '0',
        total: '2',
        markPrice: '0',
        value: '0',
      })
      await bob.limit('SELL', 'BTC_USD', '50', '1')
      await bob.market('BUY', 'BTC_USD', '1')
      expect(await alice.portfolio()).toMatchObject({ equity: '100', baselineEquity: '100', pnl: '0', partial: false })
    })

    it('a price against another asset is none', async () => {
      await alice.credit('ETH', '1')
      await bob.credit('ETH', '1')
      await bob.limit('SELL', 'ETH_BTC', '0.05', '1')
      await bob.market('BUY', 'ETH_BTC', '1')
      expect(await alice.portfolio()).toMatchObject({ equity: '0', partial: true })
    })

    it('a deposit is no profit and a withdrawal no loss', async () => {
      await alice.credit('USD', '100')
      await alice.credit('USD', '50')
      await alice.credit('USD', '-30')
      expect(await alice.portfolio()).toMatchObject({ equity: '120', baselineEquity: '120', pnl: '0', pnlPercent: '0' })
    })

    it('section 2: baselineEquity is never below zero, and pnl is what is more than it', async () => {
      const tradeAt = async (price: string): Promise<void> => {
        await bob.limit('SELL', 'BTC_USD', price, '1')
        await bob.market('BUY', 'BTC_USD', '1')
      }
      await tradeAt('100')
      await alice.credit('BTC', '2')
      await tradeAt('300')
      await alice.credit('BTC', '-1')
      expect(await alice.portfolio()).toMatchObject({
        equity: '300',
        baselineEquity: '0',
        pnl: '300',
        pnlPercent: '0',
      })
    })
  })

  describe('section 2, Private trade; section 4, GET /trades; decision 1', () => {
    it('is empty for an account without a fill', async () => {
      expect(await alice.fills()).toEqual([])
    })

    it('has the public fields and side, orderId, isMaker of the caller; newest first; only those of the caller', async () => {
      await alice.credit('USD', '1000')
      const rested = await bob.limit('SELL', 'BTC_USD', '100', '1')
      const taken = await alice.market('BUY', 'BTC_USD', '0.5')
      const [trade] = (await service.ask('GET', '/markets/BTC_USD/trades')).json as [object]
      expect(trade).toEqual({
        id: '1',
        symbol: 'BTC_USD',
        price: '100.00',
        qty: '0.50000',
        buyOrderId: taken.id,
        sellOrderId: rested.id,
        buyerId: alice.id,
        sellerId: bob.id,
        isBuyerMaker: false,
        createdAt: START,
      })
      expect(await alice.fills()).toEqual([{ ...trade, side: 'BUY', orderId: taken.id, isMaker: false }])
      expect(await bob.fills()).toEqual([{ ...trade, side: 'SELL', orderId: rested.id, isMaker: true }])
      await bob.market('BUY', 'BTC_USD', '0.5')
      expect((await alice.fills()).length).toBe(1)
      expect((await bob.fills()).map(({ id }) => id)).toEqual(['2', '2', '1'])
    })

    it('decision 4: 100 of them when no limit is given', async () => {
      await alice.credit('USD', '100000')
      await bob.limit('SELL', 'BTC_USD', '100', '1000')
      for (let done = 0; done < 101; done += 1) await alice.market('BUY', 'BTC_USD', '0.5')
      expect((await alice.fills()).map(({ id }) => Number(id))).toEqual(
        Array.from({ length: 100 }, (_, at) => 101 - at),
      )
      expect((await alice.get('/trades?limit=500')).json).toHaveLength(101)
      expect((await alice.get('/trades?limit=1')).json).toMatchObject([{ id: '101' }])
    })

    it.each(['0', '501', '-1', '1.5', 'x', ''])('limit=%s is 400 VALIDATION_ERROR and names it', async (limit) => {
      const { status, code, fields } = await alice.get(`/trades?limit=${limit}`)
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', ['limit']])
    })
  })
}
