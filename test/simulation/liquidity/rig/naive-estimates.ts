/**
 * What the crowd has learnt, computed each time from all recorded trades of the past: spread, clip size, step, drift,
 * impact skew.
 *
 * The obvious twin of the estimates that are kept trade by trade. Sums and quotients are written as the recurrences
 * have them, so that both round the same doubles.
 */

import type { Side } from '../../../../src/domain/order.ts'

/** A recorded trade of the past. */
export interface Learnt {
  readonly time: number
  readonly price: number
  readonly qty: number
  readonly isSell: boolean
  /** True when there was a gap before it: clip and sweep are closed there, and nothing else. */
  readonly afterGap: boolean
}

const FLIPS = 31
const CLIP_DECAY = 512
const SWEEP_DECAY = 64
const MAX_CLIPS = 10

/** The element at floor(n / 2) of the last 31 differences at a change of aggressor; one tick before the first. */
export function spreadOf(past: readonly Learnt[]): number {
  const flips = past.flatMap((trade, index) => {
    const last = past[index - 1]
    if (last === undefined || last.isSell === trade.isSell) return []
    const difference = trade.isSell ? last.price - trade.price : trade.price - last.price
    return difference > 0 ? [difference] : []
  })
  const sorted = flips.slice(-FLIPS).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 1
}

/** The size of the print in which an average lot was traded. */
export function clipOf(past: readonly Learnt[]): number {
  const clips = groups(past, (a, b) => a.time === b.time && a.price === b.price).map(lotsOf)
  let sum = 0
  let squares = 0
  for (const lots of clips.slice(0, -1)) {
    const clip = sum > 0 ? Math.min(lots, (MAX_CLIPS * squares) / sum) : lots
    sum += clip - sum / CLIP_DECAY
    squares += clip * clip - squares / CLIP_DECAY
  }
  return Math.max(1, sum > 0 ? Math.round(squares / sum) : (clips.at(-1) ?? 1))
}

/** Mean price span of past sweeps over several prices, at least `spread`. */
export function stepOf(past: readonly Learnt[], spread: number): number {
  const sweeps = groups(past, (a, b) => a.time === b.time && a.isSell === b.isSell)
  let spans = 0
  let count = 0
  for (const sweep of sweeps.slice(0, -1)) {
    const span = Math.abs((sweep.at(-1)?.price ?? 0) - (sweep[0]?.price ?? 0))
    if (span === 0) continue
    spans += span - spans / SWEEP_DECAY
    count += 1 - count / SWEEP_DECAY
  }
  return count === 0 ? spread : Math.max(spread, Math.round(spans / count))
}

/** `spread` less the mean of all signed differences at a change of aggressor, in whole ticks and not below 0. */
export function driftOf(past: readonly Learnt[], spread: number): number {
  let differences = 0
  let count = 0
  for (const [index, trade] of past.entries()) {
    const last = past[index - 1]
    if (last === undefined || last.isSell === trade.isSell) continue
    const difference = trade.isSell ? last.price - trade.price : trade.price - last.price
    differences += difference - differences / SWEEP_DECAY
    count += 1 - count / SWEEP_DECAY
  }
  return count === 0 ? 0 : Math.max(0, Math.round(spread - differences / count))
}

/** What the distances of the ladder are multiplied with for an order of `side` at `time`. */
export function impactSkewOf(past: readonly Learnt[], side: Side, time: number): number {
  let slow = past[0]?.price ?? 0
  let distances = 0
  let count = 0
  for (const [index, trade] of past.entries()) {
    const last = past[index - 1]
    if (last === undefined) continue
    if (trade.time > last.time) slow = nearer(slow, last.price, trade.time - last.time)
    if (trade.time === last.time && trade.price === last.price && !trade.afterGap) continue
    distances += Math.abs(last.price - slow) - distances / CLIP_DECAY
    count += 1 - count / CLIP_DECAY
  }
  const last = past.at(-1)
  if (last === undefined || distances === 0) return 1
  const ahead = ((last.price - slow) * 300) / (300 + time - last.time)
  const moved = (side === 'BUY' ? ahead : -ahead) / (distances / count)
  return Math.min(4, Math.max(0.25, 1 + 0.6 * moved))
}

/** `slow` on its way to `price`, of which it has gone half after 300 ms. */
const nearer = (slow: number, price: number, ms: number): number => price + ((slow - price) * 300) / (300 + ms)

const lotsOf = (trades: readonly Learnt[]): number => trades.reduce((sum, { qty }) => sum + qty, 0)

/** Consecutive trades that belong together; a gap comes between any two. */
function groups(past: readonly Learnt[], together: (a: Learnt, b: Learnt) => boolean): readonly (readonly Learnt[])[] {
  const result: Learnt[][] = []
  for (const trade of past) {
    const open = result.at(-1)
    const last = open?.at(-1)
    if (open === undefined || last === undefined || trade.afterGap || !together(last, trade)) result.push([trade])
    else open.push(trade)
  }
  return result
}
