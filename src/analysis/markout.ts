/**
 * Markout: the price move some time after a fill, signed from the side of the fill.
 *
 * A buy at 100 followed by a last price of 99 has a markout of -100 basis points. It shows whether resting orders were
 * filled because the market was about to move through them (adverse selection).
 */
import type { Side } from '../domain/order.ts'

interface Pending {
  readonly due: number
  readonly side: Side
  readonly price: number
  readonly qty: number
}

const BASIS_POINTS = 10_000

/** A fold over the fills and the recorded trades of one market, oldest first, for one horizon. */
export class Markout {
  readonly #horizonMs: number
  /** Fills waiting for their markout; those before index `#first` are settled. */
  #pending: Pending[] = []
  #first = 0
  /** Due time of the first unsettled fill; Infinity when all are settled. */
  #due = Number.POSITIVE_INFINITY
  #weighted = 0
  #qty = 0

  /** @param horizonMs  time between a fill and the price that it is held against */
  constructor(horizonMs: number) {
    this.#horizonMs = horizonMs
  }

  /** @param price  ticks; @param qty  lots */
  fill(time: number, side: Side, price: number, qty: number): void {
    this.#pending.push({ due: time + this.#horizonMs, side, price, qty })
    if (this.#due === Number.POSITIVE_INFINITY) this.#due = time + this.#horizonMs
  }

  /**
   * Call before a recorded trade at `time`: every fill whose horizon ended before it is held against the last price.
   *
   * @param lastPrice  ticks: of the recorded trade before
   */
  advance(time: number, lastPrice: number): void {
    while (this.#due < time) this.#settleFirst(lastPrice)
    if (this.#first < 1024) return
    this.#pending = this.#pending.slice(this.#first)
    this.#first = 0
  }

  /** Mean over the lots of all settled fills, in basis points; null when there is none. */
  get meanBps(): number | null {
    return this.#qty === 0 ? null : this.#weighted / this.#qty
  }

  #settleFirst(lastPrice: number): void {
    const first = this.#pending[this.#first]
    if (first !== undefined) this.#settle(first, lastPrice)
    this.#first += 1
    this.#due = this.#pending[this.#first]?.due ?? Number.POSITIVE_INFINITY
  }

  #settle({ side, price, qty }: Pending, lastPrice: number): void {
    const gained = side === 'BUY' ? lastPrice - price : price - lastPrice
    this.#weighted += (gained / price) * BASIS_POINTS * qty
    this.#qty += qty
  }
}
