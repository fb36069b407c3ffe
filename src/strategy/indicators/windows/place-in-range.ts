/**
 * Place of the close between the lowest low, 0, and the highest high, 100, of the last n candles.
 */
import { ExtremeWindow } from './extreme-window.ts'

export class PlaceInRange {
  readonly #highs: ExtremeWindow
  readonly #lows: ExtremeWindow

  constructor(length: number) {
    this.#highs = new ExtremeWindow(length, 1)
    this.#lows = new ExtremeWindow(length, -1)
  }

  /**
   * Undefined until the window is full.
   *
   * @param flat  result if the candles have no range
   */
  next(high: number, low: number, close: number, flat = 0): number | undefined {
    const highest = this.#highs.next(high)
    const lowest = this.#lows.next(low)
    if (highest === undefined || lowest === undefined) return undefined
    return highest === lowest ? flat : (100 * (close - lowest)) / (highest - lowest)
  }
}
