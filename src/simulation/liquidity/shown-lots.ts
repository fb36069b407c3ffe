/**
 * Lots of a ladder that one order of yours is shown, requested from the best level on.
 *
 * Missing lots come off the front; the crowd's resting queue is included. A level that would cross a resting order of
 * yours is left out.
 */
import type { TakingOrder } from './liquidity-model.ts'

export class ShownLots {
  readonly #ownBest: number | undefined
  readonly #queue: TakingOrder['queued']
  /** 1 when a higher price is worse for the taker. */
  readonly #sign: number
  #missing: number
  #nextQueued = 0
  /** Lots that rest as queue at or before the level, and were not yet taken off one. */
  #queued = 0

  constructor(missing: number, taking: TakingOrder, sign: number) {
    this.#missing = missing
    this.#ownBest = taking.ownBest
    this.#queue = taking.queued
    this.#sign = sign
  }

  /** Sets the lots missing from here on. */
  miss(lots: number): void {
    this.#missing = lots
  }

  /** @param lots  of the level at `price`, whole */
  at(price: number, lots: number): number {
    const [ownBest, queue] = [this.#ownBest, this.#queue]
    if (ownBest !== undefined && price * this.#sign <= ownBest * this.#sign) return 0
    for (let next = queue[this.#nextQueued]; next !== undefined; next = queue[this.#nextQueued]) {
      if (next.price * this.#sign > price * this.#sign) break
      this.#queued += next.qty
      this.#nextQueued += 1
    }
    const missing = Math.min(this.#missing, lots)
    this.#missing -= missing
    const rest = Math.min(this.#queued, lots - missing)
    this.#queued -= rest
    return lots - missing - rest
  }
}
