/**
 * An account valued in one asset as the service tells it, read.
 */

export interface WirePosition {
  readonly asset: string
  /** Decimal strings without trailing zeros, as are those below. */
  readonly available: string
  readonly locked: string
  readonly total: string
  readonly markPrice: string
  readonly value: string
}

export interface WirePortfolio {
  readonly quoteAsset: string
  readonly equity: string
  readonly baselineEquity: string
  /** Signed. */
  readonly pnl: string
  /** Signed. */
  readonly pnlPercent: string
  /** Unix milliseconds. */
  readonly baselineAt: number
  /** Unix milliseconds of the oldest price that it was valued with. */
  readonly asOf: number
  /** True when a holding could not be priced: the figures are then less than the whole, and a user has to be told. */
  readonly partial: boolean
  readonly positions: readonly WirePosition[]
}
