/**
 * Three lines around a price.
 */

/** Values of Bollinger bands, Donchian and Keltner channels, in the unit of their inputs. */
export interface Bands {
  /** Upper band, in the unit of the inputs, for prices the quote asset. */
  readonly upper: number
  /** Middle band, as `upper`. */
  readonly middle: number
  /** Lower band, as `upper` and at most that. */
  readonly lower: number
}
