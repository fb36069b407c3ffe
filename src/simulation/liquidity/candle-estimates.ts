/**
 * Estimates for a market that was recorded as candles, of which nothing can be learnt but how much was traded.
 *
 * Reasoned, not measured: the spread is given or one tick, a level holds a fortieth of the last candle's volume, the levels are one
 * spread apart, and a trade made of a candle fills our orders with at most a tenth of its quantity.
 */
import type { RecordedTrade } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'

const CLIPS_IN_A_CANDLE = 40
const OUR_SHARE = 10

/** What a model guesses of a market that was recorded as candles. */
export class CandleEstimates implements MarketEstimates {
  readonly spread: number
  #candleTime: number | undefined
  /** Lots of the candle that goes on, and of the last one that is over; undefined before the first is. */
  #volume = 0
  #lastVolume: number | undefined

  /** @param givenSpread  ticks; undefined for one */
  constructor(givenSpread: number | undefined) {
    this.spread = givenSpread ?? 1
  }

  get clip(): number {
    return Math.max(1, Math.round((this.#lastVolume ?? this.#volume) / CLIPS_IN_A_CANDLE))
  }

  get step(): number {
    return this.spread
  }

  learn({ qty, candleTime }: RecordedTrade): void {
    if (candleTime === this.#candleTime) {
      this.#volume += qty
      return
    }
    if (this.#candleTime !== undefined) this.#lastVolume = this.#volume
    this.#candleTime = candleTime
    this.#volume = qty
  }

  gap(): void {
    // A candle stands for itself: nothing is open across two of them.
  }

  share({ qty }: RecordedTrade): number {
    return Math.floor(qty / OUR_SHARE)
  }
}
