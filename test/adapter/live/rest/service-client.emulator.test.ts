import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import { ServiceClient } from '../../../../src/adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../../../../src/adapter/live/rest/undici-transport.ts'
import { serveMarket, type ServedMarket } from '../../../server/rig/served-market.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'

let served: ServedMarket
let transport: UndiciTransport
let client: ServiceClient
let budget: ClientBudget

beforeAll(async () => {
  served = await serveMarket()
  const { key } = await served.user({ USD: '100000', BTC: '5' })
  transport = new UndiciTransport({ url: served.server.baseUrl, apiKey: key })
  const time = new FakeLiveTime()
  budget = new ClientBudget({ time })
  client = new ServiceClient({ transport, budget, time, random: Math.random })
})
afterAll(async () => {
  await transport.close()
  await served.server.close()
})

describe('the calls of a service, over a socket', () => {
  it('read, create, fill and cancel', async () => {
    const [market] = await client.markets()
    const { symbol = '' } = market ?? {}
    const order = { symbol, type: 'LIMIT', price: 10_000, qty: 100 } as const
    expect(await client.trades(symbol, 10)).toEqual([])
    expect(await client.candles(symbol, '1m', 10)).toEqual([])
    expect(await client.ticker(symbol)).toMatchObject({ symbol, lastPrice: 0 })

    const buy = await client.create({ ...order, side: 'BUY' })
    const sell = await client.create({ ...order, side: 'SELL', qty: 40 })
    expect(buy).toMatchObject({ type: 'created', order: { status: 'OPEN', price: 10_000, qty: 100 } })
    expect(sell).toMatchObject({ type: 'created', order: { status: 'FILLED', filledQty: 40 } })
    const id = buy.type === 'created' ? buy.order.id : ''

    expect(await client.openOrders('poll')).toMatchObject([{ id, filledQty: 40 }])
    expect(await client.order(id, 'settle')).toMatchObject({ id, status: 'PARTIALLY_FILLED' })
    expect(await client.order('no-such', 'settle')).toBeUndefined()
    const listed = await client.orders({ symbol, limit: 500, page: 1 }, 'settle')
    expect(listed.orders).toHaveLength(2)
    expect(await client.orders({ symbol, limit: 500, page: 2 }, 'settle')).toEqual({ orders: [], unreadable: [] })
    const fills = await client.fills(500, 'poll')
    expect(fills.map(({ side, isMaker, orderId }) => [side, isMaker, orderId === id])).toEqual(
      expect.arrayContaining([
        ['BUY', true, true],
        ['SELL', false, false],
      ]),
    )
    expect((await client.balances('poll')).get('BTC')).toMatchObject({ available: '5' })
    expect(await client.portfolio('poll')).toMatchObject({ quoteAsset: 'USD', baselineEquity: expect.any(String) })

    expect(await client.cancel(id)).toMatchObject({ type: 'cancelled', order: { id, status: 'CANCELLED' } })
    expect(await client.cancel(id)).toMatchObject({ type: 'refused', refusal: { code: 'ORDER_NOT_CANCELLABLE' } })
    expect(await client.create({ ...order, side: 'BUY', price: 2_000_000_000_000 })).toMatchObject({
      type: 'refused',
      refusal: { code: 'INSUFFICIENT_BALANCE' },
    })
    expect(budget.snapshot().general.limit).toBe(1e9)
  })
})
