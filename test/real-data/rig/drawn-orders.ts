/**
 * Orders drawn by lot, as a strategy could have sent them at the ends of candles.
 *
 * Limit orders come one at a time, so that none takes from another: for one to five candles, up to twice the usual
 * range behind the last close. Market orders come at every moment of a grid, small enough to leave no hole behind them.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Side } from '../../../src/domain/order.ts'
import { Chance } from '../../../src/simulation/agents/chance.ts'
import type { RecordedCandle } from '../../../src/simulation/candles/recorded-candle.ts'

export interface DrawnOrder {
  readonly id: number
  readonly side: Side
  /** Ticks; undefined for a market order. */
  readonly price?: number
  readonly lots: number
  /** Unix milliseconds: there from the one on, and until the other, which is not counted. */
  readonly from: number
  readonly to: number
}

const LONGEST_LIFE = 5
/** Mean ranges of the last candles, of which a price is at most this far from the close before. */
const FARTHEST = 2
const RECENT = 20

export function drawnLimits(
  seed: number,
  candles: readonly RecordedCandle[],
  intervalMs: number,
  lots: number,
): readonly DrawnOrder[] {
  const chance = new Chance(xoroshiro128plus(seed))
  const orders: DrawnOrder[] = []
  const life = (): number => chance.between(1, LONGEST_LIFE) * intervalMs
  let free = (candles[0]?.time ?? 0) + life()
  for (const [index, candle] of candles.entries()) {
    const from = candle.time + intervalMs
    if (from < free) continue
    const to = from + life()
    const next = candles[index + 1]?.time ?? Number.POSITIVE_INFINITY
    const end = (candles.at(-1)?.time ?? 0) + intervalMs
    // One that meets no candle, or not all of its own, says nothing.
    if (next >= to || to > end) continue
    const side = chance.happens(0.5) ? 'BUY' : 'SELL'
    const away = chance.between(0, Math.ceil(FARTHEST * usualRange(candles, index)))
    const price = side === 'BUY' ? candle.close - away : candle.close + away
    orders.push({ id: orders.length + 1, side, price, lots, from, to })
    free = to
  }
  return orders
}

/** One of a side at each multiple of `everyMs` from one time until another. */
export function takesOf(side: Side, lots: number, everyMs: number, start: number, end: number): readonly DrawnOrder[] {
  const first = Math.ceil(start / everyMs) * everyMs
  const count = Math.max(0, Math.ceil((end - first) / everyMs))
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * everyMs
    return { id: index + 1, side, lots, from, to: from + everyMs }
  })
}

function usualRange(candles: readonly RecordedCandle[], index: number): number {
  const recent = candles.slice(Math.max(0, index + 1 - RECENT), index + 1)
  return recent.reduce((sum, { high, low }) => sum + high - low, 0) / recent.length
}
