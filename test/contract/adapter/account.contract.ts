/**
 * Orders, cancels, and what a client knows of its account.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderRequest } from '../../../src/domain/order.ts'
import { acknowledged, balancesText, Client, orderText } from './contract-client.ts'
import { atMarket, BTC, limit, type ContractSubject } from './contract-stage.ts'

export function describeAccount({ open, loseNextAnswer }: ContractSubject): void {
  let client: Client
  beforeEach(async () => {
    client = new Client(await open())
  })
  afterEach(() => client.stage.close())

  describe('from the beginning', () => {
    it('knows its markets and the account', () => {
      expect(
        client.adapter.markets.map(({ symbol, pricePrecision, qtyPrecision }) => [
          symbol,
          pricePrecision,
          qtyPrecision,
        ]),
      ).toEqual([
        ['BTC_USD', 1, 2],
        ['ETH_USD', 0, 0],
      ])
      expect(balancesText(client.adapter.balances())).toEqual({ BTC: '5 + 0', ETH: '0 + 0', USD: '10000 + 0' })
      expect(client.adapter.openOrders()).toEqual([])
      expect(client.adapter.lastPrice(BTC)).toBeUndefined()
    })
  })

  describe('an order', () => {
    it('that rests is acknowledged, then reported with what it locks', async () => {
      const reported = await client.reportedBy(() => client.place(limit('BUY', 1_000, 200)))
      expect(reported).toEqual([
        'acknowledged BUY LIMIT OPEN 0/2 at 100',
        'order BUY LIMIT OPEN 0/2 at 100',
        'balances 9799.6 USD',
      ])
      expect(balancesText(client.adapter.balances()).USD).toBe('9799.6 + 200.4')
      expect(client.adapter.openOrders().map(orderText)).toEqual(['BUY LIMIT OPEN 0/2 at 100'])
    })

    it('that trades at once is acknowledged in the state that it came to; then come its fills, each before the state that counts it', async () => {
      await client.stage.otherPlaces(limit('SELL', 1_000, 100))
      await client.stage.otherPlaces(limit('SELL', 1_010, 300))
      const reported = await client.reportedBy(() => client.place(atMarket('BUY', 150)))
      expect(reported[0]).toBe('acknowledged BUY MARKET FILLED 1.5/1.5')
      expect(reported.filter((each) => each.startsWith('fill'))).toEqual([
        'fill BUY 1 at 100, fee 0.2, taker',
        'fill BUY 0.5 at 101, fee 0.101, taker',
      ])
      expect(reported.at(-1)).toBe('balances 9849.199 USD')
      expect(reported.at(-2)).toBe('order BUY MARKET FILLED 1.5/1.5')
      expect(balancesText(client.adapter.balances())).toMatchObject({ BTC: '6.5 + 0', USD: '9849.199 + 0' })
    })

    it('has its average price once it has a fill', async () => {
      await client.stage.otherPlaces(limit('SELL', 1_000, 100))
      await client.stage.otherPlaces(limit('SELL', 1_010, 200))
      expect(await client.placedOrder(atMarket('BUY', 300))).toMatchObject({ symbol: BTC })
      const [last] = client.reported.flatMap((each) => (each.type === 'order' ? [each.order] : [])).slice(-1)
      expect(last?.averagePrice?.toFixed()).toBe('100.666666667')
      expect((await client.placedOrder(limit('BUY', 1, 1))).averagePrice).toBeUndefined()
    })

    it('that fills in part rests with what is left', async () => {
      await client.stage.otherPlaces(limit('SELL', 1_000, 100))
      expect(orderText(await client.placedOrder(limit('BUY', 1_000, 250)))).toBe(
        'BUY LIMIT PARTIALLY_FILLED 1/2.5 at 100',
      )
      expect(client.adapter.openOrders().map(orderText)).toEqual(['BUY LIMIT PARTIALLY_FILLED 1/2.5 at 100'])
    })

    it('at market that finds too little is finished with what it found', async () => {
      await client.stage.otherPlaces(limit('SELL', 1_000, 100))
      expect(orderText(await client.placedOrder(atMarket('BUY', 250)))).toBe('BUY MARKET CANCELLED 1/2.5')
      expect(client.adapter.openOrders()).toEqual([])
      expect(balancesText(client.adapter.balances())).toMatchObject({ BTC: '6 + 0', USD: '9899.8 + 0' })
    })

    it('that rests is filled later without a request, as maker', async () => {
      const { id } = await client.placedOrder(limit('SELL', 1_000, 200))
      const reported = await client.reportedBy(() => client.stage.otherPlaces(atMarket('BUY', 50)))
      expect(reported).toEqual([
        'fill SELL 0.5 at 100, fee 0.05, maker',
        'order SELL LIMIT PARTIALLY_FILLED 0.5/2 at 100',
        'balances 10049.95 USD',
      ])
      await client.reportedBy(() => client.stage.otherPlaces(atMarket('BUY', 150)))
      expect(client.adapter.openOrders()).toEqual([])
      expect(client.reported.flatMap((each) => (each.type === 'fill' ? [each.fill.orderId] : []))).toEqual([id, id])
    })

    it('of the client alone is reported, not those of others', async () => {
      const reported = await client.reportedBy(async () => {
        await client.stage.otherPlaces(limit('SELL', 1_000, 100))
        await client.stage.otherPlaces(limit('BUY', 1_000, 100))
      })
      expect(reported).toEqual([])
    })
  })

  describe('a request that the exchange refuses', () => {
    it.each`
      request                                                        | code                      | why
      ${limit('BUY', 1_000, 10_000)}                                 | ${'INSUFFICIENT_BALANCE'} | ${'costs just more than there is, with the fee'}
      ${limit('SELL', 1_000, 501)}                                   | ${'INSUFFICIENT_BALANCE'} | ${'sells a lot more than there is'}
      ${atMarket('SELL', 1)}                                         | ${'NO_LIQUIDITY'}         | ${'nobody buys'}
      ${limit('BUY', 1_000, 0)}                                      | ${'ORDER_REJECTED'}       | ${'no quantity'}
      ${limit('BUY', 0, 100)}                                        | ${'ORDER_REJECTED'}       | ${'no price'}
      ${{ symbol: 'DOGE_USD', side: 'BUY', type: 'MARKET', qty: 1 }} | ${'MARKET_NOT_FOUND'}     | ${'no such market'}
    `('with $code changes nothing: $why', async ({ request, code }) => {
      const reported = await client.reportedBy(() => client.place(request as OrderRequest))
      expect(reported).toEqual([`refused ${String(code)}`])
      const { balances, openOrderIds } = await client.stage.atExchange()
      expect(balancesText(balances)).toEqual({ BTC: '5 + 0', ETH: '0 + 0', USD: '10000 + 0' })
      expect(balancesText(client.adapter.balances())).toEqual(balancesText(balances))
      expect([client.adapter.openOrders(), openOrderIds]).toEqual([[], []])
    })

    it('says why in words', async () => {
      const outcome = await client.placed(atMarket('SELL', 1))
      expect(outcome.type === 'refused' ? outcome.refusal.message : '').not.toBe('')
    })
  })

  describe('a cancel', () => {
    it('of an open order is acknowledged with its last state, and gives back what it locked', async () => {
      const { id } = await client.placedOrder(limit('BUY', 1_000, 200))
      const reported = await client.reportedBy(() => client.cancel(id))
      expect(reported).toEqual([
        'acknowledged BUY LIMIT CANCELLED 0/2 at 100',
        'order BUY LIMIT CANCELLED 0/2 at 100',
        'balances 10000 USD',
      ])
      expect(client.adapter.openOrders()).toEqual([])
    })

    it('of an order that is filled in part leaves its fills', async () => {
      const { id } = await client.placedOrder(limit('SELL', 1_000, 200))
      await client.stage.otherPlaces(atMarket('BUY', 50))
      await client.settle()
      expect(orderText(acknowledged(await client.cancelled(id)))).toBe('SELL LIMIT CANCELLED 0.5/2 at 100')
      expect(balancesText(client.adapter.balances())).toMatchObject({ BTC: '4.5 + 0', USD: '10049.95 + 0' })
    })

    it.each(['987654321', '0', '-1', '1.5', '1e3', 'abc', ''])(
      'of an order that never was, %j, is ORDER_NOT_FOUND',
      async (id) => {
        expect(await client.reportedBy(() => client.cancel(id))).toEqual(['refused ORDER_NOT_FOUND'])
      },
    )

    it('of a cancelled order is ORDER_NOT_CANCELLABLE', async () => {
      const { id } = await client.placedOrder(limit('BUY', 1_000, 200))
      await client.cancelled(id)
      expect(await client.reportedBy(() => client.cancel(id))).toEqual(['refused ORDER_NOT_CANCELLABLE'])
    })

    it('of a filled order is ORDER_NOT_CANCELLABLE', async () => {
      await client.stage.otherPlaces(limit('SELL', 1_000, 100))
      const { id } = await client.placedOrder(atMarket('BUY', 100))
      expect(await client.reportedBy(() => client.cancel(id))).toEqual(['refused ORDER_NOT_CANCELLABLE'])
    })
  })

  describe('what the client knows', () => {
    it('are open orders, newest first', async () => {
      const ids: string[] = []
      for (const price of [1_000, 900, 1_100]) ids.unshift((await client.placedOrder(limit('BUY', price, 10))).id)
      expect(client.adapter.openOrders().map(({ id }) => id)).toEqual(ids)
      await client.cancelled(ids[1] ?? '')
      expect(client.adapter.openOrders().map(({ id }) => id)).toEqual([ids[0], ids[2]])
    })

    it('changes with the updates of one moment, of which balances come last, and never before them', async () => {
      const seen: (readonly [string, unknown, number])[] = []
      const look = (type: string): unknown =>
        seen.push([type, balancesText(client.adapter.balances()).USD, client.adapter.openOrders().length])
      client.adapter.updates$.subscribe(({ type }) => look(type))
      client.adapter.place({ request: limit('BUY', 1_000, 200), reference: 1 }, () => look('reply'))
      look('call')
      await client.settle()
      expect(seen).toEqual([
        ['call', '10000 + 0', 0],
        ['reply', '10000 + 0', 0],
        // One that is reported of balances by a read of their own does not know them yet.
        ['order', expect.toBeOneOf(['10000 + 0', '9799.6 + 200.4']), 1],
        ['balances', '9799.6 + 200.4', 1],
      ])
    })

    it('is not changed in place: what was read stays as it was', async () => {
      const [balances, orders] = [client.adapter.balances(), client.adapter.openOrders()]
      await client.placedOrder(limit('BUY', 1_000, 200))
      expect(balancesText(balances).USD).toBe('10000 + 0')
      expect(orders).toEqual([])
    })
  })

  if (loseNextAnswer === undefined) return
  describe('an answer that is lost', () => {
    it.each([true, false])(
      'leaves the outcome unknown, whether the exchange executed the order or not: %s',
      async (isExecuted) => {
        await loseNextAnswer(client.stage, isExecuted)
        expect((await client.placed(limit('BUY', 1_000, 200))).type).toBe('unknown')
        await client.stage.pass(client.stage.unknownMs ?? client.stage.settleMs)
        expect(client.adapter.openOrders()).toHaveLength(isExecuted ? 1 : 0)
        expect(client.texts.at(isExecuted ? -3 : -1)).toBe(isExecuted ? 'adopted BUY LIMIT OPEN 0/2 at 100' : 'absent')
        expect((await client.stage.atExchange()).openOrderIds).toHaveLength(isExecuted ? 1 : 0)
      },
    )
  })
}
