/**
 * The points of a sweep in the ledger of trials of a store.
 *
 * Known limit: points that a killed sweep has done are counted when it goes on, not before.
 */
import { thrownText } from '../../domain/thrown-text.ts'
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import { tapesHash, trialOf, type TrialPlace } from '../../runtime/sweep/trial.ts'
import { RunStore } from '../../store/runs/run-store.ts'
import type { SaveOptions } from '../keep-options.ts'

const WAIT_MS = 10_000

/** What the ledger says afterwards. */
export interface LedgerAnswer {
  /** Of all trials of the strategy on the tapes; undefined where the store did not take them. */
  readonly sharpes: readonly (number | null)[] | undefined
  /** Why it did not; null when it did. */
  readonly fault: string | null
}

/** @param outcomes  of the grid; those that did not reach their end are no trials */
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
    // What hours have made is not lost because somebody else writes there.
    return { sharpes: undefined, fault: thrownText(error) }
  }
}
