/**
 * Returns of a run over the calendar, in UTC: by month, and by weekday and hour.
 *
 * Known limit: doubles, good enough for colours; the exact figures are in the statistics.
 */
import { DAY_MS, HOUR_MS } from '../../domain/time.ts'
import { readableChange } from '../readable.ts'
import type { HourReturn, Line, MonthReturn } from './page-data.ts'

/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 3

interface Period {
  /** Unix milliseconds; the equity is sampled at `to`. */
  readonly from: number
  readonly to: number
  readonly value: number
}

/** Every period with a value at both ends. @param samples  equity at the start, then after every period */
function periodsOf({ times, values }: Line): readonly Period[] {
  return times.slice(1).flatMap((to, index): Period[] => {
    const [before, after, from] = [values[index] ?? null, values[index + 1] ?? null, times[index] ?? to]
    return before === null || after === null || before <= 0 ? [] : [{ from, to, value: after / before - 1 }]
  })
}

/** Fractions, oldest first. */
export const periodReturns = (samples: Line): readonly number[] => periodsOf(samples).map(({ value }) => value)

/** Empty if the run is within one month. */
export function monthReturns(samples: Line): readonly MonthReturn[] {
  const growths = new Map<string, { readonly year: number; readonly month: number; value: number }>()
  for (const { from, value } of periodsOf(samples)) {
    const date = new Date(from)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
    const growth = growths.get(`${year}-${month}`) ?? { year, month, value: 1 }
    growth.value *= 1 + value
    growths.set(`${year}-${month}`, growth)
  }
  if (growths.size < 2) return []
  return Array.from(growths.values(), ({ year, month, value }) => {
    return { year, month, value: value - 1, text: readableChange(value - 1) }
  })
}

/** Mean returns by weekday and hour; by weekday only if periods exceed an hour; empty if they exceed a day. */
export function hourReturns(samples: Line, periodMs: number): readonly HourReturn[] {
  if (periodMs > DAY_MS) return []
  const sums = new Map<string, { readonly weekday: number; readonly hour: number | null; sum: number; count: number }>()
  for (const { from, value } of periodsOf(samples)) {
    const weekday = (Math.floor(from / DAY_MS) + FIRST_WEEKDAY) % 7
    const hour = periodMs > HOUR_MS ? null : Math.floor((from % DAY_MS) / HOUR_MS)
    const key = `${weekday} ${hour}`
    const cell = sums.get(key) ?? { weekday, hour, sum: 0, count: 0 }
    cell.sum += value
    cell.count += 1
    sums.set(key, cell)
  }
  return Array.from(sums.values(), ({ weekday, hour, sum, count }) => {
    const mean = sum / count
    return { weekday, hour, value: mean, text: smallChange(mean), count }
  })
}

/** Basis points: hourly means are too small for percent. */
const smallChange = (fraction: number): string => {
  const text = (fraction * 10_000).toFixed(2)
  return `${Number(text) > 0 ? '+' : ''}${text === '-0.00' ? '0.00' : text} bps`
}
