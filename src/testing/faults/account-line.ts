/** The line on which a client hears of its account: it can be held, and nothing on it overtakes anything. */

/** Deliveries in their order; while it is held by anybody, they wait. */
export class AccountLine {
  readonly #waiting: (() => void)[] = []
  #holds = 0

  /** Delivers now, or when no hold is left. */
  send(delivery: () => void): void {
    if (this.#holds > 0 || this.#waiting.length > 0) this.#waiting.push(delivery)
    else delivery()
  }

  hold(): void {
    this.#holds += 1
  }

  /** @param first  delivered before all that waits */
  release(first: () => void): void {
    this.#holds -= 1
    first()
    while (this.#holds === 0) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      next()
    }
  }
}
