/**
 * Ordered delivery of candles: known ones immediately, those that must be read first in their place.
 *
 * Actions to run after a delivery keep their place in the queue.
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

  /** Reserves a place for candles that are not known yet. @returns fills it, once */
  keep(): (candles: readonly Candle[]) => void {
    const slot: Slot = { candles: undefined }
    this.#slots.push(slot)
    return (candles) => {
      slot.candles = candles
      this.#drain()
    }
  }

  /** Runs `action` once everything queued by now was emitted. */
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
      // Removed only now: emitting may queue more.
      this.#slots.shift()
    }
  }
}
