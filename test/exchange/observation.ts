/**
 * Everything that can be asked of an exchange at one moment, as one value to compare.
 */
import { CANDLE_INTERVAL_NAMES } from '../../src/domain/candle.ts'
import { invariant } from '../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import type { OrderStatus } from '../../src/domain/order.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { ACCOUNTS } from './random-market.ts'

const STATUSES: readonly (OrderStatus | 'any')[] = ['any', 'OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED']

/** @param turn  picks the arguments of the questions that have many: queries, limits, intervals */
export function observe(exchange: Exchange, now: number, turn: number) {
  return {
    lastOrderId: exchange.lastOrderId,
    audit: exchange.audit(),
    markets: exchange.markets.map(({ symbol }) => observeMarket(exchange, symbol, now, turn)),
    accounts: [...ACCOUNTS, 'nobody'].map((account) => observeAccount(exchange, account, now, turn)),
  }
}

function observeMarket(exchange: Exchange, symbol: string, now: number, turn: number) {
  const interval = cyclic(CANDLE_INTERVAL_NAMES, turn)
  const range = { from: now - 7_200_000, to: now - (turn % 3) * 60_000 }
  return {
    symbol,
    bestBid: exchange.bestPrice(symbol, 'BUY'),
    bestAsk: exchange.bestPrice(symbol, 'SELL'),
    depth: exchange.depth(symbol),
    restingBids: exchange.restingTo(symbol, 'BUY', 1 + (turn % 12)),
    restingAsks: exchange.restingTo(symbol, 'SELL', 1 + (turn % 12)),
    atOnePrice: exchange.restingAt(symbol, turn % 2 === 0 ? 'BUY' : 'SELL', 1 + (turn % 12)),
    topOfBook: exchange.depth(symbol, turn % 4),
    trades: exchange.trades(symbol, Infinity),
    newestTrades: exchange.trades(symbol, 1 + (turn % 3)),
    ticker: exchange.ticker(symbol, now),
    minutes: exchange.candles(symbol, { interval: '1m', limit: 1000 }),
    newestCandles: exchange.candles(symbol, { interval, limit: 1 + (turn % 3) }),
    someCandles: exchange.candles(symbol, { interval, ...range, limit: 1 + (turn % 4) }),
  }
}

function observeAccount(exchange: Exchange, account: string, now: number, turn: number) {
  const status = cyclic(STATUSES, turn)
  const { symbol } = cyclic(exchange.markets, turn)
  const page = { limit: 1 + (turn % 3), page: 1 + (turn % 2) }
  return {
    account,
    balances: [...exchange.balances(account)],
    orders: exchange.orders(account, { limit: 1000, page: 1 }),
    someOrders: exchange.orders(account, { ...page, symbol, ...(status === 'any' ? {} : { status }) }),
    newestOrder: exchange.order(account, exchange.lastOrderId),
    someOrder: exchange.order(account, turn),
    openOrders: exchange.openOrders(account),
    fills: exchange.fills(account, Infinity),
    newestFills: exchange.fills(account, 1 + (turn % 3)),
    portfolio: exchange.portfolio(account, now),
  }
}

/** Events without the words of a refusal, which are for people and may differ. */
export const withoutWords = (events: readonly ExchangeEvent[]): readonly object[] =>
  events.map((event) => ('refusal' in event ? { ...event, refusal: event.refusal.code } : event))

function cyclic<T>(list: readonly T[], turn: number): T {
  const item = list[turn % list.length]
  invariant(item !== undefined, 'the list is empty')
  return item
}
