/**
 * Answers of a service of two markets, as it would write them.
 */
import type { Market } from '../../../../src/domain/market.ts'
import type { OrderJson } from '../../../../src/domain/order.ts'
import type { FillJson } from '../../../../src/domain/trade.ts'

export const BTC: Market = {
  id: 'btc-usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 8,
}

export const ETH: Market = {
  ...BTC,
  id: 'eth-usd',
  name: 'Ether',
  symbol: 'ETH_USD',
  baseAsset: 'ETH',
  qtyPrecision: 4,
}

export const MARKETS_JSON = { data: [BTC, ETH] }

export const orderJson = (changes: Partial<Record<keyof OrderJson, unknown>> = {}): Record<string, unknown> => ({
  id: '17',
  userId: 'alice',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: '100.50',
  qty: '0.50000000',
  filledQty: '0.00000000',
  createdAt: '2024-01-01T00:00:00.000Z',
  ...changes,
})

export const fillJson = (changes: Partial<Record<keyof FillJson, unknown>> = {}): Record<string, unknown> => ({
  id: '9',
  symbol: 'BTC_USD',
  price: '100.50',
  qty: '0.50000000',
  buyOrderId: '17',
  sellOrderId: '12',
  buyerId: 'alice',
  sellerId: 'bob',
  isBuyerMaker: true,
  createdAt: 1_704_067_200_000,
  side: 'BUY',
  orderId: '17',
  isMaker: true,
  ...changes,
})
