/**
 * Equity of single points over time, relative to the initial equity.
 *
 * Known limit: a point without a stored curve is drawn from the samples of its statistics, one per period.
 */
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import type { Line } from '../page-data.ts'

/** Between the samples of a point: Unix milliseconds. */
export interface SampleTimes {
  readonly from: number
  readonly to: number
  readonly periodMs: number
}

/** Null for a point that has neither a curve nor samples, or began without equity. */
export function curveOf(outcome: PointOutcome, times: SampleTimes): Line | null {
  const { initialEquity, equity, periods } = outcome
  const initial = Number(initialEquity)
  if (initialEquity === null || !(initial > 0)) return null
  if (equity !== undefined && equity.length > 0) {
    return { times: equity.map(({ time }) => time), values: equity.map((point) => Number(point.equity) / initial) }
  }
  if (periods === null) return null
  const sampled = sampleTimes(times)
  if (sampled.length !== periods.length) return null
  return { times: sampled, values: periods.map((value) => Number(value) / initial) }
}

/** The start, each multiple of the period since 1970 within, and the end. */
export function sampleTimes({ from, to, periodMs }: SampleTimes): readonly number[] {
  const times = [from]
  for (let time = (Math.floor(from / periodMs) + 1) * periodMs; time < to; time += periodMs) times.push(time)
  return [...times, to]
}
