/**
 * Market orders at the opens of candles held against the same orders on the trades.
 *
 * A buy and a sell come at each moment: what the market did between the order and the first trade of the candle cancels
 * out.
 */
import { SpreadEstimate } from '../../../src/simulation/liquidity/spread-estimate.ts'
import { TickRule } from '../../../src/tape/tick-rule.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../../src/tape/tape.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { firstPriceFrom } from './candles-of-trades.ts'
import type { Filled, FilledById } from './drawn-orders-played.ts'
import type { DrawnOrder } from './drawn-orders.ts'

/** Sums over the orders that were filled on both. */
export interface TakeFigures {
  readonly takes: number
  /** What it cost against the first trade of the candle, in basis points. */
  readonly costOnTrades: number
  readonly costOnCandles: number
}

export function takeFigures(
  rows: readonly RecordedRow[],
  orders: readonly DrawnOrder[],
  onTrades: FilledById,
  onCandles: FilledById,
): TakeFigures {
  let [takes, costOnTrades, costOnCandles] = [0, 0, 0]
  for (const { id, side, from } of orders) {
    const [byTrades, byCandles] = [onTrades.get(id), onCandles.get(id)]
    if (byTrades === undefined || byCandles === undefined) continue
    const first = firstPriceFrom(rows, from)
    const cost = ({ notional, lots }: Filled): number =>
      ((notional / lots - first) / first) * (side === 'BUY' ? 10_000 : -10_000)
    takes += 1
    costOnTrades += cost(byTrades)
    costOnCandles += cost(byCandles)
  }
  return { takes, costOnTrades, costOnCandles }
}

/** The mean spread that the trades teach, in basis points of the price. */
export function meanSpread(rows: readonly RecordedRow[]): number {
  const [estimate, rule] = [new SpreadEstimate(), new TickRule()]
  let sum = 0
  for (const [, price, , recorded] of rows) {
    const side = rule.next(price, sideCode(recorded))
    estimate.learn(price, side === SIDE_SELL)
    sum += (estimate.ticks / price) * 10_000
  }
  return sum / rows.length
}

function sideCode(side: RecordedRow[3]): number {
  if (side === undefined) return SIDE_UNKNOWN
  return side === 'buy' ? SIDE_BUY : SIDE_SELL
}
