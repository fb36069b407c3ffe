/**
 * Recorded trades of one market, and their effect on the equity of an account.
 *
 * Invariant: a trade at the price of the one before costs two comparisons.
 */
import type { PriceSpan } from '../../analysis/buy-and-hold.ts'
import type { MarkRange } from '../../analysis/round-trip.ts'
import type { EquityClock } from './equity-clock.ts'
import type { Holding } from './holding.ts'
import type { WatchedDrawdown } from './watched-drawdown.ts'

export interface MarkParts {
  /** Undefined for a market that prices no holding. */
  readonly holding: Holding | undefined
  readonly clock: EquityClock
  readonly drawdown: WatchedDrawdown
  /** Called with the first trade. */
  readonly onFirst: (span: PriceSpan) => void
}

export class RecordedMark implements PriceSpan {
  /** Ticks; 0 before the first recorded trade. */
  firstPrice = 0
  lastPrice = 0
  readonly #holding: Holding | undefined
  readonly #clock: EquityClock
  readonly #drawdown: WatchedDrawdown
  readonly #onFirst: (span: PriceSpan) => void
  /** Range of the marks since the last `takeRange`. */
  #lowest = 0
  #highest = 0
  /** End of the candle that is filling orders; NaN for none. */
  #endsAt = Number.NaN

  constructor({ holding, clock, drawdown, onFirst }: MarkParts) {
    this.#holding = holding
    this.#clock = clock
    this.#drawdown = drawdown
    this.#onFirst = onFirst
  }

  /** Call before a recorded trade is played. */
  onRecorded(time: number, price: number): void {
    this.#clock.advance(time)
    this.#clock.periods.tradedAt = time
    if (this.lastPrice !== price) this.#move(time, price)
  }

  /** Call before the open of a candle is played. Its trades and prices are counted at its end. */
  onOpen(time: number, open: number): void {
    this.#endsAt = Number.NaN
    this.#clock.advance(time)
    if (this.lastPrice !== open) this.#move(time, open)
  }

  /** Call when a candle closes, before it fills anything: its close was before its end. */
  onClose(endsAt: number, close: number): void {
    this.#endsAt = endsAt
    this.#clock.advanceUpTo(endsAt)
    this.#clock.periods.tradedAt = endsAt - 1
    if (this.lastPrice !== close) this.#move(endsAt, close)
  }

  /** Whether a fill at `time` happened inside the candle that ends then. */
  isInsideCandle(time: number): boolean {
    return time === this.#endsAt
  }

  /** Range of the marks since the last call, including the one at that time; undefined before the first. */
  takeRange(): MarkRange | undefined {
    if (this.lastPrice === 0) return undefined
    const range = { lowest: this.#lowest, highest: this.#highest }
    this.#lowest = this.lastPrice
    this.#highest = this.lastPrice
    return range
  }

  #move(time: number, price: number): void {
    const before = this.lastPrice
    if (before === 0) this.#begin(price)
    this.lastPrice = price
    if (price < this.#lowest) this.#lowest = price
    else if (price > this.#highest) this.#highest = price
    const holding = this.#holding
    if (holding === undefined) return
    holding.mark = price
    if (holding.unitsPerTick !== 0) this.#drawdown.move(holding.unitsPerTick * (price - before), time)
  }

  #begin(price: number): void {
    this.firstPrice = price
    this.#lowest = price
    this.#highest = price
    if (this.#holding !== undefined) this.#holding.firstMark = price
    this.#onFirst(this)
  }
}
