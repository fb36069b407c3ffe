/**
 * Combinatorial purged cross-validation of a sweep: time is cut into groups, each combination of groups is held out
 * once, the point with the best Sharpe ratio on the others is chosen, and its returns in the held-out groups are joined
 * to complete out-of-sample paths.
 *
 * Invariant: it needs no further runs. A return belongs to the group in which its period begins; one that reaches into
 * a held-out group is not used for the choice.
 * Known limitations: the measure is the Sharpe ratio, whatever the objective; a point carries its positions from group
 * to group, which the embargo accounts for.
 *
 * @see López de Prado (2018), Advances in Financial Machine Learning, chapter 12
 */
import { purgedFolds, type PurgedFold } from './selection/purged-folds.ts'
import type { TimeWindow } from './selection/walk-forward.ts'
import { sharpe, sharpeOfRun } from '../analysis/returns/risk-ratios.ts'
import { ascending, quantile } from '../analysis/returns/float-sums.ts'
import type { Params } from './grid.ts'
import type { PointOutcome } from './point-outcome.ts'
import { excessOf, returnsOf, sampleTimes, type RunRange, type Sampling } from './point-returns.ts'

export interface CrossValidationPlan {
  readonly groups: number
  readonly embargoMs: number
}

/** A backtest path through the whole time, made of held-out groups. */
export interface ValidatedPath {
  /**
   * Return, as a share.
   *
   * @unit share
   */
  readonly return: number
  /**
   * Annualized Sharpe ratio; null where returns do not vary.
   *
   * @unit ratio
   */
  readonly sharpe: number | null
}

/** Result of a combinatorial cross-validation, as plain JSON. */
export interface CrossValidationReport {
  /** Count of time groups. */
  readonly groups: number
  /** Count of held-out groups per fold. */
  readonly testGroups: number
  /** Data dropped after each held-out group, in milliseconds. */
  readonly embargoMs: number
  /** Count of folds: one for each combination of held-out groups. */
  readonly folds: number
  /** Backtest paths. Each contains every group once, traded by a fold that held it out. */
  readonly paths: readonly ValidatedPath[]
  /**
   * Median of the paths' Sharpe ratios; null where none has one.
   *
   * @unit ratio
   */
  readonly medianSharpe: number | null
  /**
   * Lowest of them; null where none has one.
   *
   * @unit ratio
   */
  readonly worstSharpe: number | null
  /** Fraction of the paths that end below their start. */
  readonly lossShare: number
  /** How often each point was chosen, most often first. */
  readonly chosen: readonly { readonly params: Params; readonly folds: number }[]
}

interface Candidate {
  readonly params: Params
  readonly returns: readonly number[]
  readonly excess: readonly number[]
}

/** @returns null if a group has no return, or no point has any: then nothing can be chosen */
export function crossValidation(
  outcomes: readonly PointOutcome[],
  range: RunRange,
  { groups: count, embargoMs }: CrossValidationPlan,
  sampling: Sampling,
): CrossValidationReport | null {
  const times = sampleTimes(range, sampling.periodMs)
  const candidates = outcomes.flatMap((outcome): readonly Candidate[] => {
    const returns = returnsOf(outcome)
    if (returns?.length !== times.length - 1) return []
    return [{ params: outcome.params, returns, excess: excessOf(returns, sampling) }]
  })
  if (candidates.length === 0 || range.to - range.from < count) return null
  const testGroups = count > 2 ? 2 : 1
  const { groups, folds, paths } = purgedFolds(range, { groups: count, testGroups, purgeMs: 0, embargoMs })
  const periodsOfGroups = groups.map((group) => periodsIn(times, group, 'begin'))
  if (periodsOfGroups.some((periods) => periods.length === 0)) return null
  const choices = folds.map((fold) => bestOf(candidates, trainedPeriods(times, fold)))
  const validated = paths.map((path) => pathOf(path, choices, periodsOfGroups, sampling))
  const sharpes = ascending(validated.flatMap((path) => path.sharpe ?? []))
  return {
    groups: count,
    testGroups,
    embargoMs,
    folds: folds.length,
    paths: validated,
    medianSharpe: sharpes.length === 0 ? null : quantile(sharpes, 0.5),
    worstSharpe: sharpes[0] ?? null,
    lossShare: validated.filter((path) => path.return < 0).length / validated.length,
    chosen: countsOf(choices),
  }
}

/** Indices of the periods that begin in a window, or that lie completely in it. */
function periodsIn(times: readonly number[], { from, to }: TimeWindow, part: 'begin' | 'whole'): readonly number[] {
  const found: number[] = []
  for (let period = 0; period + 1 < times.length; period += 1) {
    const [begin, end] = [times[period] ?? 0, times[period + 1] ?? 0]
    if (begin >= from && (part === 'whole' ? end <= to : begin < to)) found.push(period)
  }
  return found
}

const trainedPeriods = (times: readonly number[], { train }: PurgedFold): readonly number[] =>
  train.flatMap((window) => periodsIn(times, window, 'whole'))

/** The first of the best; undefined if no point's returns vary there. */
function bestOf(candidates: readonly Candidate[], periods: readonly number[]): Candidate | undefined {
  let best: { readonly candidate: Candidate; readonly ratio: number } | undefined
  for (const candidate of candidates) {
    const ratio = sharpe(
      periods.map((period) => candidate.excess[period] ?? 0),
      1,
    )
    if (ratio !== null && (best === undefined || ratio > best.ratio)) best = { candidate, ratio }
  }
  return best?.candidate
}

/** A fold without a choice contributes no returns. */
function pathOf(
  path: readonly number[],
  choices: readonly (Candidate | undefined)[],
  periodsOfGroups: readonly (readonly number[])[],
  sampling: Sampling,
): ValidatedPath {
  const returns = path.flatMap((fold, group) =>
    (periodsOfGroups[group] ?? []).map((period) => choices[fold]?.returns[period] ?? 0),
  )
  return {
    return: returns.reduce((level, value) => level * (1 + value), 1) - 1,
    sharpe: sharpeOfRun(excessOf(returns, sampling), sampling.periodsPerYear),
  }
}

function countsOf(choices: readonly (Candidate | undefined)[]): CrossValidationReport['chosen'] {
  const counts = new Map<Candidate, number>()
  for (const choice of choices) if (choice !== undefined) counts.set(choice, (counts.get(choice) ?? 0) + 1)
  return [...counts].map(([{ params }, folds]) => ({ params, folds })).sort((a, b) => b.folds - a.folds)
}
