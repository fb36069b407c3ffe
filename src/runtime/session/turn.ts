/**
 * Turn of the strategy: the only time at which it may act, during an event.
 *
 * In a simulated market a turn is a synchronous part of the replay; code after an `await` runs outside it, at a moment
 * that depends on the machine.
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

  /** Calls the strategy, from inside or outside its turn. */
  inside(action: () => void): void {
    const wasOn = this.#isOn
    this.#isOn = true
    try {
      action()
    } finally {
      this.#isOn = wasOn
    }
  }

  /** Calls code that is not the strategy's during its turn. @returns its return value */
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
