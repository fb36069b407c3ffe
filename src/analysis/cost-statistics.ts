/**
 * Statistics of a run's orders and costs.
 */
import { formatTrimmed } from '../domain/fixed-point.ts'

/** Exact decimal strings in the quote asset. They add up exactly to the final minus the initial equity. */
export interface ProfitReport {
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
   * Profit in three parts that add up to final equity - initial equity: price = Σ position before each change of a mark
   * x the change; spread = Σ over the fills of signed quantity x (mark at the fill - price of the fill); fees = -Σ fee
   * x mark.
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
export interface CostInputs {
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

export function costStatistics({ scale, profit, traded, equities, ...inputs }: CostInputs): CostStatistics {
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
