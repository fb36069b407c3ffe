/**
 * What is guessed where a book reports nothing: clips a quarter step apart, less what we took of them, which comes back
 * with time or with as much recorded volume, whichever is slower.
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

export class NaiveClusters {
  readonly #settings: SessionSettings
  readonly #taken = new Map<Side, Taken>()

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  /**
   * From the best on.
   *
   * @param from       the side on which they rest
   * @param first      price of the first one
   * @param isLeftOut  prices at which none are, and none are missing
   */
  from(from: Side, first: number, time: number, isLeftOut: (price: number) => boolean): readonly Offer[] {
    const sign = from === 'SELL' ? 1 : -1
    let missing = this.#missing(from, time)
    const offers: Offer[] = []
    for (let level = 0; level < LEVELS; level += 1) {
      const distance = this.#offsetOf(level)
      const price = first + sign * distance
      if (price <= 0) break
      if (isLeftOut(price)) continue
      const lots = this.#lotsOf(level)
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

  #offsetOf(level: number): number {
    return Math.floor((level * this.#settings.step) / 4)
  }

  #lotsOf(level: number): number {
    return Math.max(1, Math.floor((this.#settings.clip * (16 + level)) / 64))
  }

  #missing(from: Side, time: number): number {
    const taken = this.#taken.get(from)
    if (taken === undefined) return 0
    const byTime = (taken.lots * HALF_BACK_MS) / (HALF_BACK_MS + time - taken.time)
    return Math.floor(Math.max(byTime, taken.lots - taken.recorded))
  }
}
