/**
 * Statistics of a run, named as in `run.json`. Shares are fractions (0.0123 is 1.23 percent) and never rounded. A value
 * is null if it is undefined or there is too little data.
 */
import { invariant } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import { buyAndHoldReturn, buyAndHoldReturns, type PriceSpan } from './buy-and-hold.ts'
import type { OpenTripReport } from './open-trip.ts'
import type { PeriodSample } from './returns/period-samples.ts'
import {
  returnSamples,
  type ReturnSamples,
  type ReturnSetup,
  tradedSamples,
  withoutTransfers,
} from './returns/return-samples.ts'
import { returnStatistics, type ReturnStatistics } from './returns/return-statistics.ts'
import type { TripStatistics } from './trip-statistics.ts'

/**
 * Exact decimal strings in the quote asset. They add up exactly to the final minus the initial equity, less what
 * transfers brought.
 */
interface ProfitReport {
  /** Σ position before each change of a mark x the change. */
  readonly price: string
  /** Σ over the fills of signed quantity x (mark at the fill - price of the fill). */
  readonly spread: string
  /** -Σ fee x mark. */
  readonly fees: string
}

/** Order and cost statistics, named as in `run.json`. */
export interface CostStatistics {
  /**
   * Fees by asset.
   *
   * @unit decimal strings
   */
  readonly fees: Readonly<Record<string, string>>
  /**
   * All fees in the quote asset, each converted at the mark of its fill.
   *
   * @unit decimal string in the quote asset
   * @null a fee asset had no price at its fill
   */
  readonly feesInQuote: string | null
  /**
   * Profit in three parts that add up to final equity - initial equity - transfers: price = Σ position before each
   * change of a mark x the change; spread = Σ over the fills of signed quantity x (mark at the fill - price of the
   * fill); fees = -Σ fee x mark.
   *
   * @unit three decimal strings in the quote asset
   * @null the assets do not share one quote asset, or one had no price
   */
  readonly profit: ProfitReport | null
  /**
   * Amount traded divided by the mean equity of the samples E_0..E_n.
   *
   * @unit ratio
   * @null a sample has no value, or something without a price was traded
   */
  readonly turnover: number | null
  /**
   * Share of the traded amount that was filled as maker.
   *
   * @unit share
   * @null nothing was traded, or something without a price was
   */
  readonly makerShare: number | null
  /**
   * Filled quantity divided by ordered quantity, over the limit orders that have ended.
   *
   * @unit share
   * @null none has ended, or they have several base assets
   */
  readonly fillRatio: number | null
  /**
   * Mean time from the acceptance of a limit order to its first fill, over the orders that were filled.
   *
   * @unit milliseconds
   * @null none was filled
   */
  readonly meanTimeToFirstFillMs: number | null
}

/** All amounts in units of 10^-scale of the quote asset of the run, unless they say otherwise. */
interface CostInputs {
  readonly scale: number
  /** Decimal strings by asset. */
  readonly fees: Readonly<Record<string, string>>
  readonly feesInQuote: bigint | null
  readonly profit: { readonly price: bigint; readonly spread: bigint; readonly fees: bigint } | null
  readonly traded: { readonly all: bigint; readonly made: bigint } | null
  /** Samples 0..n; undefined if one has no value. */
  readonly equities: readonly bigint[] | undefined
  readonly fillRatio: number | null
  readonly meanTimeToFirstFillMs: number | null
}

function costStatistics({ scale, profit, traded, equities, ...inputs }: CostInputs): CostStatistics {
  const textOf = (units: bigint): string => formatTrimmed(units, scale)
  return {
    fees: inputs.fees,
    feesInQuote: inputs.feesInQuote === null ? null : textOf(inputs.feesInQuote),
    profit: profit && { price: textOf(profit.price), spread: textOf(profit.spread), fees: textOf(profit.fees) },
    turnover: traded === null || equities === undefined ? null : turnover(traded.all, equities),
    makerShare: traded === null || traded.all === 0n ? null : Number(traded.made) / Number(traded.all),
    fillRatio: inputs.fillRatio,
    meanTimeToFirstFillMs: inputs.meanTimeToFirstFillMs,
  }
}

/** Exact: sums are integers until the final division. */
function turnover(traded: bigint, equities: readonly bigint[]): number | null {
  const total = equities.reduce((all, equity) => all + equity, 0n)
  return total <= 0n ? null : (Number(traded) * equities.length) / Number(total)
}

/** Statistics of the whole run, named as in `run.json`. */
export interface EquityStatistics {
  /**
   * Final equity / initial equity - 1: E_n / E_0 - 1. The initial equity values the starting balances at their first
   * recorded prices. With transfers between strategies it is time-weighted: the product of the growth between them - 1.
   *
   * @unit share
   * @null the run started without equity
   */
  readonly return: number | null
  /**
   * Return of buying all markets in equal parts at the start and holding them: the mean of last price / first price -
   * 1.
   *
   * @unit share
   * @null no market traded
   */
  readonly buyAndHoldReturn: number | null
  /**
   * Largest fall from a peak, 1 - equity / peak, over every mark and every fill, not only the samples.
   *
   * @unit share of the peak, in [0, 1]
   * @see Magdon-Ismail and Atiya (2004), Maximum Drawdown
   */
  readonly maxDrawdown: number
  /**
   * Time of the peak before the largest drawdown.
   *
   * @unit Unix milliseconds
   * @null the equity never fell
   */
  readonly maxDrawdownFrom: number | null
  /**
   * Time of the lowest equity of the largest drawdown.
   *
   * @unit Unix milliseconds
   * @null the equity never fell
   */
  readonly maxDrawdownTo: number | null
  /**
   * Time when the equity was back at that peak.
   *
   * @unit Unix milliseconds
   * @null it did not recover, or the equity never fell
   */
  readonly maxDrawdownRecoveredAt: number | null
  /**
   * Share of the time with an open position.
   *
   * @unit share, in [0, 1]
   */
  readonly exposure: number
  /**
   * Closed round trips in all markets; a round trip lasts from a flat position to the next in one market.
   *
   * @unit count
   */
  readonly roundTrips: number
  /**
   * Round trips that are still open, per market. The statistics of round trips leave them out.
   *
   * @unit list
   */
  readonly openTrips: readonly OpenTripReport[]
}

