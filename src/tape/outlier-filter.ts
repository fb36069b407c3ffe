/**
 * Belief in the recorded prints of one market: which of them somebody could have traded at.
 *
 * A fold. A print farther than 2 s + 3 m2/m1 from the last believed price is held; s is the spread, m1 and m2 are means
 * of |d| and d² of the believed moves d that are not 0 (decay 1/1024, from s and s²). The next print on the same side
 * that is nearer to the first held one than to the believed price joins them, and votes if its millisecond is not that
 * of the vote before, or of the first held one, which is no vote itself. Five votes, or one a second or more after the
 * first held print, and all of them are believed; the jump from the believed price to the first held one is then learnt
 * as one move, at most twice the threshold. Any other print drops them for good, and is judged afresh. The first print
 * of a market is believed.
 *
 * Invariant: nothing but the past decides. Known limit: three ticks of dirt in a market of one tick pass.
 */
import type { QuarantinedPrint } from './quarantined-print.ts'

const DECAY = 1024
const VOTES = 5
const ONE_VOTE_AFTER_MS = 1_000

/** What becomes of a print: it is believed, it is not (yet), or it is, and with it all that were held. */
export const PRINT_STATUS = { accepted: 0, quarantined: 1, confirmed: 2 } as const
export type PrintStatus = (typeof PRINT_STATUS)[keyof typeof PRINT_STATUS]

export class OutlierFilter {
  readonly #spread: number
  #meanMove: number
  #meanSquare: number
  /** Ticks; 0 before the first believed print. */
  #price = 0
  #held: QuarantinedPrint[] = []
  #votes = 0
  #lastVoteAt = 0

  /** @param spread  ticks, at least 1 */
  constructor(spread: number) {
    this.#spread = spread
    this.#meanMove = spread
    this.#meanSquare = spread * spread
  }

  /** Ticks beyond which a print is held. */
  get threshold(): number {
    return 2 * this.#spread + (3 * this.#meanSquare) / this.#meanMove
  }

  /** Prints that are held, oldest first. */
  get quarantined(): readonly QuarantinedPrint[] {
    return this.#held
  }

  /** The worst price that is held for an order that takes, in ticks; undefined when none is. */
  worstFor(side: 'BUY' | 'SELL'): number | undefined {
    const worse = side === 'BUY' ? Math.max : Math.min
    let worst: number | undefined
    // One by one: under a coarse clock more may be held than a call takes arguments.
    for (const { price } of this.#held) worst = worst === undefined ? price : worse(worst, price)
    return worst
  }

  /**
   * Judges the next print. After `borneOut`, `takeHeld` gives those that are believed with it, before it.
   *
   * @param side  the aggressor as recorded; kept for whoever takes it
   */
  check(time: number, price: number, qty: number, side: number): PrintStatus {
    if (this.#held.length > 0) {
      if (this.#joins(price)) return this.#vote({ time, price, qty, side })
      this.drop()
    }
    if (this.#price === 0 || Math.abs(price - this.#price) <= this.threshold) {
      this.accept(price)
      return PRINT_STATUS.accepted
    }
    this.#held.push({ time, price, qty, side })
    this.#votes = 0
    this.#lastVoteAt = time
    return PRINT_STATUS.quarantined
  }

  /** A print that need not be judged, such as one whose aggressor was recorded. */
  accept(price: number): void {
    if (this.#held.length > 0) this.drop()
    if (this.#price !== 0) this.#learn(Math.abs(price - this.#price))
    this.#price = price
  }

  /** The prints that were held until a moment ago, oldest first. */
  takeConfirmed(): readonly QuarantinedPrint[] {
    const held = this.#held
    this.#held = []
    return held
  }

  /** Forgets what is held, which is never believed. */
  drop(): void {
    this.#held = []
  }

  #joins(price: number): boolean {
    const first = this.#held[0]?.price ?? price
    const isSameSide = price > this.#price === first > this.#price
    return isSameSide && Math.abs(price - first) < Math.abs(price - this.#price)
  }

  #vote(print: QuarantinedPrint): PrintStatus {
    const { time, price } = print
    const first = this.#held[0] ?? print
    if (time === this.#lastVoteAt) {
      this.#held.push(print)
      return PRINT_STATUS.quarantined
    }
    this.#votes += 1
    this.#lastVoteAt = time
    if (this.#votes < VOTES && time - first.time < ONE_VOTE_AFTER_MS) {
      this.#held.push(print)
      return PRINT_STATUS.quarantined
    }
    this.#learn(Math.min(Math.abs(first.price - this.#price), 2 * this.threshold))
    this.#price = price
    return PRINT_STATUS.confirmed
  }

  /** @param move  ticks, 0 or more */
  #learn(move: number): void {
    if (move === 0) return
    this.#meanMove += (move - this.#meanMove) / DECAY
    this.#meanSquare += (move * move - this.#meanSquare) / DECAY
  }
}
