/**
 * Everything that can be asked of an exchange at one moment, as one value to compare.
 */
import { CANDLE_INTERVAL_NAMES } from '../../../src/domain/candle.ts'
import type { DepthLevel } from '../../../src/domain/depth.ts'
import { invariant } from '../../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { OrderStatus } from '../../../src/domain/order.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'

/** More than any state has. */
const MANY = 1_000_000

const STATUSES: readonly (OrderStatus | 'any')[] = ['any', 'OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED']

/** @param turn  picks the arguments of the questions that have many: queries, limits, intervals */
export function observe(exchange: Exchange, accounts: readonly string[], now: number, turn: number) {
  return {
    lastOrderId: exchange.lastOrderId,
    audit: exchange.audit(),
    markets: exchange.markets.map(({ symbol }) => observeMarket(exchange, symbol, now, turn)),
    accounts: [...accounts, 'nobody'].map((account) => observeAccount(exchange, account, now, turn)),
  }
}

function observeMarket(exchange: Exchange, symbol: string, now: number, turn: number) {
  const interval = cyclic(CANDLE_INTERVAL_NAMES, turn)
  const depth = exchange.depth(symbol)
  const [bid, ask] = [askedPrice(depth.bids, turn), askedPrice(depth.asks, turn)]
  const range = { from: now - 7_200_000, to: now - (turn % 3) * 60_000 }
  return {
    symbol,
    bestBid: exchange.bestPrice(symbol, 'BUY'),
    bestAsk: exchange.bestPrice(symbol, 'SELL'),
    lastPrice: exchange.market(symbol).lastPrice,
    bestByMarket: [exchange.market(symbol).bestPrice('BUY'), exchange.market(symbol).bestPrice('SELL')],
    depth,
    restingBids: exchange.restingTo(symbol, 'BUY', bid),
    restingAsks: exchange.restingTo(symbol, 'SELL', ask),
    restingBidsWithin: exchange.restingTo(symbol, 'BUY', bid, turn % 9),
    restingAsksWithin: exchange.restingTo(symbol, 'SELL', ask, 10 ** (turn % 9)),
    atOnePrice: turn % 2 === 0 ? exchange.restingAt(symbol, 'BUY', bid) : exchange.restingAt(symbol, 'SELL', ask),
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
    orders: exchange.orders(account, { limit: MANY, page: 1 }),
    someOrders: exchange.orders(account, { ...page, symbol, ...(status === 'any' ? {} : { status }) }),
    newestOrder: exchange.order(account, exchange.lastOrderId),
    someOrder: exchange.order(account, turn),
    openOrders: exchange.openOrders(account),
    fills: exchange.fills(account, Infinity),
    newestFills: exchange.fills(account, 1 + (turn % 3)),
    portfolio: exchange.portfolio(account, now),
  }
}

/** A price at which orders rest, or one beside it. */
function askedPrice(levels: readonly DepthLevel[], turn: number): number {
  const price = levels[turn % Math.max(1, levels.length)]?.price ?? 1 + (turn % 12)
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, price + (turn % 3) - 1))
}

/** Events without the words of a refusal, which are for people and may differ. */
export const withoutWords = (events: readonly ExchangeEvent[]): readonly object[] =>
  events.map((event) => ('refusal' in event ? { ...event, refusal: event.refusal.code } : event))

function cyclic<T>(list: readonly T[], turn: number): T {
  const item = list[turn % list.length]
  invariant(item !== undefined, 'the list is empty')
  return item
}
