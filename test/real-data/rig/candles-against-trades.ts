/**
 * Random orders on candles of a recorded market beside the same orders on its trades, for each length of candles.
 */
import { invariant } from '../../../src/domain/errors.ts'
import { SIDES } from '../../../src/domain/order.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { candlesOfTrades } from './candles-of-trades.ts'
import { onCandles, onTrades, type FilledById } from './drawn-orders-played.ts'
import { drawnLimits, takesOf, type DrawnOrder } from './drawn-orders.ts'
import { limitFigures, sumOf, type LimitFigures } from './limits-against-trades.ts'
import type { RealTape } from './real-tapes.ts'
import { meanSpread, takeFigures, type TakeFigures } from './takes-against-trades.ts'

const LENGTHS = { '1 s': 1_000, '5 s': 5_000, '1 m': 60_000 } as const

export interface AgainstTrades {
  readonly tape: string
  readonly length: string
  readonly limits: LimitFigures
  readonly takes: TakeFigures
  /** The mean one that the trades teach, in basis points. */
  readonly spread: number
}

/**
 * Plays of the tape for the limit orders of one length: a short tape has few candles, and its orders come one at a
 * time.
 */
const MAX_PLAYS = 30
const ENOUGH_ORDERS = 500

/** One for each length. @param rows  of the tape */
export async function candlesAgainstTrades(
  tape: RealTape,
  rows: readonly RecordedRow[],
): Promise<readonly AgainstTrades[]> {
  const spread = meanSpread(rows)
  const takes = await takesOnTrades(tape, rows)
  const figures: AgainstTrades[] = []
  for (const [length, intervalMs] of Object.entries(LENGTHS)) {
    const limits = await playLimits(tape, rows, intervalMs)
    figures.push({ tape: tape.name, length, limits, takes: playTakes(rows, intervalMs, takes), spread })
  }
  return figures
}

async function playLimits({ lots }: RealTape, rows: readonly RecordedRow[], intervalMs: number): Promise<LimitFigures> {
  const candles = candlesOfTrades(rows, intervalMs)
  const plays: LimitFigures[] = []
  for (let seed = 1; seed <= MAX_PLAYS && sumOf(plays).orders < ENOUGH_ORDERS; seed += 1) {
    const orders = someOf(drawnLimits(seed, candles, intervalMs, lots))
    const byTrades = await onTrades(memoryTape(rows), orders)
    plays.push(limitFigures(rows, orders, byTrades, onCandles(candles, intervalMs, orders)))
  }
  return sumOf(plays)
}

/** Every n-th, so that they are spread over the tape. */
function someOf(orders: readonly DrawnOrder[]): readonly DrawnOrder[] {
  const every = Math.ceil(orders.length / (2 * ENOUGH_ORDERS))
  return orders.filter((_, index) => index % every === 0)
}

interface Takes {
  readonly orders: readonly DrawnOrder[]
  readonly filled: FilledById
}

/** Of each side apart, so that none of them meets what the other left. */
async function takesOnTrades(
  { lots, takesEveryMs }: RealTape,
  rows: readonly RecordedRow[],
): Promise<readonly Takes[]> {
  const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]]
  invariant(first !== undefined && last !== undefined, 'a tape has trades')
  const takes: Takes[] = []
  for (const side of SIDES) {
    // Before the first whole candle there is no offer.
    const orders = takesOf(side, lots, takesEveryMs, first + Math.max(...Object.values(LENGTHS)), last)
    takes.push({ orders, filled: await onTrades(memoryTape(rows), orders) })
  }
  return takes
}

/** Those that come at the open of a candle of the length. */
function playTakes(rows: readonly RecordedRow[], intervalMs: number, takes: readonly Takes[]): TakeFigures {
  const candles = candlesOfTrades(rows, intervalMs)
  const opens = new Set(candles.map(({ time }) => time))
  const figures = takes.map(({ orders, filled }) => {
    const atOpens = orders.filter(({ from }) => opens.has(from))
    return takeFigures(rows, atOpens, filled, onCandles(candles, intervalMs, atOpens))
  })
  const total = (figure: keyof TakeFigures): number => figures.reduce((sum, each) => sum + each[figure], 0)
  return { takes: total('takes'), costOnTrades: total('costOnTrades'), costOnCandles: total('costOnCandles') }
}
