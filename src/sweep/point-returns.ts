/** Returns of a sweep's points by period, as used by their statistics. */
import { YEAR_MS } from '../domain/time.ts'
import type { BacktestSettings } from '../runtime/settings/backtest-settings.ts'
import { statsPeriodMs } from '../runtime/settings/run-terms.ts'
import type { PointOutcome } from './point-outcome.ts'

/** Sampling of returns: periods without a trade are included as 0, so that windows of time can be cut out of them. */
export interface Sampling {
  readonly periodMs: number
  /** All periods of a year; including those without a trade, ratios are the same as without them. */
  readonly periodsPerYear: number
  /** Risk-free return of a period, as a share. */
  readonly riskFree: number
}

/** @param outcomes  of points on the same tapes, which show how many of the periods had trades; default: all */
export function samplingOf(
  settings: Pick<BacktestSettings, 'statsPeriod' | 'periodsPerYear' | 'riskFreeRate'>,
  outcomes: readonly PointOutcome[] = [],
): Sampling {
  const periodMs = statsPeriodMs(settings)
  const asked = settings.periodsPerYear
  const periodsPerYear = asked === null ? YEAR_MS / periodMs : asked / tradedShare(outcomes)
  return { periodMs, periodsPerYear, riskFree: settings.riskFreeRate / periodsPerYear }
}

function tradedShare(outcomes: readonly PointOutcome[]): number {
  for (const { periods, statistics } of outcomes) {
    const traded = statistics?.periods
    if (typeof traded === 'number' && traded > 0 && periods !== null) return traded / (periods.length - 1)
  }
  return 1
}

/** Null for a point without samples, or whose equity was not positive at one of them: its returns are undefined. */
export function returnsOf({ periods }: PointOutcome): readonly number[] | null {
  const equity = periods?.map(Number)
  if (equity === undefined || equity.some((value) => !(value > 0))) return null
  return equity.slice(1).map((value, index) => value / (equity[index] ?? value) - 1)
}

/** Returns minus the risk-free rate. */
export const excessOf = (returns: readonly number[], { riskFree }: Sampling): readonly number[] =>
  returns.map((value) => value - riskFree)

/** Beginning and end of a run, Unix milliseconds. */
export interface RunRange {
  readonly from: number
  readonly to: number
}

/** Boundaries of the return periods: the beginning, each multiple of the period since 1970 within, and the end. */
export function sampleTimes({ from, to }: RunRange, periodMs: number): readonly number[] {
  const times = [from]
  for (let time = (Math.floor(from / periodMs) + 1) * periodMs; time < to; time += periodMs) times.push(time)
  return [...times, to]
}
