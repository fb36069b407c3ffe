/**
 * Public market data: sections 2 and 4 (Public), decisions 4, 15, 16.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TradeJson } from '../../../src/domain/trade.ts'
import type { ServiceStage } from './service-stage.ts'
import { SERVICE_CONFIG, START } from './service-subject.ts'
import type { TestUser } from './test-user.ts'

const DAY = 24 * 60 * 60_000

export function describeMarketData(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let maker: TestUser
  let taker: TestUser
  const get = async (path: string): Promise<unknown> => (await service.ask('GET', path)).json

  /** A trade in BTC_USD, taken by a buyer unless given otherwise. */
  const trade = async (price: string, qty: string, taking: 'BUY' | 'SELL' = 'BUY'): Promise<void> => {
    await maker.limit(taking === 'BUY' ? 'SELL' : 'BUY', 'BTC_USD', price, qty)
    await taker.market(taking, 'BTC_USD', qty)
  }

  beforeEach(async () => {
    service = await open()
    const credits = { USD: '1000000', BTC: '1000' }
    maker = await service.user({ credits })
    taker = await service.user({ credits })
  })
  afterEach(() => service.close())

  describe('section 2, Market; section 4, GET /markets', () => {
    it('lists every market with the fields of the specification and no other', async () => {
      const data = SERVICE_CONFIG.markets.map((market) => ({
        id: market.id,
        name: market.name,
        symbol: market.symbol,
        baseAsset: market.baseAsset,
        quoteAsset: market.quoteAsset,
        pricePrecision: market.pricePrecision,
        qtyPrecision: market.qtyPrecision,
      }))
      expect(await get('/markets')).toEqual({ data })
    })
  })

  describe('section 2, Ticker; decision 16', () => {
    const nothing = {
      event: 'ticker',
      symbol: 'BTC_USD',
      lastPrice: '0',
      openPrice: '0',
      high: '0',
      low: '0',
      volume: '0',
      quoteVolume: '0',
      priceChange: '0',
      priceChangePercent: 0,
      timestamp: '2025-01-01T00:00:00.000Z',
    }

    it('without a trade ever all is "0", and the timestamp is now', async () => {
      expect(await get('/markets/BTC_USD/ticker')).toEqual(nothing)
      await service.pass(1)
      expect(await get('/markets/BTC_USD/ticker')).toEqual({ ...nothing, timestamp: '2025-01-01T00:00:00.001Z' })
    })

    it('is of the trades of the last 24 hours; prices have the precision of the market, volumes no zeros at their end', async () => {
      await trade('100.5', '2')
      await trade('90', '0.5', 'SELL')
      await trade('120.25', '0.00001')
      expect(await get('/markets/BTC_USD/ticker')).toEqual({
        ...nothing,
        lastPrice: '120.25',
        openPrice: '100.50',
        high: '120.25',
        low: '90.00',
        volume: '2.50001',
        quoteVolume: '246.0012025',
        priceChange: '19.75',
        priceChangePercent: 19.65,
      })
    })

    it('a fall is a negative change', async () => {
      await trade('300', '1')
      await trade('200', '1')
      expect(await get('/markets/BTC_USD/ticker')).toMatchObject({ priceChange: '-100.00', priceChangePercent: -33.33 })
    })

    it('has left out a trade when exactly 24 hours have passed, and not a millisecond before', async () => {
      await trade('100', '1')
      await service.pass(1000)
      await trade('110', '1')
      await service.pass(DAY - 1001)
      expect(await get('/markets/BTC_USD/ticker')).toMatchObject({ openPrice: '100.00', low: '100.00', volume: '2' })
      await service.pass(1)
      expect(await get('/markets/BTC_USD/ticker')).toMatchObject({ openPrice: '110.00', low: '110.00', volume: '1' })
    })

    it('without a trade inside, open, high and low are the last price and the volumes "0"', async () => {
      await trade('100', '1')
      await trade('110', '1')
      await service.pass(2 * DAY)
      expect(await get('/markets/BTC_USD/ticker')).toEqual({
        ...nothing,
        lastPrice: '110.00',
        openPrice: '110.00',
        high: '110.00',
        low: '110.00',
        priceChange: '0.00',
        timestamp: '2025-01-03T00:00:00.000Z',
      })
    })

    it('GET /markets/tickers has one of every market, in the order of the markets, each as its own endpoint reports it', async () => {
      await trade('100', '1')
      const single = await Promise.all(SERVICE_CONFIG.markets.map(({ symbol }) => get(`/markets/${symbol}/ticker`)))
      expect(await get('/markets/tickers')).toEqual(single)
    })
  })

  describe('section 2, Public trade; section 4, GET /markets/{symbol}/trades', () => {
    it('is an empty array when the market has no fills', async () => {
      expect(await get('/markets/BTC_USD/trades')).toEqual([])
    })

    it('reports both orders, both users, who rested, and the time in Unix milliseconds; newest first', async () => {
      await service.pass(1500)
      await trade('100.5', '2')
      await trade('100', '0.00001', 'SELL')
      const [ids, users] = [
        { buyOrderId: '2', sellOrderId: '1' },
        { buyerId: taker.id, sellerId: maker.id },
      ]
      const first = { id: '1', symbol: 'BTC_USD', price: '100.50', qty: '2.00000', isBuyerMaker: false }
      const second = { id: '2', symbol: 'BTC_USD', price: '100.00', qty: '0.00001', isBuyerMaker: true }
      expect(await get('/markets/BTC_USD/trades')).toEqual([
        {
          ...second,
          buyOrderId: '3',
          sellOrderId: '4',
          buyerId: maker.id,
          sellerId: taker.id,
          createdAt: START + 1500,
        },
        { ...first, ...ids, ...users, createdAt: START + 1500 },
      ])
      expect(await get('/markets/ETH_USD/trades')).toEqual([])
    })

    it('decision 4: 100 of them when no limit is given, else the newest ones', async () => {
      await maker.limit('SELL', 'BTC_USD', '100', '1000')
      for (let done = 0; done < 101; done += 1) await taker.market('BUY', 'BTC_USD', '0.5')
      const idsOf = async (query: string): Promise<number[]> =>
        ((await get(`/markets/BTC_USD/trades${query}`)) as TradeJson[]).map(({ id }) => Number(id))
      const all = Array.from({ length: 101 }, (_, index) => 101 - index)
      expect(await idsOf('')).toEqual(all.slice(0, 100))
      expect(await idsOf('?limit=1')).toEqual([101])
      expect(await idsOf('?limit=101')).toEqual(all)
      expect(await idsOf('?limit=500')).toEqual(all)
    })

    it.each(['0', '501', '-1', '1.5', '1e2', '%2B5', 'ten', '', '99999999999999999999', '05', '%20', '0x10'])(
      'decision 4: limit=%s is 400 VALIDATION_ERROR and names it',
      async (limit) => {
        const { status, code, fields } = await service.ask('GET', `/markets/BTC_USD/trades?limit=${limit}`)
        expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', ['limit']])
      },
    )
  })

  describe('section 4: an unknown market is 404 MARKET_NOT_FOUND', () => {
    const unknown = [
      'XRP_USD',
      'btc_usd',
      'BTC-USD',
      'BTCUSD',
      'BTC_USD%20',
      '__proto__',
      'constructor',
      '%F0%9F%92%A9',
      'tickers',
    ]
    const ends = ['ticker', 'trades', 'candles']
    it.each(unknown.flatMap((symbol) => ends.map((end) => `/markets/${symbol}/${end}`)))('%s', async (path) => {
      const { status, code } = await service.ask('GET', path)
      expect([status, code]).toEqual([404, 'MARKET_NOT_FOUND'])
    })

    it('also one whose name is very long', async () => {
      const { status, code, text } = await service.ask('GET', `/markets/${'X'.repeat(4000)}/ticker`)
      expect([status, code]).toEqual([404, 'MARKET_NOT_FOUND'])
      expect(text.length).toBeLessThan(300)
    })

    it('and a symbol may be percent-encoded', async () => {
      expect(await get('/markets/BTC%5FUSD/ticker')).toEqual(await get('/markets/BTC_USD/ticker'))
    })
  })
}
