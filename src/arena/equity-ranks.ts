/**
 * Ranks of players by their equity, with ties where statistics cannot distinguish them.
 *
 * The season is cut into blocks. A resample changes the sign of all gains of a block together, so the players stay
 * paired, and what they have in common cancels out (wild block bootstrap).
 *
 * 1. Two players are compared by the sum of the differences of their gains over the root of the sum of their squares.
 * 2. All pairs are compared at once, by the largest such ratio in a resample, with stepdown: the probability to
 *    distinguish any two players of equal skill is 5 %, however many there are.
 * 3. A sole winner is better than every other player by itself, at a level of 2.5 %; that needs no correction, because
 *    the runner-up is the best of all others.
 *
 * Only + - * / and Math.sqrt of doubles, so the ranks of a seed are the same on every machine.
 * Known limitation: a player who risks a rare large loss looks skilled until it happens.
 *
 * @see Romano and Wolf (2005), Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing; Mogstad, Romano,
 * Shaikh and Wilhelm (2024), Inference for Ranks; Gutmann and Maymin (1987), Is the Selected Population the Best?
 */
import { blockLength } from '../analysis/returns/circular-blocks.ts'

const RESAMPLES = 1_000
/** Largest share of the resamples that may reach a ratio that distinguishes players: over all pairs, and in one. */
const LEVEL = 0.05
const WINNER_LEVEL = 0.025
const MAX_BLOCKS = 64

/** A better player and a worse one. */
interface Pair {
  readonly better: number
  readonly worse: number
  readonly ratio: number
  /** Root of the sum of the squared differences. */
  readonly norm: number
}

/**
 * @param curves  per player its equity at the common sample times, oldest first, in units; all begin with the same
 * @param random  in [0, 1), seeded
 * @returns       the rank of each player: 1 + the players that are significantly better, and never a better rank than
 * a player with as much equity or more
 */
export function equityRanks(curves: readonly (readonly bigint[])[], random: () => number): readonly number[] {
  const sums = resampledSums(curves.map(blockGains), random)
  const pairs = pairsOf(curves, sums)
  const winner = curves.findIndex((_, player) => isSoleWinner(player, pairs, sums))
  const above = curves.map(() => 0)
  for (const { worse } of significantPairs(pairs, sums)) above[worse] = (above[worse] ?? 0) + 1
  const final = curves.map((curve) => curve.at(-1) ?? 0n)
  return final.map((equity, player) => {
    if (player === winner) return 1
    const rank = 1 + Math.max(...above.filter((_, other) => (final[other] ?? 0n) >= equity))
    return winner === -1 ? rank : Math.max(rank, 2)
  })
}

/** Gains of the blocks: 2 n^(1/3) periods or longer, all equally long but for rounding. */
function blockGains(curve: readonly bigint[]): readonly number[] {
  const periods = Math.max(curve.length - 1, 0)
  const blocks = Math.min(MAX_BLOCKS, Math.floor(periods / (2 * blockLength(periods))))
  const at = (block: number): bigint => curve[Math.floor((block * periods) / blocks)] ?? 0n
  return Array.from({ length: blocks }, (_, block) => Number(at(block + 1) - at(block)))
}

/** Gains of each player as they were, and after them the resamples. */
interface Sums {
  readonly gains: readonly (readonly number[])[]
  /** Per player the sum of its gains, first as they were, then with the signs of each resample. */
  readonly totals: readonly Float64Array[]
}

function resampledSums(gains: readonly (readonly number[])[], random: () => number): Sums {
  const totals = gains.map(() => new Float64Array(1 + RESAMPLES))
  for (let round = 0; round <= RESAMPLES; round += 1) {
    const signs = (gains[0] ?? []).map(() => (round === 0 || random() < 0.5 ? 1 : -1))
    for (const [player, own] of gains.entries()) {
      let total = 0
      for (let block = 0; block < own.length; block += 1) total += (own[block] ?? 0) * (signs[block] ?? 0)
      totals[player]?.fill(total, round, round + 1)
    }
  }
  return { gains, totals }
}

function pairsOf(curves: readonly (readonly bigint[])[], { gains, totals }: Sums): readonly Pair[] {
  const final = curves.map((curve) => curve.at(-1) ?? 0n)
  return final.flatMap((high, better) =>
    final.flatMap((low, worse): Pair[] => {
      if (low >= high) return []
      let squares = 0
      for (const [block, gain] of (gains[better] ?? []).entries()) {
        const difference = gain - (gains[worse]?.[block] ?? 0)
        squares += difference * difference
      }
      const norm = Math.sqrt(squares)
      const ratio = Math.abs((totals[better]?.[0] ?? 0) - (totals[worse]?.[0] ?? 0)) / norm
      return squares === 0 ? [] : [{ better, worse, norm, ratio }]
    }),
  )
}

function isSoleWinner(player: number, pairs: readonly Pair[], sums: Sums): boolean {
  const own = pairs.filter(({ better }) => better === player)
  const isBest = own.length > 0 && own.length === sums.gains.length - 1
  return isBest && own.every((pair) => pair.ratio > criticalValue([pair], sums, WINNER_LEVEL))
}

/** Stepdown: pairs above the critical value are set aside, and those left are compared with a lower one. */
function significantPairs(pairs: readonly Pair[], sums: Sums): readonly Pair[] {
  const critical = criticalValue(pairs, sums, LEVEL)
  const found = pairs.filter(({ ratio }) => ratio > critical)
  if (found.length === 0) return found
  const left = pairs.filter(({ ratio }) => ratio <= critical)
  return [...found, ...significantPairs(left, sums)]
}

/** Value that the largest ratio over the pairs exceeds in a share `level` of the resamples. */
function criticalValue(pairs: readonly Pair[], { totals }: Sums, level: number): number {
  const largest = new Float64Array(RESAMPLES)
  for (const { better, worse, norm } of pairs) {
    const [a, b] = [totals[better] ?? largest, totals[worse] ?? largest]
    for (let round = 0; round < RESAMPLES; round += 1) {
      const ratio = Math.abs((a[round + 1] ?? 0) - (b[round + 1] ?? 0)) / norm
      if (ratio > (largest[round] ?? 0)) largest[round] = ratio
    }
  }
  return largest.sort()[Math.ceil((1 - level) * (RESAMPLES + 1)) - 1] ?? Infinity
}
