/**
 * The judge of the recorded prints of one market: which rule decides for each, and how many were not believed.
 *
 * Where the conditions of a print are told, they alone decide; one whose aggressor was recorded is a venue's own and
 * believed; any other goes through the filter. Invariant: a print whose conditions forbid it is never believed, and
 * moves nothing in the filter.
 */
import { OutlierFilter, PRINT_STATUS, type PrintStatus } from './outlier-filter.ts'
import type { QuarantinedPrint } from './quarantined-print.ts'
import { SIDE_UNKNOWN } from './tape.ts'

/** `auto` for the rules above, `all` for no doubt at all. */
export const PRINT_FILTER_MODES = ['auto', 'all'] as const
export type PrintFilterMode = (typeof PRINT_FILTER_MODES)[number]

/** Prints of one market, counted. */
export interface PrintCounts {
  /** All that were played. */
  readonly prints: number
  /** Those that were not believed when they came, and those of them that were later. */
  readonly doubted: number
  readonly late: number
  /** Those that would have been judged, and were believed because everything is. */
  readonly unjudged: number
}

export class PrintFilter implements PrintCounts {
  readonly #believe: PrintFilterMode
  readonly #belief: OutlierFilter
  prints = 0
  doubted = 0
  late = 0
  unjudged = 0

  /** @param spread  ticks, at least 1 */
  constructor(believe: PrintFilterMode, spread: number) {
    this.#believe = believe
    this.#belief = new OutlierFilter(spread)
  }

  /**
   * Judges the next print. After `borneOut`, `takeHeld` gives those that are believed with it, before it.
   *
   * @param side        as recorded
   * @param isDoubtful  what its conditions say; undefined where none are told
   */
  check(time: number, price: number, qty: number, side: number, isDoubtful: boolean | undefined): PrintStatus {
    this.prints += 1
    const isJudged = isDoubtful ?? side === SIDE_UNKNOWN
    if (!isJudged || this.#believe === 'all') {
      if (isJudged) this.unjudged += 1
      this.#belief.accept(price)
      return PRINT_STATUS.accepted
    }
    const verdict = isDoubtful === true ? PRINT_STATUS.quarantined : this.#belief.check(time, price, qty, side)
    if (verdict === PRINT_STATUS.quarantined) this.doubted += 1
    return verdict
  }

  /** The prints that are believed now, oldest first. */
  takeConfirmed(): readonly QuarantinedPrint[] {
    const held = this.#belief.takeConfirmed()
    this.late += held.length
    return held
  }

  /** The worst price that is held for an order that takes, in ticks; undefined when none is. */
  worstFor(side: 'BUY' | 'SELL'): number | undefined {
    return this.#belief.worstFor(side)
  }

  /** Something is missing before the next print: what is held is never believed. */
  gap(): void {
    this.#belief.drop()
  }
}
