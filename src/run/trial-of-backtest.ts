/**
 * A finished backtest as a trial: the same one as the point of a sweep with the same parameters.
 */
import type { Statistics } from '../analysis/statistics.ts'
import { liquidityOf } from '../runtime/backtest/liquidity-choice.ts'
import type { BacktestResult } from '../runtime/backtest/simulated-run.ts'
import type { PreparedMarkets } from '../runtime/backtest/prepared-backtest.ts'
import { termsOf } from '../runtime/settings/run-terms.ts'
import { bookIdentity, settingsIdentity, tapeIdentity } from '../runtime/sweep/point-key.ts'
import { trialOf, type TrialPlace } from '../runtime/sweep/trial.ts'
import type { TrialMaker } from './run-saver.ts'

/** @returns undefined for a run that its strategy ended with an error: it has nothing to be the best with */
export function trialMakerOf(
  { prepared, digest, failure }: BacktestResult,
  statistics: Statistics,
): TrialMaker | undefined {
  if (failure !== undefined) return undefined
  return (ranAt) => trialOf(trialPlace(prepared), { params: {}, digest, statistics }, ranAt)
}

const trialPlace = ({ settings, loaded, liquidity, inspected, inspectedBooks }: PreparedMarkets): TrialPlace => ({
  strategy: { name: loaded.strategy.name, sha256: loaded.sha256 },
  tapes: inspected.map(tapeIdentity),
  ...(inspectedBooks.length > 0 && { books: inspectedBooks.map(bookIdentity) }),
  settings: settingsIdentity({
    terms: { ...termsOf(settings), liquidity: liquidityOf(settings, inspectedBooks.length > 0) },
    liquiditySha256: liquidity.sha256,
    credit: settings.credit,
    params: settings.params,
    paramTexts: settings.paramTexts,
  }),
})
