/**
 * Windows of a walk-forward: the best on a stretch of the past trades what comes next, again and again.
 *
 * Invariant: a train window ends the purge before its test window begins; the test windows touch, and none overlaps another.
 */
import { invariant } from '../../domain/errors.ts'

/** Half open, Unix milliseconds: `from` is in it, `to` is not. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

export interface WalkForwardFold {
  /** Where the best is chosen. */
  readonly train: TimeWindow
  /** Where it trades. */
  readonly test: TimeWindow
}

export interface WalkForwardPlan {
  readonly trainMs: number
  readonly testMs: number
  /** Between the two; 0 for none. */
  readonly purgeMs: number
  /** Each train window begins at the start of the range, and grows, where it would else move on with its test window. */
  readonly isAnchored: boolean
}

/**
 * Oldest first. The first train window begins with the range; the last test window ends with it, and may be shorter than the others.
 *
 * @returns none where no test window begins within the range
 */
export function walkForwardFolds(range: TimeWindow, plan: WalkForwardPlan): readonly WalkForwardFold[] {
  const { trainMs, testMs, purgeMs, isAnchored } = plan
  for (const ms of [trainMs, testMs]) invariant(isLength(ms) && ms > 0, `a window of ${ms} ms`)
  invariant(isLength(purgeMs), `a purge of ${purgeMs} ms`)
  const folds: WalkForwardFold[] = []
  for (let from = range.from + trainMs + purgeMs; from < range.to; from += testMs) {
    const trained = from - purgeMs
    const train = { from: isAnchored ? range.from : trained - trainMs, to: trained }
    folds.push({ train, test: { from, to: Math.min(from + testMs, range.to) } })
  }
  return folds
}

const isLength = (ms: number): boolean => Number.isSafeInteger(ms) && ms >= 0
