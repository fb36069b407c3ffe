/**
 * Turn of the strategy, in which alone it may act: that of an event, and no other time.
 *
 * In a simulated market a turn is a stretch of the replay that runs without a pause; what a strategy does after an
 * `await` comes outside of it, at a moment that depends on the machine.
 */
export class Turn {
  #isOn = false

  get isOn(): boolean {
    return this.#isOn
  }

  begin(): void {
    this.#isOn = true
  }

  end(): void {
    this.#isOn = false
  }

  /** Calls the strategy from something that is not, whether it is in the middle of its turn or not. */
  inside(action: () => void): void {
    const wasOn = this.#isOn
    this.#isOn = true
    try {
      action()
    } finally {
      this.#isOn = wasOn
    }
  }

  /** Calls code that is not the strategy's, in the middle of its turn. @returns what it returns */
  outside<T>(action: () => T): T {
    const wasOn = this.#isOn
    this.#isOn = false
    try {
      return action()
    } finally {
      this.#isOn = wasOn
    }
  }
}
