/**
 * Tickers, candles and depth of the naive exchange: scans of all rows and all orders.
 */
import type { Candle } from '../../src/domain/candle.ts'
import type { DepthLevel } from '../../src/domain/depth.ts'
import type { Ticker } from '../../src/domain/ticker.ts'
import type { CandleQuery } from '../../src/exchange/exchange.ts'
import type { NaiveMarket, NaiveOrder, NaiveRow } from './naive-market.ts'
import { beginOf, DAY, INTERVALS, lastOf, sum } from './naive-numbers.ts'
import { limitPrice, notionalOf, remainingQty } from './naive-order.ts'

/** First, highest, lowest and last price and the volume of some rows; all prices are `otherwise` when there is none. */
function summary(rows: readonly NaiveRow[], otherwise: number) {
  const prices = rows.map(({ price }) => price)
  return {
    open: prices[0] ?? otherwise,
    high: prices.reduce((high, price) => Math.max(high, price), prices[0] ?? otherwise),
    low: prices.reduce((low, price) => Math.min(low, price), prices[0] ?? otherwise),
    close: prices.at(-1) ?? otherwise,
    volume: sum(rows.map(({ qty }) => BigInt(qty))),
  }
}

/** Decision 16. */
export function tickerOf({ config: { symbol }, rows, pricing }: NaiveMarket, now: number): Ticker {
  const lastPrice = pricing.at(-1)?.price ?? 0
  const isInside = ({ time }: NaiveRow): boolean => time > now - DAY
  const { open, high, low } = summary(pricing.filter(isInside), lastPrice)
  const counted = rows.filter((row) => row.part !== 'all-but-volume' && isInside(row))
  const volume = sum(counted.map(({ qty }) => BigInt(qty)))
  const quoteVolume = sum(counted.map(({ price, qty }) => notionalOf(price, qty)))
  return { symbol, lastPrice, openPrice: open, high, low, volume, quoteVolume, timestamp: now }
}

/** Decision 3: intervals without a trade have no candle. */
export function candlesOf(market: NaiveMarket, query: CandleQuery, kept: number): readonly Candle[] {
  const { interval, from = -Infinity, to = Infinity, limit } = query
  const rowsByTime = new Map<number, NaiveRow[]>()
  for (const row of market.pricing) {
    const time = beginOf(row.time, INTERVALS[interval])
    const rows = rowsByTime.get(time)
    if (rows === undefined) rowsByTime.set(time, [row])
    else rows.push(row)
  }
  const asked = lastOf([...rowsByTime], kept).filter(([time]) => from <= time && time < to)
  const { symbol } = market.config
  return lastOf(asked, limit).map(([time, rows]) => ({ time, symbol, ...summary(rows, 0) }))
}

/** @param orders  of one side, best first */
export function depthOf(orders: readonly NaiveOrder[], levels: number): readonly DepthLevel[] {
  const qtyByPrice = new Map<number, bigint>()
  for (const order of orders) {
    const price = limitPrice(order)
    if (!qtyByPrice.has(price) && qtyByPrice.size >= levels) break
    qtyByPrice.set(price, (qtyByPrice.get(price) ?? 0n) + BigInt(remainingQty(order)))
  }
  return Array.from(qtyByPrice, ([price, qty]) => ({ price, qty }))
}
