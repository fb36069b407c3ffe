/**
 * The stretch of time that all charts of a run show: whoever moves it moves the others.
 *
 * Invariant: it lies within the whole run, and is never narrower than what can be told apart.
 */

/** Unix milliseconds; `from` is before `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

const LEAST_MS = 1_000

export class TimeRange {
  readonly whole: Span
  readonly #told = new Set<(span: Span) => void>()
  #span: Span

  constructor(whole: Span) {
    const { from, to } = whole
    this.whole = to - from >= LEAST_MS ? whole : { from, to: from + LEAST_MS }
    this.#span = this.whole
  }

  get span(): Span {
    return this.#span
  }

  get isWhole(): boolean {
    return this.#span.from <= this.whole.from && this.#span.to >= this.whole.to
  }

  /** Tells of every change, and of the present at once. */
  follow(tell: (span: Span) => void): void {
    this.#told.add(tell)
    tell(this.#span)
  }

  show({ from, to }: Span): void {
    const { whole } = this
    const width = Math.min(Math.max(to - from, LEAST_MS), whole.to - whole.from)
    const start = Math.min(Math.max(from, whole.from), whole.to - width)
    if (start === this.#span.from && start + width === this.#span.to) return
    this.#span = { from: start, to: start + width }
    for (const tell of this.#told) tell(this.#span)
  }

  showAll(): void {
    this.show(this.whole)
  }

  /** @param shares  of the width that is shown, to the right where above 0 */
  move(shares: number): void {
    const { from, to } = this.#span
    const by = (to - from) * shares
    this.show({ from: from + by, to: to + by })
  }

  /**
   * @param factor  of the width; below 1 shows less
   * @param at      the place that stays where it is, as a share of the width
   */
  zoom(factor: number, at = 0.5): void {
    const { from, to } = this.#span
    const width = to - from
    const wide = Math.max(width * factor, LEAST_MS)
    this.show({ from: from + (width - wide) * at, to: from + (width - wide) * at + wide })
  }

  /** Shows something that happened, with as much of the market on either side as lets it be understood. */
  jump({ from, to }: Span): void {
    const margin = Math.max((to - from) * 0.35, (this.whole.to - this.whole.from) / 400, LEAST_MS)
    this.show({ from: from - margin, to: to + margin })
  }
}
