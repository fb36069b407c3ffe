/**
 * What is guessed to be behind the last level that a book tells: clips a quarter step apart, less what we took of them, which comes back with
 * time or with as much recorded volume, whichever is slower.
 */
import type { Side } from '../../../../src/domain/order.ts'
import type { SessionSettings, TradeStep } from './depth-session.ts'

const LEVELS = 400
const HALF_BACK_MS = 25_000

/** Lots that are offered at a price. */
export interface Offer {
  readonly price: number
  qty: number
}

interface Taken {
  readonly lots: number
  readonly time: number
  recorded: number
}

export class NaiveClips {
  readonly #settings: SessionSettings
  readonly #taken = new Map<Side, Taken>()

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  /**
   * In the order from the best.
   *
   * @param from       the side on which they rest
   * @param isLeftOut  prices at which none are, and none are missing
   */
  behind(from: Side, last: number, time: number, isLeftOut: (price: number) => boolean): readonly Offer[] {
    const { clip, step } = this.#settings
    const sign = from === 'SELL' ? 1 : -1
    let missing = this.#missing(from, time)
    const offers: Offer[] = []
    for (let level = 0; level < LEVELS; level += 1) {
      const distance = Math.floor((level * step) / 4)
      const price = last + sign * distance
      if (distance === 0 || isLeftOut(price)) continue
      if (price <= 0) break
      const lots = Math.max(1, Math.floor((clip * (16 + level)) / 64))
      const gone = Math.min(missing, lots)
      missing -= gone
      offers.push({ price, qty: lots - gone })
    }
    return offers
  }

  took(from: Side, lots: number, time: number): void {
    this.#taken.set(from, { lots: this.#missing(from, time) + lots, time, recorded: 0 })
  }

  record({ time, qty }: TradeStep, last: TradeStep | undefined): void {
    if (last !== undefined && time - last.time > this.#settings.staleAfterMs) this.#taken.clear()
    for (const taken of this.#taken.values()) taken.recorded += qty
  }

  #missing(from: Side, time: number): number {
    const taken = this.#taken.get(from)
    if (taken === undefined) return 0
    const byTime = (taken.lots * HALF_BACK_MS) / (HALF_BACK_MS + time - taken.time)
    return Math.floor(Math.max(byTime, taken.lots - taken.recorded))
  }
}
