/**
 * Offer of the market to a taker at the open of a candle: levels that begin half a spread away, and what is missing at
 * their front.
 *
 * Together the levels cost R/3 x sqrt(q/V) in the mean, R and V being range and volume of the last candles. What was
 * taken comes back with time (half after 25 s) or with as much recorded volume, whichever is slower; a hole in the tape
 * clears nothing.
 */
import type { Side } from '../../domain/order.ts'
import type { LadderLevel } from '../liquidity/liquidity-model.ts'
import { TakenLots } from '../liquidity/taken-lots.ts'
import type { CandleFigures } from './candle-estimates.ts'

const LEVELS = 100
/**
 * A level is this part of the range behind the one before, and holds this part of the volume for each odd number in its
 * turn.
 */
const RANGE_PART = 200
const VOLUME_PART = 10_000

export class CandleOffer {
  /** By the side of the taker. */
  readonly #taken = { BUY: new TakenLots(), SELL: new TakenLots() }

  /**
   * Levels for a taker, best first; those of which nothing is left are not there.
   *
   * @param side    of the taker
   * @param open    ticks
   * @param wanted  lots: levels behind what fills them are not made
   */
  levels(side: Side, open: number, time: number, figures: CandleFigures, wanted: number): readonly LadderLevel[] {
    const sign = side === 'BUY' ? 1 : -1
    const levels: LadderLevel[] = []
    let missing = this.#taken[side].missing(time)
    let left = wanted
    for (let level = 0; level < LEVELS && left > 0; level += 1) {
      const price = open + sign * (figures.halfSpread + Math.floor((level * figures.range) / RANGE_PART))
      if (price <= 0 || !Number.isSafeInteger(price)) break
      const lots = Math.max(1, Math.floor(((2 * level + 1) * figures.volume) / VOLUME_PART))
      const absent = Math.min(missing, lots)
      missing -= absent
      if (lots > absent) levels.push({ price, qty: lots - absent })
      left -= lots - absent
    }
    return levels
  }

  took(side: Side, lots: number, time: number): void {
    this.#taken[side].take(lots, time)
  }

  /** @param lots  volume of a candle that is over */
  recorded(lots: number): void {
    this.#taken.BUY.record(lots)
    this.#taken.SELL.record(lots)
  }
}
