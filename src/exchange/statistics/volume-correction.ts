/**
 * Difference between a ticker's volume and its price-forming trades: quarantined prints, and negative lots for those
 * confirmed later, which would be counted twice.
 */
import { TICKER_WINDOW_MS } from '../../domain/ticker.ts'
import type { TradeColumns } from '../snapshot/exchange-snapshot.ts'
import type { Cut } from '../snapshot/later-list.ts'
import { TradeLog } from './trade-log.ts'
import { TradeWindow, type WindowFigures } from './trade-window.ts'

export const NO_VOLUME = { volume: 0n, quoteVolume: 0n } as const

export class VolumeCorrection {
  readonly #log = new TradeLog()
  readonly #window = new TradeWindow(this.#log)

  /** @param qty  lots of either sign */
  add(time: number, price: number, qty: number): void {
    if (this.#log.append(time, price, qty)) this.#log.forgetBelow(this.#window.dropUntil(time - TICKER_WINDOW_MS))
  }

  /** Volumes of (now - 24 h, now]. `now` never goes back. */
  figures(now: number): Pick<WindowFigures, 'volume' | 'quoteVolume'> {
    return this.#window.figures(now) ?? NO_VOLUME
  }

  /** @param now  Unix milliseconds up to which the window goes */
  snapshot(now: number): Cut<TradeColumns> {
    this.#window.dropUntil(now - TICKER_WINDOW_MS)
    return this.#window.snapshot()
  }
}
