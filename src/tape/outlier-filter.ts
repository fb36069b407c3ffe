/**
 * Rolling outlier filter for the recorded prints of one market: rejects prices that could not have been traded at.
 *
 * - Threshold: 2 s + 3 m2/m1 from the last accepted price; s is the spread, m1 and m2 are the means of |d| and d² of
 *   the accepted non-zero moves d (decay 1/1024, initially s and s²).
 * - Quarantine: a print beyond the threshold. The next print on the same side joins it if it is nearer to the first
 *   quarantined price than to the accepted price; any other print drops the quarantine for good, and is checked afresh.
 * - Votes: a joining print votes if its millisecond differs from that of the previous vote, or of the first quarantined
 *   print, which is no vote itself.
 * - Confirmation: five votes, or one at least a second after the first quarantined print, confirm them all. The jump to
 *   the first quarantined price is then learnt as one move, at most twice the threshold.
 * The first print of a market is accepted.
 *
 * Invariant: only the past decides. Known limit: errors of three ticks pass in a market with a spread of one tick.
 */
const DECAY = 1024
const VOTES = 5
const ONE_VOTE_AFTER_MS = 1_000

/** Result for a print: accepted, quarantined, or confirmed together with all quarantined prints. */
export const PRINT_STATUS = { accepted: 0, quarantined: 1, confirmed: 2 } as const
export type PrintStatus = (typeof PRINT_STATUS)[keyof typeof PRINT_STATUS]

/** Recorded print in quarantine until the outlier filter confirms or drops it. */
export interface QuarantinedPrint {
  /** Unix milliseconds. */
  readonly time: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  /** SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL. */
  readonly side: number
}

export class OutlierFilter {
  readonly #spread: number
  #meanMove: number
  #meanSquare: number
  /** Last accepted price in ticks; 0 before the first. */
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
    // A loop, because under a coarse clock more may be quarantined than a call takes arguments.
    for (const { price } of this.#held) worst = worst === undefined ? price : worse(worst, price)
    return worst
  }

  /**
   * Checks the next print. After `confirmed`, `takeConfirmed` returns the prints confirmed with it, which precede it.
   *
   * @param side  the aggressor as recorded; returned with the quarantined print
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

  /** Drops the quarantine for good. */
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
