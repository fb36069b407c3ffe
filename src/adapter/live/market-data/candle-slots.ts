/**
 * Candles on their way to a listener, in their order: those that are known at once, and behind them those that have to
 * be read first.
 *
 * What is to be done when they have arrived keeps its place among them.
 */
import type { Candle } from '../../../domain/candle.ts'

interface Slot {
  /** Undefined until they are known. */
  candles: readonly Candle[] | undefined
  readonly then?: () => void
}

export class CandleSlots {
  readonly #onCandle: (candle: Candle) => void
  #slots: Slot[] = []

  constructor(onCandle: (candle: Candle) => void) {
    this.#onCandle = onCandle
  }

  add(candle: Candle): void {
    if (this.#slots.length === 0) this.#onCandle(candle)
    else this.#slots.push({ candles: [candle] })
  }

  /** Keeps a place for candles that are not known yet. @returns fills it, once */
  keep(): (candles: readonly Candle[]) => void {
    const slot: Slot = { candles: undefined }
    this.#slots.push(slot)
    return (candles) => {
      slot.candles = candles
      this.#drain()
    }
  }

  /** Calls it when all that is on its way by now has been told. */
  after(action: () => void): void {
    if (this.#slots.length === 0) action()
    else this.#slots.push({ candles: [], then: action })
  }

  #drain(): void {
    for (;;) {
      const [{ candles, then } = {}] = this.#slots
      if (candles === undefined) return
      for (const candle of candles) this.#onCandle(candle)
      then?.()
      // Not before: what is told now may add more.
      this.#slots.shift()
    }
  }
}
