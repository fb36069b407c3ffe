/**
 * Monte Carlo runs: the round trips or the daily returns of a run, resampled at random.
 *
 * Known limit: it resamples observed trips and days only. A loss that did not happen is not in it.
 */
import { CircularBlocks, blockLength } from '../../analysis/returns/circular-blocks.ts'
import { FloatSum, ascending, quantile } from '../../analysis/returns/float-sums.ts'

const ROUNDS = 1_000
/** Minimum sample: fewer are too few to resample. */
const MIN_SAMPLES = 10

/** Quantiles of a figure over the rounds, linear between order statistics. */
export interface Spread {
  /** 5 of a hundred rounds are below it. */
  readonly low: number
  readonly lowerQuarter: number
  readonly median: number
  readonly upperQuarter: number
  /** 5 of a hundred rounds are above it. */
  readonly high: number
}

export interface MonteCarlo {
  readonly rounds: number
  /** Final result: the sum of profits of round trips, in their unit, or the compound return, as a share. */
  readonly final: Spread
  /** Largest fall from a peak, the start being one: of round trips in their unit, of returns as a share of the peak. */
  readonly maxDrawdown: Spread
  /** Share of the rounds that end below their start. */
  readonly lossShare: number
  /** The actual run, its round trips or returns in original order, in the same units. */
  readonly actual: Round
}

/** One resampled run. */
export interface Round {
  readonly final: number
  readonly maxDrawdown: number
}

/**
 * - `resample`: as many trips as there were, each any of them, some more than once.
 * - `permute`: all of them, in another order; the sum of profits stays.
 */
export type TripDraw = 'resample' | 'permute'

/**
 * @param profits  of the round trips, all in one unit
 * @param random   in [0, 1), seeded
 * @returns null for fewer than ten trips
 * @see Efron (1979), Bootstrap Methods: Another Look at the Jackknife
 */
export function tripMonteCarlo(
  profits: readonly number[],
  draw: TripDraw,
  random: () => number,
  rounds = ROUNDS,
): MonteCarlo | null {
  if (profits.length < MIN_SAMPLES) return null
  return spreadsOf(rounds, tripsRound(profits), () =>
    tripsRound(draw === 'permute' ? permuted(profits, random) : profits.map(() => pickedOf(profits, random))),
  )
}

function tripsRound(profits: readonly number[]): Round {
  const total = new FloatSum()
  let peak = 0
  let deepest = 0
  for (const profit of profits) {
    total.add(profit)
    const now = total.value
    if (now > peak) peak = now
    else deepest = Math.max(deepest, peak - now)
  }
  return { final: total.value, maxDrawdown: deepest }
}

/**
 * Circular block bootstrap of returns: blocks of n^(1/3), rounded up, preserve serial dependence.
 *
 * @param returns  of the periods of a run, each above -1
 */
export function equityMonteCarlo(returns: readonly number[], random: () => number, rounds = ROUNDS): MonteCarlo | null {
  if (returns.length < MIN_SAMPLES) return null
  const block = blockLength(returns.length)
  return spreadsOf(rounds, returnsRound(returns), () =>
    returnsRound(new CircularBlocks(returns.length, block, random).of(returns)),
  )
}

function returnsRound(returns: readonly number[]): Round {
  let equity = 1
  let peak = 1
  let deepest = 0
  for (const value of returns) {
    equity *= 1 + value
    if (equity > peak) peak = equity
    else deepest = Math.max(deepest, 1 - equity / peak)
  }
  return { final: equity - 1, maxDrawdown: deepest }
}

function spreadsOf(count: number, actual: Round, round: () => Round): MonteCarlo {
  const rounds = Array.from({ length: count }, round)
  const finals = rounds.map(({ final }) => final)
  return {
    rounds: count,
    final: spreadOf(finals),
    maxDrawdown: spreadOf(rounds.map(({ maxDrawdown }) => maxDrawdown)),
    lossShare: finals.filter((final) => final < 0).length / count,
    actual,
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = ascending(values)
  return {
    low: quantile(sorted, 0.05),
    lowerQuarter: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuarter: quantile(sorted, 0.75),
    high: quantile(sorted, 0.95),
  }
}

const below = (length: number, random: () => number): number => Math.floor(random() * length)

const pickedOf = (values: readonly number[], random: () => number): number => values[below(values.length, random)] ?? 0

/** Fisher-Yates shuffle. */
function permuted(values: readonly number[], random: () => number): readonly number[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, random)
    const moved = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = moved
  }
  return order
}
