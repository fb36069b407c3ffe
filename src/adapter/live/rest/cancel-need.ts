/**
 * The cancels at once that a key has to be ready for, by what the recent windows needed.
 */

/** Recent windows are so many. */
const WINDOWS = 5

/** A session's end takes longer than such a window, so cancels that do not fit wait for the next one. Keeping more would only delay entries. */
const SHORT_WINDOW_MS = 10_000

interface Limit {
  readonly limit: number
  readonly windowMs: number
}

export class CancelNeed {
  /** Cancels of a window that ended with one at `at`: later ones are smaller. */
  readonly #peaks: { readonly at: number; readonly cancels: number }[]

  /** Before anything is known, the most is expected. */
  constructor(now: number) {
    this.#peaks = [{ at: now, cancels: Number.POSITIVE_INFINITY }]
  }

  /** @param cancels  of the window that ends now */
  note(now: number, cancels: number, { windowMs }: Limit): void {
    this.#forget(now, windowMs)
    while ((this.#peaks.at(-1)?.cancels ?? Number.POSITIVE_INFINITY) <= cancels) this.#peaks.pop()
    this.#peaks.push({ at: now, cancels })
  }

  /** A third to two thirds of the limit; a third in a short window. */
  most(now: number, { limit, windowMs }: Limit): number {
    this.#forget(now, windowMs)
    if (windowMs <= SHORT_WINDOW_MS) return Math.floor(limit / 3)
    const peak = this.#peaks[0]?.cancels ?? 0
    return Math.min(Math.floor((limit * 2) / 3), Math.max(Math.floor(limit / 3), 2 * peak))
  }

  #forget(now: number, windowMs: number): void {
    while ((this.#peaks[0]?.at ?? now) + WINDOWS * windowMs < now) this.#peaks.shift()
  }
}
