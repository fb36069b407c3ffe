/** Estimates how many simultaneous cancels a key must have budget for, from the demand in recent windows. */
import type { Urgency } from '../../../domain/waiting-requests.ts'

/** Number of recent windows. */
const WINDOWS = 5

/**
 * Longest window that a session's end outlasts, so that cancels that do not fit wait for the next one; a larger reserve
 * would only delay entries.
 */
const SHORT_WINDOW_MS = 10_000

interface Limit {
  readonly limit: number
  readonly windowMs: number
}

/** The state before one more mutation is sent. */
interface Moment extends Limit {
  readonly now: number
  /** Our orders that are open or may be. */
  readonly open: number
  /** Cancels in the window that ends now. */
  readonly cancels: number
}

export class CancelNeed {
  /** Peak cancels per window that ended at `at`; later entries are smaller (a monotonic queue). */
  readonly #peaks: { readonly at: number; readonly cancels: number }[]

  /** Assumes maximum demand until something is known. */
  constructor(now: number) {
    this.#peaks = [{ at: now, cancels: Number.POSITIVE_INFINITY }]
  }

  /** @param cancels  in the window that ends now */
  note(now: number, cancels: number, { windowMs }: Limit): void {
    this.#forget(now, windowMs)
    while ((this.#peaks.at(-1)?.cancels ?? Number.POSITIVE_INFINITY) <= cancels) this.#peaks.pop()
    this.#peaks.push({ at: now, cancels })
  }

  /** Budget that a mutation leaves for the cancels that may follow it. */
  reserved(urgency: Urgency, { now, open, cancels, limit, windowMs }: Moment): number {
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
