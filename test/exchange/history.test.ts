/**
 * Queries of orders, trades and fills, and how much of them is kept (the specification, section 4).
 */
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import type { Exchange, OrderQuery } from '../../src/exchange/exchange.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'
import { play } from './rig/transcript.ts'

const twoMarkets = { markets: [market('BTC_USD'), market('ETH_USD')], quoteAsset: 'USD', history: KEEP_ALL }

describe('spec 4: order history', () => {
  script(
    'spec 4: GET /orders is newest first, GET /orders/open only what is OPEN or PARTIALLY_FILLED',
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 2 BTC            | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    alice buys 2 BTC_USD at 99   | #2 OPEN
    bob sells 2 BTC_USD          | #3 FILLED: 1 at 100 with #1, 1 at 99 with #2
    alice buys 1 BTC_USD at 98   | #4 OPEN
    alice buys 1 BTC_USD at 97   | #5 OPEN
    alice cancels #4             | #4 CANCELLED
    alice orders                 | #5, #4, #2, #1
    alice open                   | #5, #2
    bob orders                   | #3
    bob open                     | none
    carol orders                 | none
    carol open                   | none
    `,
  )

  describe.each(implementations)('$name', ({ create }) => {
    /** Alice has #1 FILLED in BTC, #2 PARTIALLY_FILLED in BTC, #4 OPEN in ETH, #5 CANCELLED in ETH, #6 OPEN in BTC. */
    const history = (): Exchange => {
      const exchange = create(twoMarkets)
      play(
        exchange,
        `
        alice credits 1000 USD
        bob credits 2 BTC
        alice buys 1 BTC_USD at 100
        alice buys 2 BTC_USD at 99
        bob sells 2 BTC_USD
        alice buys 1 ETH_USD at 50
        alice buys 1 ETH_USD at 49
        alice buys 1 BTC_USD at 98
        alice cancels #5
        `,
      )
      return exchange
    }

    it.each`
      query                                       | expected           | why
      ${{}}                                       | ${[6, 5, 4, 2, 1]} | ${'all, newest first'}
      ${{ symbol: 'BTC_USD' }}                    | ${[6, 2, 1]}       | ${'one market'}
      ${{ symbol: 'XYZ_USD' }}                    | ${[]}              | ${'a market that is not there has no orders'}
      ${{ status: 'OPEN' }}                       | ${[6, 4]}          | ${'OPEN is not PARTIALLY_FILLED'}
      ${{ status: 'PARTIALLY_FILLED' }}           | ${[2]}             | ${'one status'}
      ${{ status: 'FILLED' }}                     | ${[1]}             | ${'one status'}
      ${{ status: 'CANCELLED' }}                  | ${[5]}             | ${'one status'}
      ${{ symbol: 'ETH_USD', status: 'OPEN' }}    | ${[4]}             | ${'both'}
      ${{ limit: 2 }}                             | ${[6, 5]}          | ${'first page'}
      ${{ limit: 2, page: 2 }}                    | ${[4, 2]}          | ${'pages are one-based'}
      ${{ limit: 2, page: 3 }}                    | ${[1]}             | ${'a short last page'}
      ${{ limit: 2, page: 4 }}                    | ${[]}              | ${'past the end'}
      ${{ symbol: 'BTC_USD', limit: 2, page: 2 }} | ${[1]}             | ${'pages of what was asked for'}
    `('spec 4: GET /orders $query -> $expected: $why', ({ query, expected }) => {
      const asked: OrderQuery = { limit: 50, page: 1, ...query }
      expect(
        history()
          .orders('alice', asked)
          .map(({ id }) => id),
      ).toEqual(expected)
    })

    it('an order that was handed out does not change afterwards', () => {
      const exchange = history()
      const before = exchange.order('alice', 2)
      const copy = structuredClone(before)
      play(exchange, 'alice cancels #2')
      expect(before).toEqual(copy)
      expect(exchange.order('alice', 2)?.status).toBe('CANCELLED')
    })
  })
})

describe('spec 4: trades', () => {
  describe.each(implementations)('$name', ({ create }) => {
    const printed = (count: number, kept = Infinity): Exchange => {
      const exchange = create({ ...twoMarkets, history: { ...KEEP_ALL, trades: kept } })
      for (let trade = 1; trade <= count; trade += 1) {
        exchange.print({ symbol: 'BTC_USD', time: trade, price: trade, qty: 1, isBuyerMaker: false })
      }
      return exchange
    }

    it.each`
      limit       | kept        | expected        | why
      ${500}      | ${Infinity} | ${[4, 3, 2, 1]} | ${'newest first'}
      ${2}        | ${Infinity} | ${[4, 3]}       | ${'the newest'}
      ${Infinity} | ${3}        | ${[4, 3, 2]}    | ${'no more than are kept'}
      ${1}        | ${3}        | ${[4]}          | ${'fewer than are kept'}
    `('spec 4: $why: limit $limit of $kept kept -> $expected', ({ limit, kept, expected }) => {
      expect(
        printed(4, kept)
          .trades('BTC_USD', limit)
          .map(({ id }) => id),
      ).toEqual(expected)
    })

    it('spec 4: an empty array when the market has no fills', () => {
      expect(printed(4).trades('ETH_USD', 500)).toEqual([])
    })

    it.each(['depth', 'trades', 'ticker', 'candles', 'bestPrice'] as const)(
      '%s of an unknown market is a bug',
      (read) => {
        const exchange = printed(1)
        const reads = {
          depth: () => exchange.depth('X_Y'),
          trades: () => exchange.trades('X_Y', 1),
          ticker: () => exchange.ticker('X_Y', 9),
          candles: () => exchange.candles('X_Y', { interval: '1m', limit: 1 }),
          bestPrice: () => exchange.bestPrice('X_Y', 'BUY'),
        }
        expect(reads[read]).toThrow(InvariantError)
      },
    )
  })

  script(
    "spec 4: GET /trades has only the caller's own, newest first, with his side, order and role",
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 2 BTC            | credited
    carol credits 1000 USD       | credited
    bob sells 2 BTC_USD at 100   | #1 OPEN
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 100 with #1
    carol buys 1 BTC_USD         | #3 FILLED: 1 at 100 with #1
    BTC_USD prints buy 1 at 90   | trade 3
    alice sells 1 BTC_USD at 101 | #6 OPEN
    carol buys 1 BTC_USD         | #7 FILLED: 1 at 101 with #6
    alice fills                  | SELL #6 maker 1 at 101, BUY #2 taker 1 at 100
    bob fills                    | SELL #1 maker 1 at 100, SELL #1 maker 1 at 100
    carol fills                  | BUY #7 taker 1 at 101, BUY #3 taker 1 at 100
    dave fills                   | none
    `,
  )
})

