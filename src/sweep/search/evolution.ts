/**
 * CMA-ES over a grid: a multivariate normal distribution whose mean, step size and covariance adapt to the better
 * offspring of each generation.
 *
 * Coordinates are fractions of their axes, from 0 to 1; a step is the part of an axis that maps to one cell.
 *
 * Invariant: on every axis an offspring leaves the cell of the mean with at least the margin's probability, so no axis
 * freezes while its steps are wider than the distribution.
 *
 * @see Hansen (2016), The CMA Evolution Strategy: A Tutorial; Hamano, Saito, Nomura and Shirakawa (2022), CMA-ES with
 * Margin, for the lower bound of the probabilities, enforced here by the least deviation and the nearest mean that
 * satisfy it
 */
import { normalQuantile } from '../selection/normal.ts'
import { type EvolutionWeights, evolutionWeights } from './evolution-weights.ts'
import { exponential, nearlyNormal } from './portable-math.ts'
import type { Cell } from './searcher.ts'
import { symmetricEigen, type Eigen, type Matrix } from './symmetric-eigen.ts'

/** Initial step size as a share of the axis: small, because it starts at the best of some random cells. */
const FIRST_STEP = 0.2
/** A cloud that is wider than its axes says nothing more. */
const WIDEST = 1

/** A member of a generation. */
export interface Offspring {
  /** Displacement from the mean, before step size and margin are applied. */
  readonly move: readonly number[]
  readonly cell: Cell
}

export class Evolution {
  readonly #counts: readonly number[]
  readonly #constants: EvolutionWeights
  /**
   * Deviations from the mean beyond which a normal draw is as likely as the margin, on one side, and on each of two.
   */
  readonly #reach: { readonly atEnd: number; readonly inside: number }
  #mean: number[]
  #step = FIRST_STEP
  #covariance: number[][]
  #eigen: Eigen
  #stepPath: number[]
  #path: number[]
  /** Bias correction of the step path: distinguishes a path that is long from one with little history. */
  #unrenewed = 1

  /**
   * @param counts  of steps, each at least 2
   * @param size    of a generation, at least 4
   * @param start   cell
   */
  constructor(counts: readonly number[], size: number, start: Cell) {
    this.#counts = counts
    this.#constants = evolutionWeights(counts.length, size)
    const margin = 1 / (counts.length * size)
    this.#reach = { atEnd: reachOf(margin), inside: reachOf(margin / 2) }
    this.#mean = counts.map((count, axis) => ((start[axis] ?? 0) + 0.5) / count)
    this.#covariance = counts.map((_, row) => counts.map((_count, column) => (row === column ? 1 : 0)))
    this.#eigen = symmetricEigen(this.#covariance)
    this.#stepPath = counts.map(() => 0)
    this.#path = counts.map(() => 0)
    this.#keepMargin()
  }

