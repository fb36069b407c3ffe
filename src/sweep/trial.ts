/**
 * A run as a trial of its strategy on its tapes: what identifies it, and what a ledger records of it.
 *
 * Known limitation: parameters are compared as texts. An explicit default, or `5.0` for `5`, counts as another trial,
 * which errs on the conservative side.
 */
import type { Statistics } from '../analysis/statistics.ts'
import type { Trial } from '../store/runs/trial-table.ts'
import { contentHash, type SweepIdentity, type TapeIdentity } from './point-key.ts'

/** Identity of a trial's environment; the version of papertape does not affect counts. */
export type TrialPlace = Omit<SweepIdentity, 'version'>

/** Outcome of a trial. */
export interface TrialOutcome {
  /** Its own parameters, as texts. */
  readonly params: Readonly<Record<string, string>>
  readonly digest: string | null
  readonly statistics: Statistics
}

/** @param ranAt  Unix milliseconds */
export function trialOf({ strategy, tapes, books, settings }: TrialPlace, outcome: TrialOutcome, ranAt: number): Trial {
  const { params: given = {}, paramTexts = {}, ...terms } = settings
  const params = { ...textsOf(given as object), ...(paramTexts as Readonly<Record<string, string>>), ...outcome.params }
  const { statistics, digest } = outcome
  return {
    id: contentHash({ strategy, tapes, ...(books !== undefined && { books }), terms, params }),
    strategy: strategy.name,
    source: strategy.sha256,
    tape: tapesHash(tapes),
    params: JSON.stringify(params),
    digest,
    sharpe: statistics.sharpe,
    statistics: JSON.stringify(statistics),
    ranAt,
  }
}

/** Identifies tapes, independent of reading settings and of the played part. */
export const tapesHash = (tapes: readonly TapeIdentity[]): string =>
  contentHash(tapes.map(({ symbol, kind, intervalMs, sha256 }) => ({ symbol, kind, intervalMs, sha256 })))

const textsOf = (values: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
