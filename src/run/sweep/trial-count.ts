/**
 * Adds the points of a sweep to the ledger of trials in a database.
 *
 * Known limit: points of a killed sweep are counted when it resumes.
 */
import { thrownText } from '../../domain/thrown-text.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { tapesHash, trialOf, type TrialPlace } from '../../sweep/trial.ts'
import { RunStore } from '../../store/runs/run-store.ts'
import type { SaveOptions } from '../save-options.ts'

const WAIT_MS = 10_000

/** Content of the ledger after the update. */
export interface LedgerAnswer {
  /** Sharpe ratios of all trials of the strategy on these tapes; undefined if the database was not updated. */
  readonly sharpes: readonly (number | null)[] | undefined
  /** Reason why the database was not updated; null if it was. */
  readonly fault: string | null
}

/** @param outcomes  of the whole grid; failed ones do not count as trials */
export function countTrials(
  { file, now, onBusy }: SaveOptions,
  place: TrialPlace,
  outcomes: readonly PointOutcome[],
): LedgerAnswer {
  const ranAt = now()
  const trials = outcomes.flatMap(({ params, digest, statistics }) =>
    statistics === null ? [] : [trialOf(place, { params, digest, statistics }, ranAt)],
  )
  try {
    const patience = { waitMs: WAIT_MS, onBusy: onBusy ?? ((): void => undefined) }
    const sharpes = RunStore.write(file, patience, (store) => {
      store.trials.put(trials)
      return store.trials.sharpes(place.strategy.name, tapesHash(place.tapes))
    })
    return { sharpes, fault: null }
  } catch (error) {
    // A locked database must not discard the result of a long sweep.
    return { sharpes: undefined, fault: thrownText(error) }
  }
}
