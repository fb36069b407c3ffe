/** Monte Carlo (bootstrap) of a sweep's best point: resamples its round trips and returns. */
import { equityMonteCarlo, tripMonteCarlo, type MonteCarlo } from './selection/monte-carlo.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import type { PointOutcome } from './point-outcome.ts'
import { returnsOf } from './point-returns.ts'

/** Result of a Monte Carlo, as plain JSON. A part is null if there is too little to draw from. */
export interface MonteCarloReport {
  /** Count of rounds. */
  readonly rounds: number
  /** Round trips drawn with replacement: profits in the quote asset of the run. */
  readonly trips: MonteCarlo | null
  /** The same round trips in random order. */
  readonly tripOrder: MonteCarlo | null
  /** Returns of the periods, drawn in blocks. */
  readonly equity: MonteCarlo | null
}

/**
 * @param best        detailed
 * @param quoteAsset  of the run; round trips of markets in other quote assets are excluded
 */
export function bestMonteCarlo(
  best: PointOutcome,
  quoteAsset: string,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): MonteCarloReport {
  const own = (best.trips ?? []).filter(({ symbol }) => symbol.endsWith(`_${quoteAsset}`))
  const profits = own.map(({ profit }) => Number(profit))
  // Each part restarts the generator, so that none depends on whether another has enough data.
  const random = (): (() => number) => seededRandom(seed)
  return {
    rounds,
    trips: tripMonteCarlo(profits, 'resample', random(), rounds),
    tripOrder: tripMonteCarlo(profits, 'permute', random(), rounds),
    equity: equityMonteCarlo(returnsOf(best) ?? [], random(), rounds),
  }
}
