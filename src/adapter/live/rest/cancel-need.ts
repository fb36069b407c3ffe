/**
 * The cancels at once that a key has to be ready for, by what the recent windows needed.
 */
import type { Urgency } from '../../../domain/waiting-requests.ts'

/** Recent windows are so many. */
const WINDOWS = 5

/**
 * A session's end takes longer than such a window, so cancels that do not fit wait for the next one. Keeping more would
 * only delay entries.
 */
const SHORT_WINDOW_MS = 10_000

interface Limit {
  readonly limit: number
  readonly windowMs: number
}

/** Before one more mutation is taken. */
interface Moment extends Limit {
  readonly now: number
  /** Orders of ours that are open or may be. */
  readonly open: number
  /** Cancels of the window that ends now. */
  readonly cancels: number
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

  /** Room that a mutation leaves for the cancels that may follow it. */
  kept(urgency: Urgency, { now, open, cancels, limit, windowMs }: Moment): number {
    const least = Math.floor(limit / 3)
    const isShort = windowMs <= SHORT_WINDOW_MS
    if (urgency === 'cancel' || (urgency === 'exit' && isShort)) return 0
    this.#forget(now, windowMs)
    const peak = this.#peaks[0]?.cancels ?? 0
    const isThird = isShort || urgency === 'exit'
    const most = isThird ? least : Math.min(Math.floor((limit * 2) / 3), Math.max(least, 2 * peak))
    return Math.max(least - cancels, Math.min(open + 1, most))
  }

  #forget(now: number, windowMs: number): void {
    while ((this.#peaks[0]?.at ?? now) + WINDOWS * windowMs < now) this.#peaks.shift()
  }
}
