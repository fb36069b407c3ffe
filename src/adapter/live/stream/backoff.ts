/**
 * Waits between attempts: doubled each time up to a limit, and a random part of it, so that many clients do not come
 * back at once.
 *
 * @see Brooker (2015), Exponential Backoff And Jitter: "full jitter"
 */
export class Backoff {
  readonly #firstMs: number
  readonly #mostMs: number
  readonly #random: () => number
  #failures = 0

  /** @param random  gives numbers in [0, 1) */
  constructor(firstMs: number, mostMs: number, random: () => number) {
    this.#firstMs = firstMs
    this.#mostMs = mostMs
    this.#random = random
  }

  /** Milliseconds until the next attempt. */
  next(): number {
    const limit = Math.min(this.#mostMs, this.#firstMs * 2 ** this.#failures)
    // Past the limit it stays there; counting on would end in Infinity.
    if (limit < this.#mostMs) this.#failures += 1
    return Math.floor(this.#random() * limit)
  }

  reset(): void {
    this.#failures = 0
  }
}
