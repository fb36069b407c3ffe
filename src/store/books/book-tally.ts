/** Counts of what was left out or moved while reading a recording of books, and its gaps. */

/** Maximum of gaps stored with their places; all are counted. */
const MAX_PLACES = 100

/** A place at which updates are missing. */
export interface ReportedGap {
  /** `file:line` of the first row after it. */
  readonly where: string
  /** Unix milliseconds of that row. */
  readonly time: number
  /** Reason, for display. */
  readonly why: string
}

export class BookTally {
  readonly #counts = new Map<string, number>()
  readonly #gaps: ReportedGap[] = []
  #gapCount = 0
  /**
   * True if a snapshot was recorded for every change within its reach, so that nothing happened between two of them.
   */
  reportsEachChange = false

  /** Number of occurrences by description. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** The first gaps; `gapCount` has them all. */
  get gaps(): readonly ReportedGap[] {
    return this.#gaps
  }

  get gapCount(): number {
    return this.#gapCount
  }

  /** @param what  description in the plural: `duplicate frames` */
  count(what: string, times = 1): void {
    if (times > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + times)
  }

  gap(gap: ReportedGap): void {
    this.#gapCount += 1
    if (this.#gaps.length < MAX_PLACES) this.#gaps.push(gap)
  }
}
