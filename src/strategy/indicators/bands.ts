/**
 * Three lines around a price.
 */

/** Values of Bollinger bands, Donchian and Keltner channels, in the unit of their inputs. */
export interface Bands {
  /** In the unit of the inputs, for prices the quote asset. */
  readonly upper: number
  /** As `upper`, between the two. */
  readonly middle: number
  /** As `upper`, at most that. */
  readonly lower: number
}
