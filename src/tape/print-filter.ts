/**
 * Filter of the recorded prints of one market: decides which rule applies to each, and counts rejections.
 *
 * Trade conditions decide alone if there are any; a print with a recorded aggressor is a venue's own and accepted; any
 * other goes through the outlier filter. Invariant: a print rejected by its conditions is never accepted, and does not
 * affect the filter.
 */
import { OutlierFilter, PRINT_STATUS, type PrintStatus, type QuarantinedPrint } from './outlier-filter.ts'
import { SIDE_UNKNOWN } from './tape.ts'

/** `auto` for the rules above, `all` for no doubt at all. */
export const PRINT_FILTER_MODES = ['auto', 'all'] as const
export type PrintFilterMode = (typeof PRINT_FILTER_MODES)[number]

/** Prints of one market, counted. */
export interface PrintCounts {
  /** All that were played. */
  readonly prints: number
  /** Prints not accepted on arrival, and those of them confirmed later. */
  readonly doubted: number
  readonly late: number
  /** Prints that the filter would have checked, but that were accepted because it is off. */
  readonly unjudged: number
}

export class PrintFilter implements PrintCounts {
  readonly #mode: PrintFilterMode
  readonly #filter: OutlierFilter
  prints = 0
  doubted = 0
  late = 0
  unjudged = 0

  /** @param spread  ticks, at least 1 */
  constructor(mode: PrintFilterMode, spread: number) {
    this.#mode = mode
    this.#filter = new OutlierFilter(spread)
  }

  /**
   * Checks the next print. After `confirmed`, `takeConfirmed` returns the prints confirmed with it, which precede it.
   *
   * @param side        as recorded
   * @param isDoubtful  from its trade conditions; undefined if there are none
   */
  check(time: number, price: number, qty: number, side: number, isDoubtful: boolean | undefined): PrintStatus {
    this.prints += 1
    const isJudged = isDoubtful ?? side === SIDE_UNKNOWN
    if (!isJudged || this.#mode === 'all') {
      if (isJudged) this.unjudged += 1
      this.#filter.accept(price)
      return PRINT_STATUS.accepted
    }
    const verdict = isDoubtful === true ? PRINT_STATUS.quarantined : this.#filter.check(time, price, qty, side)
    if (verdict === PRINT_STATUS.quarantined) this.doubted += 1
    return verdict
  }

  /** Prints that are now confirmed, oldest first. */
  takeConfirmed(): readonly QuarantinedPrint[] {
    const held = this.#filter.takeConfirmed()
    this.late += held.length
    return held
  }

  /** The worst price that is held for an order that takes, in ticks; undefined when none is. */
  worstFor(side: 'BUY' | 'SELL'): number | undefined {
    return this.#filter.worstFor(side)
  }

  /** Reports missing data before the next print: the quarantine is dropped for good. */
  gap(): void {
    this.#filter.drop()
  }
}
