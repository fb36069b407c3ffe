import { describe, expect, it } from 'vitest'
import { CROWD } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import type { Side } from '../../src/domain/order.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig } from '../../src/exchange/exchange.ts'
import { createNaiveExchange } from '../twin/naive-exchange.ts'

const SYMBOL = 'BTC_USD'
const config = (makerFeeBps: string, takerFeeBps: string): ExchangeConfig => ({
  markets: [
    {
      id: SYMBOL,
      name: SYMBOL,
      symbol: SYMBOL,
      baseAsset: 'BTC',
      quoteAsset: 'USD',
      pricePrecision: 0,
      qtyPrecision: 0,
      makerFeeBps,
      takerFeeBps,
      selfTrade: 'allow',
    },
  ],
  quoteAsset: 'USD',
  history: { orders: 100, fills: 100, trades: 100, candles: 10 },
})

describe.each([
  ['the exchange', createExchange],
  ['its twin', createNaiveExchange],
])('%s, taking from an offer', (_, create) => {
  const stage = (makerFeeBps = '0', takerFeeBps = '0') => {
    const exchange = create(config(makerFeeBps, takerFeeBps))
    for (const account of ['ann', 'bob']) {
      exchange.execute({ type: 'credit', time: 0, account, asset: 'USD', amount: 10n ** 12n })
      exchange.execute({ type: 'credit', time: 0, account, asset: 'BTC', amount: 1000n })
    }
    return exchange
  }
  const limit = (exchange: Exchange, account: string, side: Side, price: number, qty: number): number => {
    exchange.execute({ type: 'place', time: 1, account, request: { symbol: SYMBOL, side, type: 'LIMIT', price, qty } })
    return exchange.lastOrderId
  }
  const trades = (events: readonly ExchangeEvent[]): string[] =>
    events.flatMap((event) =>
      event.type === 'traded' ? [`${event.taker.userId} ${event.trade.qty}@${event.trade.price} t=${event.time}`] : [],
    )

  it('gives each order in its turn what its limit allows, at the price of the offer, as a taker', () => {
    const exchange = stage('0', '100')
    const first = limit(exchange, 'ann', 'BUY', 98, 10)
    const second = limit(exchange, 'bob', 'BUY', 95, 10)
    const offers = [
      { price: 92, qty: 6 },
      { price: 91, qty: 6 },
      { price: 96, qty: 5 },
    ]
    const events = exchange.execute({ type: 'take', time: 5, symbol: SYMBOL, orderIds: [first, second], offers })
    expect(trades(events)).toEqual(['ann 6@91 t=5', 'ann 4@92 t=5', 'bob 2@92 t=5'])
    expect(exchange.order('ann', first)?.status).toBe('FILLED')
    expect(exchange.order('bob', second)).toMatchObject({ status: 'PARTIALLY_FILLED', filledQty: 2 })
    expect(exchange.depth(SYMBOL)).toEqual({ bids: [{ price: 95, qty: 8n }], asks: [] })
    expect(exchange.openOrders(CROWD)).toEqual([])
    for (const line of exchange.audit()) expect(line.credited).toBe(line.held + line.fees)
    // 1 % of 6 x 91 + 4 x 92 = 914, and of 2 x 92 = 184, each rounded up to a whole dollar.
    expect(exchange.audit().find(({ asset }) => asset === 'USD')?.fees).toBe(12n)
  })

  it('puts what is left of an order behind the others at its price', () => {
    const exchange = stage()
    const first = limit(exchange, 'ann', 'SELL', 100, 5)
    const second = limit(exchange, 'bob', 'SELL', 100, 5)
    exchange.execute({
      type: 'take',
      time: 5,
      symbol: SYMBOL,
      orderIds: [first, second],
      offers: [{ price: 110, qty: 2 }],
    })
    expect(exchange.restingAt(SYMBOL, 'SELL', 100)).toMatchObject([
      { orderId: first, qty: 3 },
      { orderId: second, qty: 5 },
    ])
  })

  it('gives back what an order had reserved and no longer needs', () => {
    const exchange = stage('30', '10')
    const whole = limit(exchange, 'ann', 'BUY', 98, 10)
    const part = limit(exchange, 'bob', 'BUY', 98, 10)
    const offers = [{ price: 50, qty: 14 }]
    exchange.execute({ type: 'take', time: 5, symbol: SYMBOL, orderIds: [whole, part], offers })
    expect(exchange.balances('ann').get('USD')?.locked).toBe(0n)
    // 6 x 98, and the fee that is yet to come: 0.1 % of 4 x 50 and 0.3 % of 588 are 1.964, so 2, of which 1 was charged.
    expect(exchange.balances('bob').get('USD')?.locked).toBe(589n)
  })

  it('gives a new order what is offered to it alone, and what rests first at the same price', () => {
    const exchange = stage()
    limit(exchange, 'bob', 'SELL', 101, 2)
    limit(exchange, 'bob', 'SELL', 103, 2)
    // Beyond the offers, and untouched by them.
    limit(exchange, 'bob', 'BUY', 100, 1)
    const request = { symbol: SYMBOL, side: 'BUY', type: 'MARKET', qty: 9 } as const
    const offers = [
      { price: 102, qty: 3 },
      { price: 101, qty: 1 },
      { price: 90, qty: 1 },
    ]
    const events = exchange.execute({ type: 'place', time: 5, account: 'ann', request, offers })
    expect(trades(events)).toEqual(['ann 1@90 t=5', 'ann 2@101 t=5', 'ann 1@101 t=5', 'ann 3@102 t=5', 'ann 2@103 t=5'])
    expect(exchange.depth(SYMBOL)).toEqual({ bids: [{ price: 100, qty: 1n }], asks: [] })
  })

  it('takes no id for an order that is refused', () => {
    const exchange = stage()
    const request = { symbol: SYMBOL, side: 'SELL', type: 'MARKET', qty: 5000 } as const
    const offers = [{ price: 90, qty: 1 }]
    const [event] = exchange.execute({ type: 'place', time: 5, account: 'ann', request, offers })
    expect(event).toMatchObject({ type: 'order-refused', refusal: { code: 'INSUFFICIENT_BALANCE' } })
    expect(exchange.lastOrderId).toBe(0)
  })
})
