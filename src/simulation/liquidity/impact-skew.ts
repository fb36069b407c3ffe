/**
 * Momentum factor for a taking order: the ladder is wider after a move in its direction, and narrower after one against
 * it.
 *
 * Purpose: a smoothed price follows the last one: t ms after a trade, 300 / (300 + t) of the distance is left. Its
 * distance from the last price, relative to the mean distance, measures how fast the market has just moved. The mean is
 * updated whenever a trade cluster closes, with a decay of 1/512 in sum and number: from the price of the trade before
 * and the smoothed price at the new millisecond.
 * Invariant: the smoothed price moves once a millisecond, before its first trade, so the order of trades inside a burst
 * does not affect it.
 * Known limitation: its constants come from eleven minutes of four liquid markets.
 * Complexity: constant per trade and per factor.
 * Source: own design; docs/liquidity.md has the measurements.
 */
import type { Side } from '../../domain/order.ts'
import type { RecordedColumns } from './liquidity-model.ts'

/** Milliseconds after which the smoothed price has covered half of its distance to the last one. */
const HALF_WAY_MS = 300
const DECAY = 512
const WEIGHT = 0.6
const MIN_SKEW = 0.25
const MAX_SKEW = 4

export class ImpactSkew {
  /** Undefined before the first trade, as a number: NaN. */
  #slowPrice = Number.NaN
  #lastTime = 0
  #lastPrice = 0
  /** True while a trade at time and price of the last one would belong to its cluster. */
  #isOpen = false
  /** Sum of the distances at closed clusters, in ticks, and their number. */
  #distances = 0
  #count = 0

  /**
   * Factor from 0.25 to 4; 1 in a still market.
   *
   * @param side  of the order that takes
   * @param time  Unix milliseconds, not before the last trade
   */
  factor(side: Side, time: number): number {
    if (this.#distances <= 0) return 1
    const ahead = ((this.#lastPrice - this.#slowPrice) * HALF_WAY_MS) / (HALF_WAY_MS + (time - this.#lastTime))
    const moved = ahead / (this.#distances / this.#count)
    return Math.min(MAX_SKEW, Math.max(MIN_SKEW, 1 + WEIGHT * (side === 'BUY' ? moved : -moved)))
  }

  learn(time: number, price: number): void {
    if (Number.isNaN(this.#slowPrice)) this.#slowPrice = price
    else {
      const last = this.#lastPrice
      if (time !== this.#lastTime) {
        const waited = time - this.#lastTime
        this.#slowPrice = last + ((this.#slowPrice - last) * HALF_WAY_MS) / (HALF_WAY_MS + waited)
      }
      if (time !== this.#lastTime || price !== last || !this.#isOpen) {
        this.#distances += Math.abs(last - this.#slowPrice) - this.#distances / DECAY
        this.#count += 1 - this.#count / DECAY
      }
    }
    this.#lastTime = time
    this.#lastPrice = price
    this.#isOpen = true
  }

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, time, price }: RecordedColumns): void {
    if (length === 0) return
    this.learn(time[0] ?? 0, price[0] ?? 0)
    let slowPrice = this.#slowPrice
    let distances = this.#distances
    let count = this.#count
    for (let row = 1; row < length; row += 1) {
      const last = price[row - 1] ?? 0
      const waited = (time[row] ?? 0) - (time[row - 1] ?? 0)
      if (waited === 0 && price[row] === last) continue
      if (waited !== 0) slowPrice = last + ((slowPrice - last) * HALF_WAY_MS) / (HALF_WAY_MS + waited)
      distances += Math.abs(last - slowPrice) - distances / DECAY
      count += 1 - count / DECAY
    }
    this.#slowPrice = slowPrice
    this.#distances = distances
    this.#count = count
    this.#lastTime = time[length - 1] ?? 0
    this.#lastPrice = price[length - 1] ?? 0
  }

  /** Closes the cluster: the next trade starts another one, whatever its time and price. */
  close(): void {
    this.#isOpen = false
  }
}
