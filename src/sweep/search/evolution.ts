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
import { exponential, naturalLogarithm, nearlyNormal } from './portable-math.ts'
import type { Cell } from './searcher.ts'

/** Rows of numbers, as many as each has. */
export type Matrix = readonly (readonly number[])[]

interface Eigen {
  /** Eigenvalues, unordered. */
  readonly values: readonly number[]
  /** Unit eigenvector of each value, all orthogonal. */
  readonly vectors: Matrix
}

/** Each sweep about squares the off-diagonal rest; ten are enough for any matrix. */
const MAX_SWEEPS = 40

/**
 * Eigenvalues and eigenvectors of a symmetric matrix, by cyclic Jacobi rotations.
 *
 * Invariant: only + - * / and square roots, in a fixed order: the same matrix gives the same numbers on every machine.
 * Known limit: cubic time; meant for some ten rows, not for thousands.
 *
 * @see Golub and Van Loan (2013), Matrix Computations, section 8.5
 *
 * @param matrix  symmetric; only the diagonal and the upper triangle are read
 */
export function symmetricEigen(matrix: Matrix): Eigen {
  const size = matrix.length
  const work = matrix.map((row, index) =>
    row.map((value, column) => (column < index ? at(matrix, column, index) : value)),
  )
  const vectors = work.map((_, index) => work.map((_row, column) => (column === index ? 1 : 0)))
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(work); sweep += 1) {
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) rotate(work, vectors, p, q)
    }
  }
  return { values: work.map((row, index) => row[index] ?? 0), vectors }
}

const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? 0

/** True once the off-diagonal rest is smaller than the last bit of the diagonal. */
function isDiagonal(matrix: Matrix): boolean {
  return matrix.every((row, p) =>
    row.every((value, q) => {
      const size = Math.abs(at(matrix, p, p)) + Math.abs(at(matrix, q, q))
      return p === q || size + Math.abs(value) === size
    }),
  )
}

/** Turns the plane of two axes so that nothing is left between them. */
function rotate(matrix: number[][], vectors: number[][], p: number, q: number): void {
  const between = at(matrix, p, q)
  if (between === 0) return
  const theta = (at(matrix, q, q) - at(matrix, p, p)) / (2 * between)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (const row of matrix) turn(row, p, q, cosine, sine)
  const [first = [], second = []] = [matrix[p], matrix[q]]
  for (const [column, one] of first.entries()) {
    const other = second[column] ?? 0
    first[column] = cosine * one - sine * other
    second[column] = sine * one + cosine * other
  }
  // Row by row: each vector is one.
  const [along = [], across = []] = [vectors[p], vectors[q]]
  for (const [column, one] of along.entries()) {
    const other = across[column] ?? 0
    along[column] = cosine * one - sine * other
    across[column] = sine * one + cosine * other
  }
}

function turn(row: number[], p: number, q: number, cosine: number, sine: number): void {
  const [one = 0, other = 0] = [row[p], row[q]]
  row[p] = cosine * one - sine * other
  row[q] = sine * one + cosine * other
}

/**
 * Constants of CMA-ES: recombination weights and learning rates.
 *
 * @see Hansen (2016), The CMA Evolution Strategy: A Tutorial, table 1, without negative weights
 */
interface EvolutionWeights {
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