  /** @param random  in [0, 1) */
  offspring(random: () => number): Offspring {
    const { values, vectors } = this.#eigen
    const move = this.#counts.map(() => 0)
    for (const [index, vector] of vectors.entries()) {
      const length = Math.sqrt(Math.max(0, values[index] ?? 0)) * nearlyNormal(random)
      for (const [axis, part] of vector.entries()) move[axis] = (move[axis] ?? 0) + length * part
    }
    const cell = this.#counts.map((count, axis) =>
      cellAt((this.#mean[axis] ?? 0) + this.#reached(axis) * (move[axis] ?? 0), count),
    )
    return { move, cell }
  }

  /** @param ranked  a whole generation, the best first */
  learn(ranked: readonly Offspring[]): void {
    const { weights } = this.#constants
    const better = ranked.slice(0, weights.length).map(({ move }) => move)
    const moved = this.#counts.map((_, axis) => weighted(weights, (rank) => better[rank]?.[axis] ?? 0))
    this.#mean = this.#mean.map((place, axis) => place + this.#reached(axis) * (moved[axis] ?? 0))
    const isLong = this.#renewPaths(moved)
    this.#renewCovariance(better, isLong)
    this.#renewStep()
    this.#keepMargin()
  }

  /**
   * Factor from a unit move to a share of the axis: at least wide enough to leave the cell of the mean often enough.
   */
  #reached(axis: number): number {
    return Math.max(this.#step, this.#leastDeviation(axis) / this.#spread(axis))
  }

  #spread(axis: number): number {
    return Math.sqrt(this.#covariance[axis]?.[axis] ?? 1)
  }

  /** Least deviation at which a mean in the middle of its cell leaves it on either side often enough. */
  #leastDeviation(axis: number): number {
    return 0.5 / (this.#counts[axis] ?? 1) / this.#reach.inside
  }

  /**
   * @returns whether the step path is longer than expected at random: then the step size grows, and the covariance is
   * not updated
   */
  #renewPaths(moved: readonly number[]): boolean {
    const { stepPath, path, effective, chanceLength } = this.#constants
    const n = this.#counts.length
    const straight = this.#straightened(moved)
    const renewed = Math.sqrt(stepPath * (2 - stepPath) * effective)
    this.#stepPath = this.#stepPath.map((part, axis) => (1 - stepPath) * part + renewed * (straight[axis] ?? 0))
    this.#unrenewed *= (1 - stepPath) * (1 - stepPath)
    const isLong = lengthOf(this.#stepPath) / Math.sqrt(1 - this.#unrenewed) > (1.4 + 2 / (n + 1)) * chanceLength
    const share = isLong ? 0 : Math.sqrt(path * (2 - path) * effective)
    this.#path = this.#path.map((part, axis) => (1 - path) * part + share * (moved[axis] ?? 0))
    return isLong
  }

  /** Whitened displacement: transformed as if the covariance were the identity. */
  #straightened(moved: readonly number[]): readonly number[] {
    const { values, vectors } = this.#eigen
    const straight = moved.map(() => 0)
    for (const [index, vector] of vectors.entries()) {
      const along = vector.reduce((sum, part, axis) => sum + part * (moved[axis] ?? 0), 0)
      const share = along / Math.sqrt(Math.max(values[index] ?? 0, Number.MIN_VALUE))
      for (const [axis, part] of vector.entries()) straight[axis] = (straight[axis] ?? 0) + share * part
    }
    return straight
  }

  #renewCovariance(better: Matrix, isLong: boolean): void {
    const { weights, path, ofPath, ofBetter } = this.#constants
    const missed = isLong ? ofPath * path * (2 - path) : 0
    this.#covariance = this.#covariance.map((row, a) =>
      row.map((value, b) => {
        const common = weighted(weights, (rank) => (better[rank]?.[a] ?? 0) * (better[rank]?.[b] ?? 0))
        const along = (this.#path[a] ?? 0) * (this.#path[b] ?? 0)
        return (1 - ofPath - ofBetter + missed) * value + ofPath * along + ofBetter * common
      }),
    )
    this.#eigen = symmetricEigen(this.#covariance)
  }

  #renewStep(): void {
    const { stepPath, stepDamping, chanceLength } = this.#constants
    const growth = (stepPath / stepDamping) * (lengthOf(this.#stepPath) / chanceLength - 1)
    this.#step *= exponential(Math.max(-1, Math.min(1, growth)))
    const spreads = this.#counts.map((_, axis) => this.#spread(axis))
    const widest = WIDEST / Math.max(...spreads)
    // Below this the margin alone would decide the distance of offspring, and the step size could not recover.
    const least = Math.min(...spreads.map((spread, axis) => this.#leastDeviation(axis) / spread))
    this.#step = Math.max(least, Math.min(widest, this.#step))
  }

  /** Shifts the mean by the least amount that makes the neighbouring cells reachable. */
  #keepMargin(): void {
    this.#mean = this.#mean.map((place, axis) => {
      const count = this.#counts[axis] ?? 1
      const cell = cellAt(place, count)
      const [low, high] = [cell / count, (cell + 1) / count]
      const deviation = this.#reached(axis) * this.#spread(axis)
      const { atEnd, inside } = this.#reach
      if (cell === 0) return Math.max(0, Math.min(high, Math.max(place, high - atEnd * deviation)))
      if (cell === count - 1) return Math.min(1, Math.max(low, Math.min(place, low + atEnd * deviation)))
      return Math.max(high - inside * deviation, Math.min(low + inside * deviation, place))
    })
  }
}

/** Rounded, so that the last bit of a logarithm, which differs between engines, does not show. */
const reachOf = (share: number): number => -Math.round((normalQuantile(share) ?? 0) * 1_000) / 1_000

const cellAt = (place: number, count: number): number => Math.max(0, Math.min(count - 1, Math.floor(place * count)))

const weighted = (weights: readonly number[], value: (rank: number) => number): number =>
  weights.reduce((sum, weight, rank) => sum + weight * value(rank), 0)

const lengthOf = (vector: readonly number[]): number => Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0))
