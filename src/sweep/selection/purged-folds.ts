/**
 * Combinatorial purged cross-validation: the time is cut into groups, each combination of k groups is tested once, and
 * the rest, after purging, is trained on.
 *
 * Invariant: no train window comes nearer to a test window than the purge, nor begins within purge and embargo after
 * one.
 * Known limit: N groups of which k are tested give N! / (k! (N - k)!) folds, all of them in memory.
 *
 * @see López de Prado (2018), Advances in Financial Machine Learning, chapters 7 and 12
 */
import { invariant } from '../../domain/errors.ts'
import type { TimeWindow } from './walk-forward.ts'

export interface PurgedPlan {
  /** Number of groups, at least 2. */
  readonly groups: number
  /** Number of groups tested per fold: at least 1, fewer than there are. */
  readonly testGroups: number
  /** Gap on either side of a test window: as long as a position is held. */
  readonly purgeMs: number
  /** Left out after a test window besides: as long as the market remembers. */
  readonly embargoMs: number
}

export interface PurgedFold {
  /** Groups that are tested, from 0, ascending. */
  readonly groups: readonly number[]
  /** They, as windows: one a group, ascending. */
  readonly test: readonly TimeWindow[]
  /** Ascending; adjacent groups form one window. Empty if purge and embargo leave nothing. */
  readonly train: readonly TimeWindow[]
}

export interface PurgedFolds {
  /** All groups, in the order of time. */
  readonly groups: readonly TimeWindow[]
  readonly folds: readonly PurgedFold[]
  /**
   * Whole runs through the time that test windows make: for each of them, the fold that tests group 0, group 1, and so
   * on.
   */
  readonly paths: readonly (readonly number[])[]
}

/** @param range  whole milliseconds, at least one a group */
export function purgedFolds(range: TimeWindow, plan: PurgedPlan): PurgedFolds {
  const { groups: count, testGroups, purgeMs, embargoMs } = plan
  for (const ms of [purgeMs, embargoMs]) invariant(Number.isSafeInteger(ms) && ms >= 0, `${ms} ms left out`)
  invariant(Number.isSafeInteger(count) && Number.isSafeInteger(testGroups), `${testGroups} of ${count} groups`)
  invariant(testGroups >= 1 && testGroups < count, `${testGroups} of ${count} groups leave none to train on`)
  const groups = equalParts(range, count)
  const folds = choices(count, testGroups).map((chosen): PurgedFold => {
    const test = chosen.flatMap((group) => groups[group] ?? [])
    return { groups: chosen, test, train: trainWindows(range, test, purgeMs, embargoMs) }
  })
  return { groups, folds, paths: pathsOf(folds, count) }
}

/** If the length does not divide evenly, the first groups are longer by a millisecond. */
function equalParts({ from, to }: TimeWindow, count: number): readonly TimeWindow[] {
  const length = to - from
  invariant(length >= count, `${length} ms in ${count} groups`)
  const longer = length % count
  const each = (length - longer) / count
  const start = (index: number): number => from + each * index + Math.min(index, longer)
  return Array.from({ length: count }, (_, index) => ({ from: start(index), to: start(index + 1) }))
}

/** All ways to take `size` of the first integers, each ascending, in the order of a dictionary. */
function choices(count: number, size: number, first = 0): readonly (readonly number[])[] {
  if (size === 0) return [[]]
  const found: (readonly number[])[] = []
  for (let one = first; one <= count - size; one += 1) {
    for (const others of choices(count, size - 1, one + 1)) found.push([one, ...others])
  }
  return found
}

/** Rest of the range between the test windows, after purge and embargo. */
function trainWindows(
  range: TimeWindow,
  test: readonly TimeWindow[],
  purgeMs: number,
  embargoMs: number,
): readonly TimeWindow[] {
  const windows: TimeWindow[] = []
  let from = range.from
  for (const window of test) {
    if (window.from - purgeMs > from) windows.push({ from, to: window.from - purgeMs })
    from = Math.max(from, window.to + purgeMs + embargoMs)
  }
  if (range.to > from) windows.push({ from, to: range.to })
  return windows
}

/** Path j takes for each group the j-th of the folds that test it. */
function pathsOf(folds: readonly PurgedFold[], count: number): readonly (readonly number[])[] {
  const foldsByGroup = Array.from({ length: count }, (_, group) =>
    folds.flatMap((fold, index) => (fold.groups.includes(group) ? [index] : [])),
  )
  const [ofFirst = []] = foldsByGroup
  return ofFirst.map((_, path) => foldsByGroup.map((ofGroup) => ofGroup[path] ?? 0))
}
