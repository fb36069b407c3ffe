/**
 * The recorded trades of one market, and what they do to the equity of an account.
 *
 * Invariant: a trade at the price of the one before costs two comparisons.
 */
import type { PriceSpan } from '../../analysis/buy-and-hold.ts'
import type { EquityCurve } from '../../analysis/equity-curve.ts'
import type { Holding } from './holding.ts'
import type { WatchedDrawdown } from './watched-drawdown.ts'

export class RecordedMark implements PriceSpan {
  /** Ticks; 0 before the first recorded trade. */
  firstPrice = 0
  lastPrice = 0
  /** Undefined for a market by which nothing is priced. */
  readonly #holding: Holding | undefined
  readonly #curve: EquityCurve
  readonly #equity: () => bigint
  readonly #drawdown: WatchedDrawdown
  readonly #onFirst: (span: PriceSpan) => void

  constructor(
    holding: Holding | undefined,
    curve: EquityCurve,
    equity: () => bigint,
    drawdown: WatchedDrawdown,
    onFirst: (span: PriceSpan) => void,
  ) {
    this.#holding = holding
    this.#curve = curve
    this.#equity = equity
    this.#drawdown = drawdown
    this.#onFirst = onFirst
  }

  /** Call before a recorded trade is played. */
  onRecorded(time: number, price: number): void {
    this.#curve.advance(time, this.#equity)
    const before = this.lastPrice
    if (before === price) return
    if (before === 0) this.#begin(price)
    this.lastPrice = price
    const holding = this.#holding
    if (holding === undefined) return
    holding.mark = price
    if (holding.unitsPerTick !== 0) this.#drawdown.move(holding.unitsPerTick * (price - before), time)
  }

  #begin(price: number): void {
    this.firstPrice = price
    if (this.#holding !== undefined) this.#holding.firstMark = price
    this.#onFirst(this)
  }
}
