/**
 * Refusals of ways out: which of them pass, and when it is asked again.
 *
 * Invariant: what the exchange has decided, and what could never be an order, is not asked again.
 */
import type { Refusal, RefusalCode, Refuser } from '../../../domain/refusal.ts'

/** What could not be had now, and may be at the next price. */
const AT_NEXT_PRICE: readonly RefusalCode[] = ['RATE_LIMITED', 'NO_LIQUIDITY']

/** Refusers that are not the exchange: an outage, a halted market, a limit of the risk. */
const PASSING: readonly (Refuser | undefined)[] = ['settlement', 'risk']

/** The first pause doubles until the longest. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 15_000

/** `price`: at the next one. `pause`: after a while. `never`: it is decided. */
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

/** Pauses between requests that are refused here, longer each time. */
export class RetryPause {
  readonly #parts: RetryPauseParts
  #pauseMs = FIRST_PAUSE_MS
  #isOn = false

  constructor(parts: RetryPauseParts) {
    this.#parts = parts
  }

  /** True while nothing is asked again. */
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

  /** A request was taken: the next pause is short again. */
  readonly reset = (): void => {
    this.#pauseMs = FIRST_PAUSE_MS
  }
}
