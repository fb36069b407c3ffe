/** An account valued in one asset (section 2, Portfolio; decision 17). */
import { divideHalfEven, formatTrimmed } from './fixed-point.ts'
import { isoTime } from './time.ts'

export interface Position {
  readonly asset: string
  /** Ledger units of the asset. */
  readonly available: bigint
  readonly locked: bigint
  readonly total: bigint
  /** Decimal digits of the three above. */
  readonly scale: number
  /** Units of 10^-markScale of the quote asset; 0 when the holding has no price. */
  readonly markPrice: number
  readonly markScale: number
  /** Units of 10^-valueScale of the quote asset. */
  readonly value: bigint
}

export interface Portfolio {
  readonly quoteAsset: string
  /** Decimal digits of equity, baseline, pnl and the positions' values. */
  readonly valueScale: number
  readonly equity: bigint
  readonly baselineEquity: bigint
  readonly baselineAt: number
  readonly asOf: number
  /** True when a holding could not be priced; the valuation is then incomplete. */
  readonly partial: boolean
  readonly positions: readonly Position[]
}

/** A portfolio in the form of the specification. */
export interface PortfolioJson {
  /** Asset of the valuation. */
  readonly quoteAsset: string
  /** Value of the account, decimal text. */
  readonly equity: string
  /** Value from which profit and loss count. */
  readonly baselineEquity: string
  /** Signed decimal text. */
  readonly pnl: string
  /** Signed decimal text, percent of the baseline. */
  readonly pnlPercent: string
  /** ISO 8601. */
  readonly baselineAt: string
  /** ISO 8601: the oldest price used. */
  readonly asOf: string
  /** True if a holding could not be priced: the figures are incomplete. */
  readonly partial: boolean
  /** One per asset, in decimal text. */
  readonly positions: readonly {
    /** Asset, such as `BTC`. */
    readonly asset: string
    /** Quantity for new orders. */
    readonly available: string
    /** Quantity that open orders reserve. */
    readonly locked: string
    /** Sum of both. */
    readonly total: string
    /** Price in the quote asset. */
    readonly markPrice: string
    /** Value in the quote asset. */
    readonly value: string
  }[]
}

/** Percent of the baseline, at most 2 decimals, half to even; "0" when the baseline is 0. */
function pnlPercent(pnl: bigint, baseline: bigint): string {
  if (baseline === 0n) return '0'
  const signed = baseline < 0n ? -pnl : pnl
  return formatTrimmed(divideHalfEven(signed * 10_000n, baseline < 0n ? -baseline : baseline), 2)
}

export function portfolioToJson(portfolio: Portfolio): PortfolioJson {
  const value = (units: bigint): string => formatTrimmed(units, portfolio.valueScale)
  const pnl = portfolio.equity - portfolio.baselineEquity
  return {
    quoteAsset: portfolio.quoteAsset,
    equity: value(portfolio.equity),
    baselineEquity: value(portfolio.baselineEquity),
    pnl: value(pnl),
    pnlPercent: pnlPercent(pnl, portfolio.baselineEquity),
    baselineAt: isoTime(portfolio.baselineAt),
    asOf: isoTime(portfolio.asOf),
    partial: portfolio.partial,
    positions: portfolio.positions.map((position) => ({
      asset: position.asset,
      available: formatTrimmed(position.available, position.scale),
      locked: formatTrimmed(position.locked, position.scale),
      total: formatTrimmed(position.total, position.scale),
      markPrice: formatTrimmed(position.markPrice, position.markScale),
      value: value(position.value),
    })),
  }
}
