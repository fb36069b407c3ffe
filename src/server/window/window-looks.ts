/** Sections of a frame for a window, read from a service at one moment. */
import { balancesToJson } from '../../domain/balances.ts'
import { candleToJson, type CandleJson } from '../../domain/candle.ts'
import type { DepthLevel } from '../../domain/depth.ts'
import { invariant } from '../../domain/errors.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { orderToJson } from '../../domain/order.ts'
import { portfolioToJson } from '../../domain/portfolio.ts'
import type { RateWindow } from '../../domain/rate-window.ts'
import { tickerToJson, type TickerJson } from '../../domain/ticker.ts'
import { fillToJson, tradeToJson, type TradeJson } from '../../domain/trade.ts'
import type { Service } from '../service/service.ts'
import type { WindowAccount, WindowBook, WindowBudget, WindowLevels, WindowWatch, WindowWorld } from './window-frame.ts'

/** Levels of the depth chart; the list of the book shows the first of them. */
const LEVELS = 60
/** Rows that a window has room for. */
const TRADES = 30
const OPEN_ORDERS = 100
const FILLS = 50

export const marketsLook = (service: Service): WindowWorld['markets'] =>
  service.exchange.markets.map(({ symbol, baseAsset, quoteAsset, pricePrecision, qtyPrecision }) => ({
    symbol,
    baseAsset,
    quoteAsset,
    pricePrecision,
    qtyPrecision,
  }))

export const tickersLook = ({ exchange }: Service, now: number): readonly TickerJson[] =>
  exchange.markets.map((market) => tickerToJson(exchange.ticker(market.symbol, now), market))

export function bookLook({ simulated }: Service, { symbol, pricePrecision, qtyPrecision }: MarketConfig): WindowBook {
  const { bids, asks } = simulated.depth(symbol, LEVELS)
  const side = (levels: readonly DepthLevel[]): WindowLevels => {
    let total = 0n
    return levels.map(({ price, qty }) => {
      total += qty
      const texts = [formatTrimmed(qty, qtyPrecision), formatTrimmed(total, qtyPrecision)] as const
      return [formatUnits(price, pricePrecision), ...texts]
    })
  }
  const [bid, ask] = [bids[0]?.price, asks[0]?.price]
  const spread = bid === undefined || ask === undefined ? undefined : formatUnits(ask - bid, pricePrecision)
  return { symbol, bids: side(bids), asks: side(asks), spread }
}

export const tradesLook = ({ exchange }: Service, market: MarketConfig): readonly TradeJson[] =>
  exchange.trades(market.symbol, TRADES).map((trade) => tradeToJson(trade, market))

/** @param from  Unix milliseconds; undefined for the newest */
export function candlesLook(
  { exchange }: Service,
  market: MarketConfig,
  { interval }: WindowWatch,
  limit: number,
  from: number | undefined,
): readonly CandleJson[] {
  const range = from === undefined ? {} : { from }
  return exchange.candles(market.symbol, { interval, limit, ...range }).map((candle) => candleToJson(candle, market))
}

/** @returns undefined when there is no such user */
export function accountLook(service: Service, id: string, now: number): WindowAccount | undefined {
  const { exchange, users } = service
  const user = users.user(id)
  if (user === undefined) return undefined
  const marketOf = (symbol: string): MarketConfig => {
    const market = service.market(symbol)
    invariant(market !== undefined, 'what an account has is of a market')
    return market
  }
  const open = exchange.openOrders(id)
  return {
    user: id,
    verified: user.verified,
    balances: balancesToJson(exchange.balances(id), exchange.scales),
    portfolio: portfolioToJson(exchange.portfolio(id, now)),
    openOrders: open.slice(0, OPEN_ORDERS).map((order) => orderToJson(order, marketOf(order.symbol))),
    openCount: open.length,
    fills: exchange.fills(id, FILLS).map((fill) => fillToJson(fill, marketOf(fill.trade.symbol))),
    budgets: users.keysOf(user).map(({ id: key, scopes }) => {
      const { general, mutations } = service.budgetOf(key)
      return { key, scopes, general: budgetLook(general, now), mutations: budgetLook(mutations, now) }
    }),
  }
}

const budgetLook = (window: RateWindow, now: number): WindowBudget => ({
  limit: window.limit,
  remaining: window.remaining(now),
})
