/**
 * The time range that all charts of a run show, and the moment that the cursor is at: moving either on one chart moves
 * it on all.
 *
 * Invariant: the range lies within the whole run, and is never narrower than what its charts can show.
 */

/** Unix milliseconds; `from` is before `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

const MIN_MS = 1_000
/** Wider ranges have cursors at whole seconds, as their times are written. */
const WIDE_MS = 100_000

export class TimeRange {
  readonly whole: Span
  /** The narrowest range. */
  readonly #minMs: number
  readonly #rangeListeners = new Set<(span: Span) => void>()
  readonly #cursorListeners = new Set<(moment: number | undefined) => void>()
  #span: Span
  #moment: number | undefined
  /** Place of the cursor in the width that is shown. */
  #share: number | undefined

  /** @param minMs  the narrowest range; default: a second */
  constructor(whole: Span, minMs = 0) {
    const { from, to } = whole
    this.#minMs = Math.max(MIN_MS, minMs)
    this.whole = to - from >= this.#minMs ? whole : { from, to: from + this.#minMs }
    this.#span = this.whole
  }

  get span(): Span {
    return this.#span
  }

  get isWhole(): boolean {
    return this.#span.from <= this.whole.from && this.#span.to >= this.whole.to
  }

  /** Calls for every change, and for the present at once. @returns ends that */
  follow(listener: (span: Span) => void): () => void {
    this.#rangeListeners.add(listener)
    listener(this.#span)
    return () => this.#rangeListeners.delete(listener)
  }

  /**
   * Calls for each move of the cursor, in Unix milliseconds; undefined where it has left the charts.
   *
   * @returns ends that
   */
  followCursor(listener: (moment: number | undefined) => void): () => void {
    this.#cursorListeners.add(listener)
    return () => this.#cursorListeners.delete(listener)
  }

  point(moment: number | undefined): void {
    const { from, to } = this.#span
    this.#share = moment === undefined ? undefined : (moment - from) / (to - from)
    this.#moveCursor(moment)
  }

  #moveCursor(moment: number | undefined): void {
    const unit = this.#span.to - this.#span.from > WIDE_MS ? 1_000 : 1
    const shown = moment === undefined ? undefined : Math.floor(moment / unit) * unit
    if (shown === this.#moment) return
    this.#moment = shown
    for (const listener of this.#cursorListeners) listener(shown)
  }

  show({ from, to }: Span): void {
    const { whole } = this
    const width = Math.min(Math.max(to - from, this.#minMs), whole.to - whole.from)
    const start = Math.min(Math.max(from, whole.from), whole.to - width)
    if (start === this.#span.from && start + width === this.#span.to) return
    this.#span = { from: start, to: start + width }
    for (const listener of this.#rangeListeners) listener(this.#span)
    // The mouse stays where it is, over another moment or another candle.
    this.#moment = undefined
    if (this.#share !== undefined) this.#moveCursor(start + this.#share * width)
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
    const wide = Math.max(width * factor, this.#minMs)
    this.show({ from: from + (width - wide) * at, to: from + (width - wide) * at + wide })
  }

  /**
   * Shows something that happened, with some of the market on either side.
   *
   * @param aroundMs  at least so much of it
   */
  jump({ from, to }: Span, aroundMs: number): void {
    const margin = Math.max((to - from) * 0.35, aroundMs, this.#minMs)
    this.show({ from: from - margin, to: to + margin })
  }
}
