/**
 * The judge of the recorded prints of one market: which rule decides for each, and how many were not believed.
 *
 * Where the conditions of a print are told, they alone decide; one whose aggressor was recorded is a venue's own and believed; any other
 * goes through the filter. Invariant: a print whose conditions forbid it is never believed, and moves nothing in the filter.
 */
import { Belief, VERDICT, type Verdict } from './belief.ts'
import type { HeldPrint } from './held-print.ts'
import { SIDE_UNKNOWN } from './tape.ts'

/** `auto` for the rules above, `all` for no doubt at all. */
export const BELIEVE_NAMES = ['auto', 'all'] as const
export type Believe = (typeof BELIEVE_NAMES)[number]

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

export class PrintJudge implements PrintCounts {
  readonly #believe: Believe
  readonly #belief: Belief
  prints = 0
  doubted = 0
  late = 0
  unjudged = 0

  /** @param spread  ticks, at least 1 */
  constructor(believe: Believe, spread: number) {
    this.#believe = believe
    this.#belief = new Belief(spread)
  }

  /**
   * Judges the next print. After `borneOut`, `takeHeld` gives those that are believed with it, before it.
   *
   * @param side        as recorded
   * @param isDoubtful  what its conditions say; undefined where none are told
   */
  judge(time: number, price: number, qty: number, side: number, isDoubtful: boolean | undefined): Verdict {
    this.prints += 1
    const isJudged = isDoubtful ?? side === SIDE_UNKNOWN
    if (!isJudged || this.#believe === 'all') {
      if (isJudged) this.unjudged += 1
      this.#belief.believe(price)
      return VERDICT.believed
    }
    const verdict = isDoubtful === true ? VERDICT.held : this.#belief.judge(time, price, qty, side)
    if (verdict === VERDICT.held) this.doubted += 1
    return verdict
  }

  /** The prints that are believed now, oldest first. */
  takeHeld(): readonly HeldPrint[] {
    const held = this.#belief.takeHeld()
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
