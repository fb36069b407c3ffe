/**
 * A run as a trial of its strategy on its tapes: what makes it the same trial as another, and what a ledger keeps of
 * it.
 *
 * Known limit: parameters are compared as texts. A default that is written out, or `5.0` for `5`, is a trial of its
 * own, which errs on the side of luck.
 */
import type { Statistics } from '../analysis/statistics.ts'
import type { Trial } from '../store/runs/trial-table.ts'
import { contentHash, type SweepIdentity, type TapeIdentity } from './point-key.ts'

/** Where a trial was made; the version of papertape bears on no count. */
export type TrialPlace = Omit<SweepIdentity, 'version'>

/** What came of it. */
export interface TrialOutcome {
  /** Parameters that are its own, as texts. */
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

/** The same tapes however they are read, and whatever part of them is played. */
export const tapesHash = (tapes: readonly TapeIdentity[]): string =>
  contentHash(tapes.map(({ symbol, kind, intervalMs, sha256 }) => ({ symbol, kind, intervalMs, sha256 })))

const textsOf = (values: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
