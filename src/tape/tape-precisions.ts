/** Decimals of the prices and quantities of a tape. */

/** Digits behind the point, 0 to 12 each. */
export interface TapePrecisions {
  readonly pricePrecision: number
  readonly qtyPrecision: number
}
