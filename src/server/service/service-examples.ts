/**
 * Examples of the service: one account that bids for bitcoins, is filled in part, and cancels the rest.
 */
import type { RouteExamples } from './route.ts'

const MARKET = {
  id: 'BTC_USD',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 8,
}

const PLACED = {
  id: '17',
  userId: 'user-1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: '42000.00',
  qty: '0.05000000',
  filledQty: '0.00000000',
  createdAt: '2024-03-01T12:00:00.000Z',
}
const FILLED_IN_PART = { ...PLACED, status: 'PARTIALLY_FILLED', filledQty: '0.02000000', averagePrice: '42000' }

const TRADE = {
  id: '9',
  symbol: 'BTC_USD',
  price: '42000.00',
  qty: '0.02000000',
  buyOrderId: '17',
  sellOrderId: '21',
  buyerId: 'user-1',
  sellerId: 'user-2',
  isBuyerMaker: true,
  createdAt: 1_709_294_405_250,
}

const TICKER = {
  event: 'ticker',
  symbol: 'BTC_USD',
  lastPrice: '42000.00',
  openPrice: '41800.00',
  high: '42150.50',
  low: '41790.00',
  volume: '12.5',
  quoteVolume: '524812.5',
  priceChange: '200.00',
  priceChangePercent: 0.48,
  timestamp: '2024-03-01T12:00:06.000Z',
}

const CANDLE = {
  time: 1_709_294_400_000,
  symbol: 'BTC_USD',
  open: '42010.00',
  high: '42012.50',
  low: '42000.00',
  close: '42000.00',
  volume: '0.31',
}

const PORTFOLIO = {
  quoteAsset: 'USD',
  equity: '100000',
  baselineEquity: '100000',
  pnl: '0',
  pnlPercent: '0',
  baselineAt: '2024-03-01T11:00:00.000Z',
  asOf: '2024-03-01T12:00:05.250Z',
  partial: false,
  positions: [
    { asset: 'BTC', available: '0.02', locked: '0', total: '0.02', markPrice: '42000', value: '840' },
    { asset: 'USD', available: '97900', locked: '1260', total: '99160', markPrice: '1', value: '99160' },
  ],
}

export const SERVICE_EXAMPLES: RouteExamples = {
  listMarkets: { answer: { data: [MARKET] } },
  listTickers: { answer: [TICKER] },
  getTicker: { answer: TICKER },
  listMarketTrades: { answer: [TRADE] },
  listCandles: { answer: { data: [CANDLE] } },
  createOrder: {
    bodies: {
      limit: { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '42000.00', qty: '0.05' },
      market: { symbol: 'BTC_USD', side: 'SELL', type: 'MARKET', qty: '0.02' },
    },
    answer: PLACED,
  },
  listOrders: { answer: [FILLED_IN_PART] },
  listOpenOrders: { answer: [FILLED_IN_PART] },
  getOrder: { answer: FILLED_IN_PART },
  cancelOrder: { answer: { ...FILLED_IN_PART, status: 'CANCELLED' } },
  getBalances: { answer: { BTC: { available: '0.02', locked: '0' }, USD: { available: '97900', locked: '1260' } } },
  getPortfolio: { answer: PORTFOLIO },
  listOwnTrades: { answer: [{ ...TRADE, side: 'BUY', orderId: '17', isMaker: true }] },
}
