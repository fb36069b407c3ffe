/**
 * Candles of any interval out of those of the data, and lines on the same steps.
 *
 * Invariant: a bar is made of whole candles of the data only; a step without one has a place, so that the axis of time
 * is even.
 */
import { MONTH_MS, monthsOf, monthStart } from '../../src/domain/calendar.ts'
import type { Line } from '../../src/report/page/page-data.ts'
import type { ReplayedCandle } from '../../src/report/replay/replayed-candles.ts'

/** Its time is the open; of a month, that of its candle. */
export type Bar = ReplayedCandle

/** Steps of one length from a moment on. */
export interface Steps {
  readonly from: number
  readonly intervalMs: number
  readonly count: number
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
const WEEK = 7 * DAY
/** The first Monday after 1970 began. */
const MONDAY = 4 * DAY

const NAMED: readonly (readonly [ms: number, name: string])[] = [
  ...[1, 5, 15, 30].map((count) => [count * SECOND, `${count} s`] as const),
  ...[1, 5, 15, 30].map((count) => [count * MINUTE, `${count} m`] as const),
  ...[1, 4, 12].map((count) => [count * HOUR, `${count} h`] as const),
  [DAY, '1 d'],
  [WEEK, '1 w'],
]

/** The lengths to choose from, the data's own first. */
export function intervalsFrom(dataMs: number): readonly number[] {
  const longer = NAMED.map(([ms]) => ms).filter((ms) => ms > dataMs && ms % dataMs === 0)
  // Of a length that no usual one is a multiple of.
  return longer.length > 2 || dataMs >= DAY / 2
    ? [dataMs, ...longer]
    : [1, 4, 16, 64, 256, 1_024].map((count) => count * dataMs)
}

export function intervalName(ms: number): string {
  const known = NAMED.find(([each]) => each === ms)
  if (known !== undefined) return known[1]
  const units = [
    [MONTH_MS, 'M'],
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ] as const
  const [unit, name] = units.find(([each]) => ms % each === 0) ?? [1, 'ms']
  return `${ms / unit} ${name}`
}

/**
 * The steps that cover a stretch of time, at the boundaries of the interval in UTC; weeks begin on Mondays. Months have
 * one mean length, so that the axis is even: each is within three days of its step.
 */
export function stepsOver(from: number, to: number, intervalMs: number): Steps {
  const origin = intervalMs % WEEK === 0 ? MONDAY : 0
  const first = Math.floor((from - origin) / intervalMs) * intervalMs + origin
  const last = isOfMonths(intervalMs) ? to + intervalMs / 2 : to
  return { from: first, intervalMs, count: Math.max(1, Math.ceil((last - first) / intervalMs)) }
}

/** Time with which a step is labelled. */
export function timeOfStep({ from, intervalMs }: Steps, step: number): number {
  const time = from + step * intervalMs
  return isOfMonths(intervalMs) ? monthStart(Math.round(time / MONTH_MS)) : time
}

const isOfMonths = (intervalMs: number): boolean => monthsOf(intervalMs) !== undefined

/** Candles as columns, in numbers that are drawn. */
export type DrawnColumns = Readonly<Record<'times' | 'open' | 'high' | 'low' | 'close' | 'volume', ArrayLike<number>>>

/**
 * Adds candles to the bars of steps, and returns these.
 *
 * @param bars  one a step; undefined where nothing traded yet
 */
export function barsOn(
  steps: Steps,
  candles: DrawnColumns,
  bars = new Array<Bar | undefined>(steps.count).fill(undefined),
): (Bar | undefined)[] {
  const { times, open, high, low, close, volume } = candles
  const isMonth = isOfMonths(steps.intervalMs)
  const slack = isMonth ? steps.intervalMs / 2 : 0
  for (let at = firstFrom(times, steps.from - slack); at < times.length; at += 1) {
    const step = Math.floor(((times[at] ?? 0) + slack - steps.from) / steps.intervalMs)
    if (step >= steps.count) break
    const bar = bars[step]
    const next = { high: high[at] ?? 0, low: low[at] ?? 0, close: close[at] ?? 0, volume: volume[at] ?? 0 }
    bars[step] =
      bar === undefined
        ? { time: isMonth ? (times[at] ?? 0) : steps.from + step * steps.intervalMs, open: open[at] ?? 0, ...next }
        : {
            time: bar.time,
            open: bar.open,
            high: Math.max(bar.high, next.high),
            low: Math.min(bar.low, next.low),
            close: next.close,
            volume: bar.volume + next.volume,
          }
  }
  return bars
}

/**
 * The last value of a line in each step.
 *
 * @param isHeld  a value stays until the next, as a position does; otherwise a step without one has none
 */
export function lineOn(steps: Steps, { times, values }: Line, isHeld: boolean): readonly (number | undefined)[] {
  const found = new Array<number | undefined>(steps.count).fill(undefined)
  let at = firstFrom(times, steps.from)
  let held = isHeld && at > 0 ? (values[at - 1] ?? undefined) : undefined
  for (let step = 0; step < steps.count; step += 1) {
    const end = steps.from + (step + 1) * steps.intervalMs
    let seen: number | undefined
    for (; at < times.length && (times[at] ?? 0) < end; at += 1) {
      seen = values[at] ?? undefined
      held = seen
    }
    found[step] = isHeld ? held : seen
  }
  return found
}

/** The last known value of a line at or before a moment; undefined before the first. */
export function lastAt({ times, values }: Line, moment: number): number | undefined {
  for (let at = firstFrom(times, moment + 1) - 1; at >= 0; at -= 1) {
    const value = values[at] ?? undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** Index of the first time that is not before a moment. */
export function firstFrom(times: ArrayLike<number>, moment: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}
