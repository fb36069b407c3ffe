/**
 * Retry policy for refused exits.
 *
 * Invariant: final decisions of the exchange and invalid orders are not retried.
 */
import type { Refusal, RefusalCode, Refuser } from '../../../domain/refusal.ts'

/** Refusals that may succeed at the next price. */
const AT_NEXT_PRICE: readonly RefusalCode[] = ['RATE_LIMITED', 'NO_LIQUIDITY']

/** Refusers other than the exchange: an outage, a halted market, a risk limit, an amount that another order locks. */
const PASSING: readonly (Refuser | undefined)[] = ['settlement', 'risk', 'book']

/** The pause doubles up to its maximum. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 15_000

/** `price`: at the next price. `pause`: after a pause. `never`: the refusal is final. */
export type Retry = 'price' | 'pause' | 'never'

export const isPassing = (by: Refuser | undefined): boolean => PASSING.includes(by)

/** @param by  undefined for the exchange */
export function retryOf({ code }: Refusal, by: Refuser | undefined): Retry {
  if (AT_NEXT_PRICE.includes(code)) return 'price'
  return isPassing(by) ? 'pause' : 'never'
}

export interface RetryPauseParts {
  readonly after: (delayMs: number, action: () => void) => void
  /** The pause is over. */
  readonly onOver: () => void
}

/** Exponential backoff between locally refused requests. */
export class RetryPause {
  readonly #parts: RetryPauseParts
  #pauseMs = FIRST_PAUSE_MS
  #isOn = false

  constructor(parts: RetryPauseParts) {
    this.#parts = parts
  }

  /** True while retries are paused. */
  get isOn(): boolean {
    return this.#isOn
  }

  readonly begin = (): void => {
    if (this.#isOn) return
    this.#isOn = true
    this.#parts.after(this.#pauseMs, () => {
      this.#isOn = false
      this.#parts.onOver()
    })
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS)
  }

  /** A request was accepted: resets the backoff. */
  readonly reset = (): void => {
    this.#pauseMs = FIRST_PAUSE_MS
  }
}
