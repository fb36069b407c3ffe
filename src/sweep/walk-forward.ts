/**
 * Walk-forward analysis of a sweep: the best point on each train window trades the test window that follows.
 *
 * Invariant: a choice depends only on runs that end with their train window; a test run begins flat, with the credit of
 * the sweep.
 * Known limitation: a warm-up uses data recorded before the window, as in a backtest with `from`: for a test window its
 * train window, for a train window the data before it. Nothing of it is traded.
 */
import { walkForwardFolds, type WalkForwardFold, type WalkForwardPlan } from './selection/walk-forward.ts'
import { sharpeOfRun } from '../analysis/returns/risk-ratios.ts'
import { InputError, type Place } from '../domain/errors.ts'
import { isoTime } from '../domain/time.ts'
import type { Params } from './grid.ts'
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'
import { excessOf, returnsOf, sampleTimes, type RunRange, type Sampling } from './point-returns.ts'
import { rankedBy } from './ranking.ts'
import type { PointTerms, SweepRun } from './sweep-point.ts'

const MAX_FOLDS = 10_000

/** @throws {InputError} if the time is too short for a single fold, or if there would be too many */
export function foldsOf(place: Place, range: RunRange, plan: WalkForwardPlan): readonly WalkForwardFold[] {
  const length = range.to - range.from
  if (length / plan.testMs > MAX_FOLDS) {
    throw new InputError(place, `more than ${MAX_FOLDS} test windows; use a longer test`)
  }
  const folds = walkForwardFolds(range, plan)
  if (folds.length > 0) return folds
  const recorded = `from ${isoTime(range.from)} to ${isoTime(range.to)}`
  throw new InputError(place, `train and purge leave nothing to test on ${recorded}; use shorter windows`)
}

export const trainTerms = ({ train }: WalkForwardFold): PointTerms => ({ window: train })

export const testRun = (params: Params, { test }: WalkForwardFold): SweepRun => ({ params, terms: { window: test } })

/**
 * @param outcomes  on `trainTerms`
 * @returns undefined if none has a value for every objective
 */
export const choiceOf = (
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): PointOutcome | undefined => rankedBy(outcomes, objectives)[0]

/** A train window and its test window. Times are Unix milliseconds; a window excludes its end. */
export interface WalkForwardWindow {
  /** Start of the train window, Unix milliseconds. */
  readonly trainFrom: number
  /** End of the train window, exclusive, Unix milliseconds. */
  readonly trainTo: number
  /** Start of the test window, after the purge, Unix milliseconds. */
  readonly testFrom: number
  /** End of the test window, exclusive, Unix milliseconds. */
  readonly testTo: number
  /** Chosen parameters; null if no point has a value for the objective on the train window. Then nothing is traded. */
  readonly params: Params | null
  /**
   * The first objective on the train window, in its own unit; null if the point does not have it.
   *
   * @unit that of the objective
   */
  readonly inSample: number | null
  /**
   * The same on the test window.
   *
   * @unit that of the objective
   */
  readonly outOfSample: number | null
  /**
   * The return on the train window, as a share.
   *
   * @unit share
   */
  readonly inSampleReturn: number | null
  /**
   * The return on the test window, as a share.
   *
   * @unit share
   */
  readonly outOfSampleReturn: number | null
  /** Digest of the run on the test window. */
  readonly digest: string | null
  /** Error of the run on the test window; null if it has none. */
  readonly error: string | null
}

/** Changes of a parameter from window to window. */
export interface ParamDrift {
  /** Count of different chosen values. */
  readonly values: number
  /** Count of windows whose value differs from the window before. */
  readonly changes: number
}

/** Result of a walk-forward, as plain JSON. */
export interface WalkForwardReport {
  /** Length of a train window, in milliseconds. */
  readonly trainMs: number
  /** Length of a test window, in milliseconds. */
  readonly testMs: number
  /** Gap between the two, in milliseconds. */
  readonly purgeMs: number
  /** True if every train window starts at the start of the tape. */
  readonly isAnchored: boolean
  /** Windows in order of time. */
  readonly windows: readonly WalkForwardWindow[]
  /**
   * Return of all test windows, chained, each with the credit of the sweep: a share.
   *
   * @unit share
   */
  readonly return: number
  /** Maximum drawdown of that equity line, among its samples, as a share of the peak. */
  readonly maxDrawdown: number
  /**
   * Annualized Sharpe ratio over the returns of all test windows; null if they do not vary.
   *
   * @unit ratio
   */
  readonly sharpe: number | null
  /**
   * Mean of the first objective over the train windows, for windows with a value on both sides.
   *
   * @unit that of the objective
   */
  readonly inSample: number | null
  /**
   * The same mean over the test windows.
   *
   * @unit that of the objective
   */
  readonly outOfSample: number | null
  /**
   * Walk-forward efficiency: daily growth in the test windows divided by that in the train windows, both as logarithms;
   * null if the train windows did not grow.
   *
   * @unit ratio
   */
  readonly efficiency: number | null
  /** Share of the test windows that ended below their start; null without any. */
  readonly lossShare: number | null
  /** Changes of each parameter, by name. */
  readonly drift: Readonly<Record<string, ParamDrift>>
  /** Out-of-sample equity, as a multiple of its start. */
  readonly equity: { readonly times: readonly number[]; readonly values: readonly number[] }
}

