/**
 * Returns of the points of a sweep, period by period, as their statistics have them.
 */
import type { BacktestSettings } from '../settings/backtest-settings.ts'
import { statsPeriodMs } from '../settings/run-terms.ts'
import type { PointOutcome } from './point-outcome.ts'

const YEAR_MS = 365 * 86_400_000

/** How returns are taken. */
export interface Sampling {
  readonly periodMs: number
  readonly periodsPerYear: number
  /** Of a period, as a share. */
  readonly riskFree: number
}

export function samplingOf(
  settings: Pick<BacktestSettings, 'statsPeriod' | 'periodsPerYear' | 'riskFreeRate'>,
): Sampling {
  const periodMs = statsPeriodMs(settings)
  const periodsPerYear = settings.periodsPerYear ?? YEAR_MS / periodMs
  return { periodMs, periodsPerYear, riskFree: settings.riskFreeRate / periodsPerYear }
}

/** Null for a point without samples, or whose equity was not above 0 at one of them: nothing that rests on returns means anything then. */
export function returnsOf({ periods }: PointOutcome): readonly number[] | null {
  const equity = periods?.map(Number)
  if (equity === undefined || equity.some((value) => !(value > 0))) return null
  return equity.slice(1).map((value, index) => value / (equity[index] ?? value) - 1)
}

/** The same less the risk-free rate. */
export const excessOf = (returns: readonly number[], { riskFree }: Sampling): readonly number[] =>
  returns.map((value) => value - riskFree)

/** Beginning and end of a run, Unix milliseconds. */
export interface RunRange {
  readonly from: number
  readonly to: number
}

/** The moments between which returns lie: the beginning, each multiple of the period since 1970 within, and the end. */
export function sampleTimes({ from, to }: RunRange, periodMs: number): readonly number[] {
  const times = [from]
  for (let time = (Math.floor(from / periodMs) + 1) * periodMs; time < to; time += periodMs) times.push(time)
  return [...times, to]
}
