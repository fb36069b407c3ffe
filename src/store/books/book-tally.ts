/**
 * A tally of a recording of books beside its rows: what was left out, what was moved, where something is missing.
 */

/** Of gaps so many are kept with their places; all are counted. */
const MOST_PLACES = 100

/** A place at which updates are missing. */
export interface ToldGap {
  /** `file:line` of the first row behind it. */
  readonly where: string
  /** Unix milliseconds of that row. */
  readonly time: number
  /** For people. */
  readonly why: string
}

export class BookTally {
  readonly #counts = new Map<string, number>()
  readonly #gaps: ToldGap[] = []
  #gapCount = 0
  /** Of snapshots: each change of what they reach is one, so that nothing happened between two of them. */
  tellsEachChange = false

  /** How often something was seen, by what it is. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** The first gaps; `gapCount` has them all. */
  get gaps(): readonly ToldGap[] {
    return this.#gaps
  }

  get gapCount(): number {
    return this.#gapCount
  }

  /** @param what  for people, in the plural: `frames that were told twice` */
  count(what: string, times = 1): void {
    if (times > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + times)
  }

  gap(gap: ToldGap): void {
    this.#gapCount += 1
    if (this.#gaps.length < MOST_PLACES) this.#gaps.push(gap)
  }
}
