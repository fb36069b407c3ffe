/**
 * Sharpe ratio, volatility and beta over a window of periods that moves through the run.
 *
 * Each is the statistic of the same name in docs/statistics.md, of the returns in the window. Periods in which neither
 * the equity nor the benchmark changed are left out, as those without a trade are there. Beta is against the line of
 * the benchmark, which is drawn from candle closes.
 */
import { benchmarkFigures } from '../../analysis/returns/return-statistics.ts'
import { sharpe, volatility } from '../../analysis/returns/risk-ratios.ts'
import { lastBefore } from './account-series.ts'
import type { Line, RollingSeries } from './page-data.ts'

/** Periods in a window; of a shorter run, the second. */
const WINDOWS = [30, 10] as const
/** A line of fewer values shows no change. */
const MIN_VALUES = 5

export interface RollingSetup {
  readonly periodsPerYear: number
  /** A year, as a share. */
  readonly riskFreeRate: number
}

/** @param samples  equity at the start, then after every period @returns null for a run that is too short */
export function rollingSeries(samples: Line, benchmark: Line, setup: RollingSetup): RollingSeries | null {
  const moved = movedSamples(samples, benchmark)
  const window = WINDOWS.find((length) => moved.length >= 2 * length) ?? WINDOWS[1]
  if (moved.length - window < MIN_VALUES) return null
  const { periodsPerYear, riskFreeRate } = setup
  const riskFree = riskFreeRate / periodsPerYear
  const [times, ratios, spreads, betas]: [number[], (number | null)[], (number | null)[], (number | null)[]] = [
    [],
    [],
    [],
    [],
  ]
  for (let end = window; end < moved.length; end += 1) {
    const inside = moved.slice(end - window, end + 1)
    const returns = changesOf(inside.map(({ equity }) => equity))
    const held = changesOf(inside.map(({ held: worth }) => worth ?? 0))
    const excess = returns.map((value) => value - riskFree)
    const isKnown = inside.every(({ held: worth }) => worth !== undefined && worth > 0)
    times.push(inside.at(-1)?.time ?? 0)
    ratios.push(drawn(sharpe(excess, periodsPerYear)))
    spreads.push(drawn(volatility(excess, periodsPerYear)))
    const run = { equity: [], returns, excess, riskFree, periodsPerYear }
    betas.push(isKnown ? drawn(benchmarkFigures(run, held).beta) : null)
  }
  const line = (values: readonly (number | null)[]): Line => ({ times, values })
  return { periods: window, sharpe: line(ratios), volatility: line(spreads), beta: line(betas) }
}

interface Moved {
  readonly time: number
  readonly equity: number
  readonly held: number | undefined
}

function movedSamples({ times, values }: Line, benchmark: Line): readonly Moved[] {
  const moved: Moved[] = []
  values.forEach((equity, index) => {
    const time = times[index] ?? 0
    if (equity === null || equity <= 0) return
    const held = lastBefore(benchmark, time)
    const last = moved.at(-1)
    if (last?.equity !== equity || last.held !== held) moved.push({ time, equity, held })
  })
  return moved
}

const changesOf = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, index) => value / (values[index] ?? 1) - 1)

/** More digits than any screen has points. */
const drawn = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)))
