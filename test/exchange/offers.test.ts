import { describe, expect, it } from 'vitest'
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
])('%s, with offers to a new order', (_, create) => {
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
