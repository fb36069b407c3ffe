/**
 * Tickers, candles and depth of the naive exchange: scans of all trades and all orders.
 */
import { ALL_CANDLE_INTERVALS, candleOpenTime } from '../../src/domain/candle.ts'
import type { Candle } from '../../src/domain/candle.ts'
import type { DepthLevel } from '../../src/domain/depth.ts'
import type { Side } from '../../src/domain/order.ts'
import { TICKER_WINDOW_MS } from '../../src/domain/ticker.ts'
import type { Ticker } from '../../src/domain/ticker.ts'
import type { Trade } from '../../src/domain/trade.ts'
import type { CandleQuery } from '../../src/exchange/exchange.ts'
import { limitPrice, notionalOf, remainingQty, sum } from './naive-order.ts'
import { bookSide, lastOf, tradesOf } from './naive-state.ts'
import type { NaiveState } from './naive-state.ts'

/** First, highest, lowest and last price and the volume of some trades; all prices are `otherwise` when there is none. */
function summary(trades: readonly Trade[], otherwise: number) {
  const prices = trades.map((trade) => trade.price)
  return {
    open: prices[0] ?? otherwise,
    high: prices.length === 0 ? otherwise : Math.max(...prices),
    low: prices.length === 0 ? otherwise : Math.min(...prices),
    close: prices.at(-1) ?? otherwise,
    volume: sum(trades.map((trade) => BigInt(trade.qty))),
  }
}

/** Decision 16. */
export function tickerOf(state: NaiveState, symbol: string, now: number): Ticker {
  const trades = tradesOf(state, symbol)
  const lastPrice = trades.at(-1)?.price ?? 0
  const inside = trades.filter((trade) => trade.createdAt > now - TICKER_WINDOW_MS)
  const { open, high, low, volume } = summary(inside, lastPrice)
  const quoteVolume = sum(inside.map((trade) => notionalOf(trade.price, trade.qty)))
  return { symbol, lastPrice, openPrice: open, high, low, volume, quoteVolume, timestamp: now }
}

/** Decision 3: intervals without a trade have no candle. */
export function candlesOf(state: NaiveState, symbol: string, query: CandleQuery): readonly Candle[] {
  const { interval, from = -Infinity, to = Infinity, limit } = query
  const openTime = (trade: Trade): number => candleOpenTime(trade.createdAt, ALL_CANDLE_INTERVALS[interval])
  const trades = tradesOf(state, symbol)
  const kept = lastOf([...new Set(trades.map(openTime))], state.config.history.candles)
  const asked = kept.filter((time) => from <= time && time < to)
  return lastOf(asked, limit).map((time) => {
    const inside = trades.filter((trade) => openTime(trade) === time)
    return { time, symbol, ...summary(inside, 0) }
  })
}

export function depthSide(state: NaiveState, symbol: string, side: Side, levels: number): readonly DepthLevel[] {
  const orders = bookSide(state, symbol, side)
  return [...new Set(orders.map(limitPrice))].slice(0, levels).map((price) => {
    const atPrice = orders.filter((order) => limitPrice(order) === price)
    return { price, qty: sum(atPrice.map((order) => BigInt(remainingQty(order)))) }
  })
}
