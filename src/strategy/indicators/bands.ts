/**
 * Three lines around a price.
 */

/** What Bollinger, Donchian and Keltner give, in the unit of their inputs. */
export interface Bands {
  /** In the unit of the inputs, for prices the quote asset. */
  readonly upper: number
  /** As `upper`, between the two. */
  readonly middle: number
  /** As `upper`, at most that. */
  readonly lower: number
}
