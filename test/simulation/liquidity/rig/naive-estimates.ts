/**
 * What the crowd has learnt, computed each time from all recorded trades of the past: spread, clip size, step.
 *
 * The obvious twin of the estimates that are kept trade by trade. Sums and quotients are written as the recurrences have them, so
 * that both round the same doubles.
 */

/** A recorded trade of the past. */
export interface Learnt {
  readonly time: number
  readonly price: number
  readonly qty: number
  readonly isSell: boolean
  /** True when there was a gap before it: clip and sweep are closed there. */
  readonly afterGap: boolean
}

const FLIPS = 31
const CLIP_DECAY = 512
const SWEEP_DECAY = 64
const MOST_CLIPS = 10
/** Clips that the volume of a candle is taken for. */
const CLIPS_OF_CANDLE = 40

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
    const clip = sum > 0 ? Math.min(lots, (MOST_CLIPS * squares) / sum) : lots
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

/** A fortieth of the volume of the last whole candle; of the running one, while there is none. */
export function candleClipOf(past: readonly Learnt[], candleMs: number): number {
  const volumes = new Map<number, number>()
  for (const { time, qty } of past) {
    const candle = Math.floor(time / candleMs)
    volumes.set(candle, (volumes.get(candle) ?? 0) + qty)
  }
  const oldestFirst = [...volumes.values()]
  return Math.max(1, Math.round((oldestFirst.at(-2) ?? oldestFirst.at(-1) ?? 0) / CLIPS_OF_CANDLE))
}

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