export interface TradedFold {
  readonly fold: WalkForwardFold
  readonly chosen: PointOutcome | undefined
  readonly tested: PointOutcome | undefined
}

export function walkForwardReport(
  plan: WalkForwardPlan,
  traded: readonly TradedFold[],
  objective: Objective,
  sampling: Sampling,
): WalkForwardReport {
  const windows = traded.map((each) => windowOf(each, objective))
  const line = chained(traded, sampling)
  const both = windows.filter(({ inSample, outOfSample }) => inSample !== null && outOfSample !== null)
  const tested = windows.flatMap(({ outOfSampleReturn }) => outOfSampleReturn ?? [])
  return {
    ...plan,
    windows,
    return: (line.values.at(-1) ?? 1) - 1,
    maxDrawdown: deepestFall(line.values),
    sharpe: sharpeOfRun(line.excess, sampling.periodsPerYear),
    inSample: meanOf(both.flatMap(({ inSample }) => inSample ?? [])),
    outOfSample: meanOf(both.flatMap(({ outOfSample }) => outOfSample ?? [])),
    efficiency: efficiencyOf(windows),
    lossShare: tested.length === 0 ? null : tested.filter((value) => value < 0).length / tested.length,
    drift: driftOf(windows),
    equity: { times: line.times, values: line.values },
  }
}

function windowOf({ fold: { train, test }, chosen, tested }: TradedFold, objective: Objective): WalkForwardWindow {
  return {
    trainFrom: train.from,
    trainTo: train.to,
    testFrom: test.from,
    testTo: test.to,
    params: chosen?.params ?? null,
    inSample: chosen === undefined ? null : objective.value(chosen),
    outOfSample: tested === undefined ? null : objective.value(tested),
    inSampleReturn: chosen?.statistics?.return ?? null,
    outOfSampleReturn: tested?.statistics?.return ?? null,
    digest: tested?.digest ?? null,
    error: tested?.error ?? null,
  }
}

interface ChainedLine {
  readonly times: readonly number[]
  readonly values: readonly number[]
  readonly excess: readonly number[]
}

/** A window without a run, or with an error, leaves the line unchanged. */
function chained(traded: readonly TradedFold[], sampling: Sampling): ChainedLine {
  const times: number[] = []
  const values: number[] = []
  const excess: number[] = []
  let level = 1
  for (const { fold, tested } of traded) {
    const returns = tested === undefined ? null : returnsOf(tested)
    const moments = returns === null ? [fold.test.from, fold.test.to] : momentsOf(fold.test, returns.length, sampling)
    // The end of a window is the beginning of the next.
    if (times.at(-1) === moments[0]) [times, values].forEach((column) => column.pop())
    times.push(moments[0] ?? fold.test.from)
    values.push(level)
    for (const [index, value] of (returns ?? [0]).entries()) {
      level *= 1 + value
      times.push(moments[index + 1] ?? fold.test.to)
      values.push(level)
    }
    if (returns !== null) excess.push(...excessOf(returns, sampling))
  }
  return { times, values, excess }
}

/** The last window may extend beyond the last row, where its run ends. */
function momentsOf(test: RunRange, returns: number, { periodMs }: Sampling): readonly number[] {
  const times = sampleTimes(test, periodMs)
  return times.length === returns + 1 ? times : [...times.slice(0, returns), test.to]
}

function deepestFall(values: readonly number[]): number {
  let [peak, deepest] = [0, 0]
  for (const value of values) {
    peak = Math.max(peak, value)
    deepest = Math.max(deepest, 1 - value / peak)
  }
  return deepest
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((all, value) => all + value, 0) / values.length

/** @see Pardo (2008), The Evaluation and Optimization of Trading Strategies: walk-forward efficiency */
function efficiencyOf(windows: readonly WalkForwardWindow[]): number | null {
  const totals = { inside: 0, insideMs: 0, outside: 0, outsideMs: 0 }
  for (const { inSampleReturn, outOfSampleReturn, trainFrom, trainTo, testFrom, testTo } of windows) {
    if (inSampleReturn === null || outOfSampleReturn === null) continue
    if (!(inSampleReturn > -1 && outOfSampleReturn > -1)) return null
    totals.inside += Math.log1p(inSampleReturn)
    totals.insideMs += trainTo - trainFrom
    totals.outside += Math.log1p(outOfSampleReturn)
    totals.outsideMs += testTo - testFrom
  }
  if (!(totals.inside > 0) || totals.outsideMs === 0) return null
  return totals.outside / totals.outsideMs / (totals.inside / totals.insideMs)
}

function driftOf(windows: readonly WalkForwardWindow[]): Readonly<Record<string, ParamDrift>> {
  const chosen = windows.map(({ params }) => params).filter((params) => params !== null)
  return Object.fromEntries(
    Object.keys(chosen[0] ?? {}).map((name) => {
      const values = chosen.map((params) => params[name])
      const changes = values.slice(1).filter((value, index) => value !== values[index]).length
      return [name, { values: new Set(values).size, changes }]
    }),
  )
}
