/**
 * Gaps marked by the recorder of a tape, in replay order.
 *
 * A marked gap counts once, before the first row at or after its end. Gaps ending before the first row are ignored.
 */

/** Time range of a recorded market with missing trades. */
export interface MarkedGap {
  /** Unix milliseconds of the last row before it, or of the moment from which on nothing was recorded. */
  readonly from: number
  /** Unix milliseconds of the first row after it; not below `from`. */
  readonly to: number
  /** Reason, for display. */
  readonly why: string
}

export class GapMarks {
  readonly #gaps: readonly MarkedGap[]
  #next = 0
  #endsAt: number
  #hasBegun = false

  /** @param gaps  oldest first, none before the end of another */
  constructor(gaps: readonly MarkedGap[]) {
    this.#gaps = gaps
    this.#endsAt = gaps[0]?.to ?? Number.POSITIVE_INFINITY
  }

  /**
   * True if there is a marked gap between the last row and this one.
   *
   * @param time  Unix milliseconds, as recorded
   */
  isBefore(time: number): boolean {
    const isReached = time >= this.#endsAt
    if (isReached) this.#passUpTo(time)
    const isBehindRows = this.#hasBegun
    this.#hasBegun = true
    return isReached && isBehindRows
  }

  #passUpTo(time: number): void {
    while (time >= this.#endsAt) {
      this.#next += 1
      this.#endsAt = this.#gaps[this.#next]?.to ?? Number.POSITIVE_INFINITY
    }
  }
}