describe('how much is kept', () => {
  script(
    'history.orders counts finished orders in the order in which they finished; live ones are always kept',
    { ...oneMarket(), history: { ...KEEP_ALL, orders: 2 } },
    `
    alice credits 1000 USD       | credited
    alice buys 1 BTC_USD at 1    | #1 OPEN
    alice buys 1 BTC_USD at 2    | #2 OPEN
    alice buys 1 BTC_USD at 3    | #3 OPEN
    alice buys 1 BTC_USD at 4    | #4 OPEN
    alice cancels #3             | #3 CANCELLED
    alice cancels #1             | #1 CANCELLED
    alice orders                 | #4, #3, #2, #1
    alice cancels #2             | #2 CANCELLED
    alice orders                 | #4, #2, #1 -- #3 finished first
    alice order #3               | none
    alice cancels #3             | refused ORDER_NOT_FOUND -- it is no longer known
    alice cancels #1             | refused ORDER_NOT_CANCELLABLE
    `,
  )

  script(
    "history.orders is counted by account: one's orders do not push out another's",
    { ...oneMarket(), history: { ...KEEP_ALL, orders: 1 } },
    `
    alice credits 1000 USD       | credited
    bob credits 10 BTC           | credited
    alice buys 1 BTC_USD at 10   | #1 OPEN
    bob sells 1 BTC_USD          | #2 FILLED: 1 at 10 with #1
    bob sells 1 BTC_USD at 11    | #3 OPEN
    bob cancels #3               | #3 CANCELLED
    alice orders                 | #1
    bob orders                   | #3
    `,
  )

  script(
    'history.orders 0 keeps live orders only',
    { ...oneMarket(), history: { ...KEEP_ALL, orders: 0 } },
    `
    alice credits 1000 USD       | credited
    alice buys 1 BTC_USD at 10   | #1 OPEN
    alice buys 1 BTC_USD at 11   | #2 OPEN
    alice cancels #1             | #1 CANCELLED
    alice orders                 | #2
    alice cancels #1             | refused ORDER_NOT_FOUND
    `,
  )

  script(
    'history.fills keeps the newest fills of each account',
    { ...oneMarket(), history: { ...KEEP_ALL, fills: 2 } },
    `
    alice credits 1000 USD       | credited
    bob credits 3 BTC            | credited
    alice buys 3 BTC_USD at 10   | #1 OPEN
    bob sells 1 BTC_USD          | #2 FILLED: 1 at 10 with #1
    bob sells 1 BTC_USD          | #3 FILLED: 1 at 10 with #1
    bob sells 1 BTC_USD          | #4 FILLED: 1 at 10 with #1
    alice fills                  | BUY #1 maker 1 at 10, BUY #1 maker 1 at 10
    bob fills                    | SELL #4 taker 1 at 10, SELL #3 taker 1 at 10
    BTC_USD trades               | 3 sell 1 at 10, 2 sell 1 at 10, 1 sell 1 at 10
    `,
  )

  script(
    'forgetting history forgets no money',
    { ...oneMarket({ takerFeeBps: '100' }), history: { orders: 0, fills: 0, trades: 1, candles: 1 } },
    `
    alice credits 1000 USD       | credited
    bob credits 300 BTC          | credited
    alice buys 3 BTC_USD at 100  | #1 OPEN
    bob sells 1 BTC_USD          | #2 FILLED: 1 at 100 with #1 for 0 and 1
    bob sells 2 BTC_USD          | #3 FILLED: 2 at 100 with #1 for 0 and 2
    alice fills                  | none
    alice orders                 | none
    alice has USD                | 700 available, 0 locked
    bob has USD                  | 297 available, 0 locked
    USD audit                    | 1000 = 997 held + 3 fees
    BTC_USD ticker               | last 100 open 100 high 100 low 100 volume 3 for 300 change 0 (0%)
    `,
  )
})
