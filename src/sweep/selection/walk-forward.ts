/**
 * Walk-forward windows: the best settings on a train window trade the test window that follows, repeatedly.
 *
 * Invariant: a train window ends the purge before its test window begins; the test windows touch, and none overlaps
 * another.
 */
import { invariant } from '../../domain/errors.ts'

/** Half open, Unix milliseconds: `from` is in it, `to` is not. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

export interface WalkForwardFold {
  /** Window in which the best is chosen. */
  readonly train: TimeWindow
  /** Window in which it trades. */
  readonly test: TimeWindow
}

export interface WalkForwardPlan {
  readonly trainMs: number
  readonly testMs: number
  /** Gap between the two; 0 for none. */
  readonly purgeMs: number
  /**
   * If true, each train window begins at the start of the range and grows; otherwise it moves on with its test window.
   */
  readonly isAnchored: boolean
}

/**
 * Folds, oldest first. The first train window begins with the range; the last test window ends with it, and may be
 * shorter than the others.
 *
 * @returns empty if no test window begins within the range
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
