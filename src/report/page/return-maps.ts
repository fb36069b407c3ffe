/**
 * Returns of a run over the calendar, in UTC: by month, and by weekday and hour.
 *
 * Known limit: doubles, good enough for colours; the exact figures are in the statistics.
 */
import { DAY_MS, HOUR_MS } from '../../domain/time.ts'
import { readableChange } from '../readable.ts'
import { lastBefore } from './account-series.ts'
import type { HourReturn, Line, MonthReturn, YearReturn } from './page-data.ts'

/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 3

interface Period {
  /** Unix milliseconds; the equity is sampled at `to`. */
  readonly from: number
  readonly to: number
  readonly value: number
}

/** Every period with a value at both ends. @param samples  equity at the start, then after every period */
export function periodsOf({ times, values }: Line): readonly Period[] {
  return times.slice(1).flatMap((to, index): Period[] => {
    const [before, after, from] = [values[index] ?? null, values[index + 1] ?? null, times[index] ?? to]
    return before === null || after === null || before <= 0 ? [] : [{ from, to, value: after / before - 1 }]
  })
}

/** Fractions, oldest first. */
export const periodReturns = (samples: Line): readonly number[] => periodsOf(samples).map(({ value }) => value)

/** Empty if the run is within one month. @param benchmark  compared with over the same periods */
export function monthReturns(samples: Line, benchmark: Line): readonly MonthReturn[] {
  const months = spansBy(samples, (date) => date.getUTCFullYear() * 12 + date.getUTCMonth())
  if (months.length < 2) return []
  return months.map(({ key, ...span }) => ({
    year: Math.floor(key / 12),
    month: (key % 12) + 1,
    ...returnOf(span, benchmark),
  }))
}

/** Empty if the run is within one month. */
export function yearReturns(samples: Line, benchmark: Line): readonly YearReturn[] {
  if (monthReturns(samples, benchmark).length === 0) return []
  return spansBy(samples, (date) => date.getUTCFullYear()).map(({ key, ...span }) => ({
    year: key,
    ...returnOf(span, benchmark),
  }))
}

interface CalendarSpan {
  readonly key: number
  readonly from: number
  to: number
  growth: number
}

/** Periods that begin in one month or year, put together. */
function spansBy(samples: Line, keyOf: (date: Date) => number): readonly CalendarSpan[] {
  const spans = new Map<number, CalendarSpan>()
  for (const { from, to, value } of periodsOf(samples)) {
    const key = keyOf(new Date(from))
    const span = spans.get(key) ?? { key, from, to, growth: 1 }
    spans.set(key, span)
    span.growth *= 1 + value
    span.to = to
  }
  return [...spans.values()]
}

function returnOf({ from, to, growth }: Omit<CalendarSpan, 'key'>, benchmark: Line) {
  const [first, last] = [lastBefore(benchmark, from) ?? benchmark.values[0] ?? null, lastBefore(benchmark, to)]
  const held = first === null || first <= 0 || last === undefined ? undefined : last / first - 1
  return {
    value: growth - 1,
    text: readableChange(growth - 1),
    benchmark: held === undefined ? null : { value: held, text: readableChange(held) },
  }
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
export const smallChange = (fraction: number): string => {
  const text = (fraction * 10_000).toFixed(2)
  return `${Number(text) > 0 ? '+' : ''}${text === '-0.00' ? '0.00' : text} bps`
}
