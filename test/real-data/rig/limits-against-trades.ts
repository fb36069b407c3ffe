/**
 * Limit orders on candles held against the trades of these candles.
 *
 * *Phantom*: filled on candles, although nothing was traded at its price or beyond while it was there. *Missed*: not filled on candles,
 * although something was traded beyond its price.
 */
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { tradesWithin } from './candles-of-trades.ts'
import type { FilledById } from './drawn-orders-played.ts'
import type { DrawnOrder } from './drawn-orders.ts'

export interface LimitFigures {
  readonly orders: number
  /** Orders of which anything was filled. */
  readonly onTrades: number
  readonly onCandles: number
  readonly phantom: number
  readonly missed: number
  /** Lots that were filled. */
  readonly lotsOnTrades: number
  readonly lotsOnCandles: number
}

export function limitFigures(
  rows: readonly RecordedRow[],
  orders: readonly DrawnOrder[],
  onTrades: FilledById,
  onCandles: FilledById,
): LimitFigures {
  const isPhantom = (order: DrawnOrder): boolean => onCandles.has(order.id) && beyondOf(rows, order) < 0
  const isMissed = (order: DrawnOrder): boolean => !onCandles.has(order.id) && beyondOf(rows, order) > 0
  return {
    orders: orders.length,
    onTrades: onTrades.size,
    onCandles: onCandles.size,
    phantom: orders.filter(isPhantom).length,
    missed: orders.filter(isMissed).length,
    lotsOnTrades: lotsOf(onTrades),
    lotsOnCandles: lotsOf(onCandles),
  }
}

/** Figures of several plays as those of one. */
export function sumOf(plays: readonly LimitFigures[]): LimitFigures {
  const total = (figure: keyof LimitFigures): number => plays.reduce((sum, play) => sum + play[figure], 0)
  return {
    orders: total('orders'),
    onTrades: total('onTrades'),
    onCandles: total('onCandles'),
    phantom: total('phantom'),
    missed: total('missed'),
    lotsOnTrades: total('lotsOnTrades'),
    lotsOnCandles: total('lotsOnCandles'),
  }
}

/**
 * Ticks that the trades went beyond the price of an order while it was there: 0 when they touched it, less when they
 * did not.
 */
function beyondOf(rows: readonly RecordedRow[], { side, price = 0, from, to }: DrawnOrder): number {
  const sign = side === 'BUY' ? 1 : -1
  return tradesWithin(rows, from, to).reduce((most, [, traded]) => Math.max(most, (price - traded) * sign), -Infinity)
}

const lotsOf = (filled: FilledById): number => [...filled.values()].reduce((sum, { lots }) => sum + lots, 0)
