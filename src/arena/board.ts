/**
 * The board of a season: equity, return, drawdown and Sharpe ratio of each player, and ranks.
 *
 * Invariant: the same record and seed give the same rows to the last bit on every machine.
 */
import { maxDrawdown } from '../analysis/drawdown.ts'
import { blockIntervals } from '../analysis/returns/return-statistics.ts'
import { returnSamples } from '../analysis/returns/return-samples.ts'
import { sharpeOfRun } from '../analysis/returns/risk-ratios.ts'
import { equityRanks } from './equity-ranks.ts'
import type { SeasonRecord } from './season-record.ts'

export interface BoardRow {
  readonly account: string
  readonly name: string
  /** 1 is the best; tied players share one. Undefined for a disqualified player. */
  readonly rank: number | undefined
  /** Units of the record's `valueScale`. */
  readonly equity: bigint
  /** Share of the equity at the start; null without any. */
  readonly totalReturn: number | null
  /** Largest fall from a peak between samples, as a share of the peak. */
  readonly drawdown: number
  /** Annualized Sharpe ratio; null for fewer than ten samples, equity of 0 or less, or a player who never traded. */
  readonly sharpe: number | null
  /** Its 95 % bootstrap interval. */
  readonly sharpeInterval: readonly [number, number] | null
}

/** Longer series are thinned before the Sharpe ratio, which costs 1,000 resamples per player. */
const MAX_SHARPE_SAMPLES = 200

/**
 * @param disqualified  accounts without a rank
 * @param random        in [0, 1), seeded by the season
 * @returns             one row per player: by rank, then equity, then registration; disqualified players last
 */
export function board(
  record: SeasonRecord,
  disqualified: ReadonlySet<string>,
  random: () => number,
): readonly BoardRow[] {
  const { players, samples } = record
  const curves = players.map((_, player) => samples.map(({ equity }) => equity[player] ?? 0n))
  const ranked = curves.filter((_, player) => !disqualified.has(players[player]?.account ?? ''))
  const ranks = equityRanks(ranked, random)
  const times = samples.map(({ time }) => time)
  const rows = players.map(({ account, name }, player): BoardRow => {
    const curve = curves[player] ?? []
    const [first = 0n, last = first] = [curve[0], curve.at(-1)]
    return {
      account,
      name,
      rank: disqualified.has(account) ? undefined : ranks[ranked.indexOf(curve)],
      equity: last,
      totalReturn: first === 0n ? null : Number(last - first) / Number(first),
      drawdown: maxDrawdown(curve.map(Number)),
      ...sharpeFigures(times, curve, random),
    }
  })
  // The sort is stable, so equal rows stay in the order of registration.
  return rows.sort(
    (a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || (a.equity === b.equity ? 0 : a.equity < b.equity ? 1 : -1),
  )
}

function sharpeFigures(
  times: readonly number[],
  curve: readonly bigint[],
  random: () => number,
): Pick<BoardRow, 'sharpe' | 'sharpeInterval'> {
  const step = Math.ceil(curve.length / MAX_SHARPE_SAMPLES)
  const thinned = curve.flatMap((equity, index) => {
    const isTaken = index % step === 0 || index === curve.length - 1
    return isTaken ? [{ time: times[index] ?? 0, equity }] : []
  })
  const periodMs = ((times[1] ?? 0) - (times[0] ?? 0)) * step
  const sampled = thinned.length < 2 ? undefined : returnSamples(thinned, { periodMs, riskFreeRate: 0 })
  if (sampled === undefined) return { sharpe: null, sharpeInterval: null }
  const { excess, periodsPerYear } = sampled
  const ratio = (returns: readonly number[]): number | null => sharpeOfRun(returns, periodsPerYear)
  const sharpe = ratio(excess)
  return { sharpe, sharpeInterval: sharpe === null ? null : (blockIntervals(excess, [ratio], random)[0] ?? null) }
}