/** Every statistic of a run, as plain JSON. */
export interface Statistics extends EquityStatistics, ReturnStatistics, TripStatistics, CostStatistics {}

/** Inputs of the statistics, all of one run. */
export interface RunFigures extends Omit<CostInputs, 'fees' | 'equities'> {
  /** Both in units of 10^-scale of the quote asset. */
  readonly initialEquity: bigint
  readonly finalEquity: bigint
  /** Factor by which the final equity continues the initial one; 1 without transfers. */
  readonly factor: number
  /** True if a part of the initial holdings never had a price. */
  readonly isPartialAtStart: boolean
  /** Unix milliseconds. */
  readonly from: number
  /** Samples at the boundaries of the periods and, last, at the end. */
  readonly samples: readonly PeriodSample[]
  readonly sampling: ReturnSetup
  /** First price of each market in ticks, in the order of the marks of a sample; 0 for one that did not trade. */
  readonly firstMarks: readonly number[]
  /** Largest drawdown: fraction in [0, 1]; times of its peak, trough and recovery. */
  readonly drawdown: {
    readonly fraction: number
    readonly peakAt: number | undefined
    readonly troughAt: number | undefined
    readonly recoveredAt: number | undefined
  }
  /** First and last price of each market that traded. */
  readonly prices: readonly PriceSpan[]
  /** Closed ones of all markets. */
  readonly roundTrips: number
  readonly trips: TripStatistics
  readonly openTrips: readonly OpenTripReport[]
  /** Ledger units by asset. */
  readonly fees: ReadonlyMap<string, bigint>
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** Fraction in [0, 1]. */
  readonly exposure: number
  /** Seeded by the run, in [0, 1). */
  readonly random: () => number
}

/**
 * final / initial - 1, from the exact difference.
 *
 * @param initial  equity at the start, and
 * @param final    at the end, in units of one scale; any size and sign
 * @returns        a fraction, 0.0123 for 1.23 percent; null when the run began without equity
 */
export function totalReturn(initial: bigint, final: bigint): number | null {
  return initial > 0n ? Number(final - initial) / Number(initial) : null
}

export function statisticsOf(figures: RunFigures): Statistics {
  const { fraction, peakAt, troughAt, recoveredAt } = figures.drawdown
  const samples = returnSamplesOf(figures)
  return {
    return: totalReturn(
      figures.initialEquity,
      withoutTransfers({ equity: figures.finalEquity, factor: figures.factor }),
    ),
    buyAndHoldReturn: figures.prices.length === 0 ? null : buyAndHoldReturn(figures.prices),
    maxDrawdown: fraction,
    maxDrawdownFrom: troughAt === undefined ? null : (peakAt ?? null),
    maxDrawdownTo: troughAt ?? null,
    maxDrawdownRecoveredAt: recoveredAt ?? null,
    exposure: figures.exposure,
    ...returnStatistics({
      samples,
      benchmark: samples === undefined ? [] : buyAndHoldReturns(figures.firstMarks, marksOf(figures)),
      durationMs: (figures.samples.at(-1)?.time ?? figures.from) - figures.from,
      periodMs: figures.sampling.periodMs,
      maxDrawdown: fraction,
      random: figures.random,
    }),
    roundTrips: figures.roundTrips,
    openTrips: figures.openTrips,
    ...figures.trips,
    ...costStatistics({
      ...figures,
      fees: feesByAsset(figures.fees, figures.scales),
      equities: samples?.equity.map(({ equity, held = equity }) => held),
    }),
  }
}

/** Undefined if one of the samples has no valid equity: a holding had no price, or the equity is not above 0. */
export function returnSamplesOf(
  figures: Pick<RunFigures, 'initialEquity' | 'isPartialAtStart' | 'from' | 'samples' | 'sampling'>,
): ReturnSamples | undefined {
  const { initialEquity, isPartialAtStart, from, samples, sampling } = figures
  if (isPartialAtStart || samples.some(({ isPartial }) => isPartial)) return undefined
  const grown = samples.map((sample) =>
    sample.factor === undefined ? sample : { ...sample, equity: withoutTransfers(sample), held: sample.equity },
  )
  return returnSamples([{ time: from, equity: initialEquity }, ...grown], sampling)
}

/** Marks of the samples between which returns are taken, without the first. */
const marksOf = ({ from, initialEquity, samples }: RunFigures): readonly (readonly number[])[] =>
  tradedSamples([{ time: from, equity: initialEquity, marks: [], isTraded: true }, ...samples])
    .slice(1)
    .map(({ marks }) => marks)

function feesByAsset(fees: ReadonlyMap<string, bigint>, scales: ReadonlyMap<string, number>): Record<string, string> {
  const rows = [...fees].map(([asset, amount]) => {
    const scale = scales.get(asset)
    invariant(scale !== undefined, `no ledger scale for ${asset}`)
    return [asset, formatTrimmed(amount, scale)] as const
  })
  return Object.fromEntries(rows)
}
