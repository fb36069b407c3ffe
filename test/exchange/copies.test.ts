/**
 * What an exchange was given stays what it was, whatever its owner does with it later.
 */
import { expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { oneMarket } from './rig/configs.ts'

const SYMBOL = 'BTC_USD'

it('does not change an order with the request that it was asked for with', () => {
  const exchange = createExchange(oneMarket())
  const request = { symbol: SYMBOL, side: 'BUY' as const, type: 'LIMIT' as const, price: 100, qty: 5 }
  exchange.execute({ type: 'place', time: 1, account: 'crowd', request })
  const before = JSON.stringify(exchange.snapshot())
  Object.assign(request, { side: 'SELL', price: 1, qty: 50 })
  expect(JSON.stringify(exchange.snapshot())).toBe(before)
  expect(exchange.order('crowd', 1)).toMatchObject({ side: 'BUY', price: 100, qty: 5 })
})

it('does not change with the list of markets that it was made of', () => {
  const config = oneMarket()
  const exchange = createExchange(config)
  Object.assign(config.markets[0] ?? {}, { symbol: 'ETH_USD', makerFeeBps: '100' })
  expect(exchange.markets).toEqual(oneMarket().markets)
})

it('does not change with a snapshot of it, nor with that which it was restored from', () => {
  const exchange = createExchange(oneMarket())
  const request = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 100, qty: 5 } as const
  exchange.execute({ type: 'place', time: 1, account: 'crowd', request })
  const snapshot = exchange.snapshot()
  const restored = restoreExchange(snapshot)
  Object.assign(snapshot.states[0]?.bids[0]?.request ?? {}, { side: 'SELL', qty: 50 })
  for (const each of [exchange, restored]) {
    expect(each.order('crowd', 1)).toMatchObject({ side: 'BUY', price: 100, qty: 5 })
  }
})
