/**
 * Candles on their way to a listener, in their order: those that are known at once, and behind them those that have to be read first.
 */
import type { Candle } from '../../../domain/candle.ts'

interface Slot {
  /** Undefined until they are known. */
  candles: readonly Candle[] | undefined
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

  #drain(): void {
    for (;;) {
      const candles = this.#slots[0]?.candles
      if (candles === undefined) return
      for (const candle of candles) this.#onCandle(candle)
      // Not before: what is told now may add more.
      this.#slots.shift()
    }
  }
}
