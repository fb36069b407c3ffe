/**
 * Constants of CMA-ES: recombination weights and learning rates.
 *
 * @see Hansen (2016), The CMA Evolution Strategy: A Tutorial, table 1, without negative weights
 */
import { naturalLogarithm } from './portable-math.ts'

export interface EvolutionWeights {
  /** Recombination weights of the better half, best first; their sum is 1. */
  readonly weights: readonly number[]
  /** Variance-effective selection mass: the number of equal weights they are worth. */
  readonly effective: number
  /** Share of the step path that is renewed in a generation. */
  readonly stepPath: number
  readonly stepDamping: number
  /** Share of the path of the covariance that is renewed in a generation. */
  readonly path: number
  /** Share of the covariance that is renewed by that path. */
  readonly ofPath: number
  /** And by the better half. */
  readonly ofBetter: number
  /** Length that a vector of normal draws is expected to have. */
  readonly chanceLength: number
}

/** Default population size, before a restart doubles it. */
export const generationOf = (axes: number): number => Math.max(8, 4 + Math.floor(3 * naturalLogarithm(axes)))

/** @param n  axes @param size  of a generation */
export function evolutionWeights(n: number, size: number): EvolutionWeights {
  const raw = Array.from({ length: Math.floor(size / 2) }, (_, rank) => naturalLogarithm((size + 1) / 2 / (rank + 1)))
  const total = raw.reduce((sum, weight) => sum + weight, 0)
  const weights = raw.map((weight) => weight / total)
  const effective = 1 / weights.reduce((sum, weight) => sum + weight * weight, 0)
  const stepPath = (effective + 2) / (n + effective + 5)
  const ofPath = 2 / ((n + 1.3) * (n + 1.3) + effective)
  return {
    weights,
    effective,
    stepPath,
    ofPath,
    stepDamping: 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + stepPath,
    path: (4 + effective / n) / (n + 4 + (2 * effective) / n),
    ofBetter: Math.min(1 - ofPath, (2 * (effective - 2 + 1 / effective)) / ((n + 2) * (n + 2) + effective)),
    chanceLength: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  }
}
