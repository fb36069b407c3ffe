/**
 * The figures of a run, each from its own file. Ratios are fractions (0.0123 is 1.23 percent), rounded nowhere.
 */
import { invariant } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import { buyAndHoldReturn } from './buy-and-hold.ts'
import type { PriceSpan } from './buy-and-hold.ts'
import type { OpenTripReport } from './open-trip.ts'
import { totalReturn } from './total-return.ts'
import { winRate, type TripCount } from './win-rate.ts'

/** Plain JSON. */
export interface Statistics {
  /** Final over initial equity - 1; null when the run began without equity. */
  readonly return: number | null
  /** Mean over the markets of last over first price - 1. */
  readonly buyAndHoldReturn: number
  /** Seen at every recorded trade and fill, in [0, 1]. */
  readonly maxDrawdown: number
  /** Closed round trips of all markets. */
  readonly roundTrips: number
  /** Those that had not ended, market by market; they count nowhere else. */
  readonly openTrips: readonly OpenTripReport[]
  /** Share of the closed ones with pnl > 0 net of fees; null when there is none. An open trip may stand at a loss beside it. */
  readonly winRate: number | null
  /** Decimal strings by asset. */
  readonly fees: Readonly<Record<string, string>>
  /** Share of the time with a position, in [0, 1]. */
  readonly exposure: number
}

/** Inputs of the statistics, all of one run. */
export interface RunFigures {
  /** Both in units of the portfolio's valueScale. */
  readonly initialEquity: bigint
  readonly finalEquity: bigint
  /** In [0, 1]. */
  readonly maxDrawdown: number
  /** Of each market that traded. */
  readonly prices: readonly PriceSpan[]
  /** Of all markets. */
  readonly roundTrips: Pick<TripCount, 'closed' | 'won'>
  readonly openTrips: readonly OpenTripReport[]
  /** Ledger units by asset. */
  readonly fees: ReadonlyMap<string, bigint>
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** In [0, 1]. */
  readonly exposure: number
}

export function statisticsOf(figures: RunFigures): Statistics {
  return {
    return: totalReturn(figures.initialEquity, figures.finalEquity),
    buyAndHoldReturn: buyAndHoldReturn(figures.prices),
    maxDrawdown: figures.maxDrawdown,
    roundTrips: figures.roundTrips.closed,
    openTrips: figures.openTrips,
    winRate: winRate(figures.roundTrips),
    fees: feesByAsset(figures.fees, figures.scales),
    exposure: figures.exposure,
  }
}

function feesByAsset(fees: ReadonlyMap<string, bigint>, scales: ReadonlyMap<string, number>): Record<string, string> {
  const rows = [...fees].map(([asset, amount]) => {
    const scale = scales.get(asset)
    invariant(scale !== undefined, `no ledger scale for ${asset}`)
    return [asset, formatTrimmed(amount, scale)] as const
  })
  return Object.fromEntries(rows)
}
