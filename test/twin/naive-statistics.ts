/**
 * Tickers, candles and depth of the naive exchange: scans of all rows and all orders.
 */
import { ALL_CANDLE_INTERVALS, candleOpenTime } from '../../src/domain/candle.ts'
import type { Candle } from '../../src/domain/candle.ts'
import type { DepthLevel } from '../../src/domain/depth.ts'
import type { Side } from '../../src/domain/order.ts'
import { TICKER_WINDOW_MS } from '../../src/domain/ticker.ts'
import type { Ticker } from '../../src/domain/ticker.ts'
import type { CandleQuery } from '../../src/exchange/exchange.ts'
import { limitPrice, notionalOf, remainingQty, sum } from './naive-order.ts'
import { bookSide, lastOf, pricingRows } from './naive-state.ts'
import type { NaiveRow, NaiveState } from './naive-state.ts'

/** First, highest, lowest and last price and the volume of some rows; all prices are `otherwise` when there is none. */
function summary(rows: readonly NaiveRow[], otherwise: number) {
  const prices = rows.map(({ price }) => price)
  return {
    open: prices[0] ?? otherwise,
    high: prices.length === 0 ? otherwise : Math.max(...prices),
    low: prices.length === 0 ? otherwise : Math.min(...prices),
    close: prices.at(-1) ?? otherwise,
    volume: sum(rows.map(({ qty }) => BigInt(qty))),
  }
}

/** Decision 16. */
export function tickerOf(state: NaiveState, symbol: string, now: number): Ticker {
  const pricing = pricingRows(state.rows, symbol)
  const lastPrice = pricing.at(-1)?.price ?? 0
  const isInside = ({ time }: NaiveRow): boolean => time > now - TICKER_WINDOW_MS
  const { open, high, low } = summary(pricing.filter(isInside), lastPrice)
  const counted = state.rows.filter((row) => row.symbol === symbol && row.part !== 'all-but-volume' && isInside(row))
  const volume = sum(counted.map(({ qty }) => BigInt(qty)))
  const quoteVolume = sum(counted.map(({ price, qty }) => notionalOf(price, qty)))
  return { symbol, lastPrice, openPrice: open, high, low, volume, quoteVolume, timestamp: now }
}

/** Decision 3: intervals without a trade have no candle. */
export function candlesOf(state: NaiveState, symbol: string, query: CandleQuery): readonly Candle[] {
  const { interval, from = -Infinity, to = Infinity, limit } = query
  const openTime = ({ time }: NaiveRow): number => candleOpenTime(time, ALL_CANDLE_INTERVALS[interval])
  const rows = pricingRows(state.rows, symbol)
  const kept = lastOf([...new Set(rows.map(openTime))], state.config.history.candles)
  const asked = kept.filter((time) => from <= time && time < to)
  return lastOf(asked, limit).map((time) => {
    const inside = rows.filter((row) => openTime(row) === time)
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
