/**
 * What is guessed where a book tells nothing: clips a quarter step apart, less what we took of them, which comes back with time or with as much
 * recorded volume, whichever is slower.
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
  /** From the best price: ticks x lots. */
  readonly distance: number
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
    const missing = this.#missing(from, time)
    const before = this.#taken.get(from) ?? { lots: 0, distance: 0 }
    const kept = before.lots === 0 ? 0 : before.distance * (missing / before.lots)
    const distance = this.#distanceOf(missing + lots) - this.#distanceOf(missing) + kept
    this.#taken.set(from, { lots: missing + lots, distance, time, recorded: 0 })
  }

  record({ time, qty }: TradeStep, last: TradeStep | undefined): void {
    if (last !== undefined && time - last.time > this.#settings.staleAfterMs) this.#taken.clear()
    for (const taken of this.#taken.values()) taken.recorded += qty
  }

  /** Ticks by which the other side comes after what we took from one. */
  followed(from: Side, time: number): number {
    const missing = this.#missing(from, time)
    const { lots, distance } = this.#taken.get(from) ?? { lots: 0, distance: 0 }
    if (missing === 0) return 0
    let [level, left] = [0, missing]
    for (; level < LEVELS - 1 && left >= this.#lotsOf(level); level += 1) left -= this.#lotsOf(level)
    return Math.floor(Math.min(this.#offsetOf(level) / 2, distance / lots))
  }

  #offsetOf(level: number): number {
    return Math.floor((level * this.#settings.step) / 4)
  }

  #lotsOf(level: number): number {
    return Math.max(1, Math.floor((this.#settings.clip * (16 + level)) / 64))
  }

  #distanceOf(lots: number): number {
    let [left, distance] = [lots, 0]
    for (let level = 0; level < LEVELS && left > 0; level += 1) {
      const part = Math.min(left, this.#lotsOf(level))
      distance += part * this.#offsetOf(level)
      left -= part
    }
    return distance
  }

  #missing(from: Side, time: number): number {
    const taken = this.#taken.get(from)
    if (taken === undefined) return 0
    const byTime = (taken.lots * HALF_BACK_MS) / (HALF_BACK_MS + time - taken.time)
    return Math.floor(Math.max(byTime, taken.lots - taken.recorded))
  }
}
