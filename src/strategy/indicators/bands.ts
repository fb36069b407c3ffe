/**
 * Three lines around a price.
 */

/** Values of Bollinger bands, Donchian and Keltner channels, in the unit of their inputs. */
export interface Bands {
  /** Upper band in the unit of the inputs, for prices the quote asset. */
  readonly upper: number
  /** Middle band in the same unit. */
  readonly middle: number
  /** Lower band in the same unit, at most `upper`. */
  readonly lower: number
}
