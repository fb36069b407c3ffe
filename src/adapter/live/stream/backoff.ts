/**
 * Exponential backoff with full jitter, so that many clients do not reconnect at the same time.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ (Brooker, 2015)
 */
export class Backoff {
  readonly #firstMs: number
  readonly #mostMs: number
  readonly #random: () => number
  #failures = 0

  /** @param random  returns numbers in [0, 1) */
  constructor(firstMs: number, mostMs: number, random: () => number) {
    this.#firstMs = firstMs
    this.#mostMs = mostMs
    this.#random = random
  }

  /** Milliseconds until the next attempt. */
  next(): number {
    const limit = Math.min(this.#mostMs, this.#firstMs * 2 ** this.#failures)
    // Stops counting at the limit; otherwise the exponent grows to Infinity.
    if (limit < this.#mostMs) this.#failures += 1
    return Math.floor(this.#random() * limit)
  }

  reset(): void {
    this.#failures = 0
  }
}
