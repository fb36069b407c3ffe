/**
 * Candles of recorded trades, and what the trades themselves did in a time: nothing but a look at each of them.
 */
import type { RecordedCandle } from '../../../src/simulation/candles/recorded-candle.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'

/** One for each interval with a trade, on the grid of the intervals. */
export function candlesOfTrades(rows: readonly RecordedRow[], intervalMs: number): readonly RecordedCandle[] {
  const candles = new Map<number, RecordedCandle>()
  for (const [at, price, qty] of rows) {
    const time = Math.floor(at / intervalMs) * intervalMs
    const { open, high, low, volume } = candles.get(time) ?? { open: price, high: price, low: price, volume: 0 }
    const extremes = { high: Math.max(high, price), low: Math.min(low, price) }
    candles.set(time, { time, open, ...extremes, close: price, volume: volume + qty })
  }
  return [...candles.values()]
}

/** The trades from one moment until another, which is not counted. */
export function tradesWithin(rows: readonly RecordedRow[], from: number, to: number): readonly RecordedRow[] {
  const [first, last] = [firstFrom(rows, from), firstFrom(rows, to)]
  return rows.slice(first, last)
}

/** Ticks of the last trade at a time or before it. */
export function lastPriceAt(rows: readonly RecordedRow[], time: number): number {
  return rows[Math.max(0, firstFrom(rows, time + 1) - 1)]?.[1] ?? Number.NaN
}

/** Ticks of the first trade at a time or after it. */
export const firstPriceFrom = (rows: readonly RecordedRow[], time: number): number =>
  rows[firstFrom(rows, time)]?.[1] ?? Number.NaN

/** Index of the first trade at a time or after it. */
function firstFrom(rows: readonly RecordedRow[], time: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.[0] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
