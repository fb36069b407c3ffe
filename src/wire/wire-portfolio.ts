/** Portfolio parsed from a service's response: an account valued in one asset. */

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
  /** True if a holding could not be priced: the figures are then incomplete, and the user must be informed. */
  readonly partial: boolean
  readonly positions: readonly WirePosition[]
}
