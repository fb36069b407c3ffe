/**
 * Exactness at any size and in every mix of precisions (decision 29).
 */
import { describe, expect, it } from 'vitest'
import { auditDifference } from '../../src/domain/audit.ts'
import { powerOfTen } from '../../src/domain/fixed-point.ts'
import { MAX_PRECISION } from '../../src/domain/market.ts'
import type { OrderRequest } from '../../src/domain/order.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

const MAX = Number.MAX_SAFE_INTEGER

describe('amounts of any size', () => {
  script(
    'decision 29: 10^30 ledger units are held, spent and returned to the last one',
    oneMarket({ pricePrecision: 12, qtyPrecision: 12, takerFeeBps: '0.0001' }),
    `
    -- USD has 24 digits: 1 000 000 USD are 10^30 units; 0.1 x 0.000000000003 = 3 x 10^-13
    alice credits 1000000 USD                    | credited
    alice credits 0.000000000000000000000001 USD | credited
    bob credits 5000 BTC                         | credited
    bob sells 0.1 BTC_USD at 0.000000000003      | #1 OPEN
    alice buys 0.1 BTC_USD                       | #2 FILLED: 0.1 at 0.000000000003 with #1 for 0 and 0.000000000000000000003
    alice has USD                                | 999999.999999999999699999997001 available, 0 locked
    alice buys 1000 BTC_USD at 999.99            | #3 OPEN
    -- the taker's 10^-8 of 999990 is held as well
    alice has USD                                | 9.990000099999699999997001 available, 999990.0099999 locked
    alice cancels #3                             | #3 CANCELLED
    alice has USD                                | 999999.999999999999699999997001 available, 0 locked
    USD audit                                    | 1000000.000000000000000000000001 = 999999.999999999999999999997001 held + 0.000000000000000000003 fees
    `,
  )

  describe.each(implementations)('$name', ({ create }) => {
    const place = (request: OrderRequest, account: string) => ({ type: 'place', time: 0, account, request }) as const
    const limit = { symbol: 'BTC_USD', type: 'LIMIT', price: MAX, qty: MAX } as const

    it('decision 29: an order of 2^53 - 1 lots at 2^53 - 1 ticks, far beyond 2^104 ledger units', () => {
      const exchange = create(oneMarket({ takerFeeBps: '10000' }))
      const cost = BigInt(MAX) * BigInt(MAX)
      exchange.execute({ type: 'credit', time: 0, account: 'bob', asset: 'BTC', amount: BigInt(MAX) })
      exchange.execute({ type: 'credit', time: 0, account: 'alice', asset: 'USD', amount: 2n * cost - 1n })
      const refused = exchange.execute(place({ ...limit, side: 'BUY' }, 'alice'))
      expect(refused).toMatchObject([{ type: 'order-refused', refusal: { code: 'INSUFFICIENT_BALANCE' } }])
      exchange.execute({ type: 'credit', time: 0, account: 'alice', asset: 'USD', amount: 1n })
      exchange.execute(place({ ...limit, side: 'BUY' }, 'alice'))
      expect(exchange.balances('alice').get('USD')).toEqual({ available: 0n, locked: 2n * cost })
      exchange.execute(place({ ...limit, side: 'SELL' }, 'bob'))
      // Alice was the maker, whose rate is 0; bob's whole proceeds are his fee.
      expect(exchange.balances('alice').get('USD')).toEqual({ available: cost, locked: 0n })
      expect(exchange.balances('bob').get('USD')).toEqual({ available: 0n, locked: 0n })
      expect(exchange.order('alice', 1)?.filledNotional).toBe(cost)
      expect(exchange.ticker('BTC_USD', 0)).toMatchObject({ volume: BigInt(MAX), quoteVolume: cost })
      expect(exchange.audit().map(auditDifference)).toEqual([0n, 0n])
    })

    it('statistics add up beyond 2^53 lots', () => {
      const exchange = create(oneMarket())
      for (const time of [0, 1, 2]) {
        exchange.print({ symbol: 'BTC_USD', time, price: MAX, qty: MAX, isBuyerMaker: false })
      }
      const volume = 3n * BigInt(MAX)
      expect(exchange.ticker('BTC_USD', 2)).toMatchObject({ volume, quoteVolume: volume * BigInt(MAX) })
      expect(exchange.candles('BTC_USD', { interval: '1d', limit: 1 })).toMatchObject([{ volume }])
      const day = 24 * 60 * 60 * 1000
      expect(exchange.ticker('BTC_USD', day + 1)).toMatchObject({ volume: BigInt(MAX) })
    })

    it('depth adds up beyond 2^53 lots', () => {
      const exchange = create(oneMarket())
      exchange.execute({ type: 'credit', time: 0, account: 'bob', asset: 'BTC', amount: 3n * BigInt(MAX) })
      for (let order = 0; order < 3; order += 1) exchange.execute(place({ ...limit, side: 'SELL' }, 'bob'))
      expect(exchange.depth('BTC_USD').asks).toEqual([{ price: MAX, qty: 3n * BigInt(MAX) }])
    })

    const precisions = Array.from({ length: MAX_PRECISION + 1 }, (_, precision) => precision)

    it.each(precisions)(
      'decision 29: pricePrecision %i with every qtyPrecision, beside a coarse and a fine market',
      (price) => {
        for (const qty of precisions) {
          const markets = [
            market('BTC_USD', { pricePrecision: price, qtyPrecision: qty, makerFeeBps: '10', takerFeeBps: '25.0001' }),
            market('ETH_USD', { pricePrecision: 6, qtyPrecision: 6 }),
            market('ETH_BTC', { pricePrecision: 3, qtyPrecision: 2 }),
          ]
          const exchange = create({ markets, quoteAsset: 'USD', history: KEEP_ALL })
          const usd = Math.max(price + qty, 12)
          const btc = Math.max(qty, 5)
          expect(exchange.scales).toEqual(
            new Map([
              ['BTC', btc],
              ['USD', usd],
              ['ETH', 6],
            ]),
          )

          // 7 lots at 3 ticks are 21 x 10^-(price + qty) USD.
          const cost = 21n * powerOfTen(usd - price - qty)
          const lots = 7n * powerOfTen(btc - qty)
          const fee = (rate: bigint): bigint => (cost * rate + 99_999_999n) / 100_000_000n
          exchange.execute({ type: 'credit', time: 0, account: 'bob', asset: 'BTC', amount: lots })
          exchange.execute({ type: 'credit', time: 0, account: 'alice', asset: 'USD', amount: cost + fee(250_001n) })
          const small = { symbol: 'BTC_USD', type: 'LIMIT', price: 3, qty: 7 } as const
          exchange.execute(place({ ...small, side: 'SELL' }, 'bob'))
          expect(exchange.balances('bob').get('BTC')).toEqual({ available: 0n, locked: lots })
          const events = exchange.execute(place({ ...small, side: 'BUY' }, 'alice'))
          expect(events.at(-1)).toMatchObject({ type: 'traded', makerFee: fee(100_000n), takerFee: fee(250_001n) })
          expect(exchange.balances('alice').get('USD')).toEqual({ available: 0n, locked: 0n })
          expect(exchange.balances('alice').get('BTC')).toEqual({ available: lots, locked: 0n })
          expect(exchange.balances('bob').get('USD')).toEqual({ available: cost - fee(100_000n), locked: 0n })
          expect(exchange.audit().map(auditDifference)).toEqual([0n, 0n, 0n])
        }
      },
    )
  })
})
