/**
 * Liquidity for a taker at the open of a candle: a ladder from half a spread away, less the lots still missing at its
 * front.
 *
 * The ladder costs R/3 x sqrt(q/V) on average, R and V being range and volume of the last candles. Taken lots come back
 * with time (half after 25 s) or with as much recorded volume, whichever is slower; a gap in the tape restores nothing.
 */
import type { Side } from '../../domain/order.ts'
import type { LadderLevel } from '../liquidity/liquidity-model.ts'
import { TakenLots } from '../liquidity/taken-lots.ts'
import type { CandleFigures } from './candle-estimates.ts'

const LEVELS = 100
/**
 * Each level is 1/200 of the range after the one before; level k holds its odd number 2k + 1 times 1/10 000 of the
 * volume.
 */
const RANGE_PART = 200
const VOLUME_PART = 10_000

export class CandleOffer {
  /** Lots taken, by side of the taker. */
  readonly #taken = { BUY: new TakenLots(), SELL: new TakenLots() }

  /**
   * Levels for a taker, best first; levels without remaining lots are left out.
   *
   * @param side    of the taker
   * @param open    ticks
   * @param wanted  lots; stops after the level that fills them
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
