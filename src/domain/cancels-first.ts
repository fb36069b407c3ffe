/**
 * Requests that wait for their place in a rate limit: cancels go before creations; within each kind, first come first sent (decision 22).
 */
export class CancelsFirst<Request> {
  readonly #cancels: Request[] = []
  readonly #creations: Request[] = []

  get length(): number {
    return this.#cancels.length + this.#creations.length
  }

  /** True when the next one is a cancel; none is next of nothing. */
  get isCancelNext(): boolean {
    return this.#cancels.length > 0
  }

  /** True when nothing that waits goes before such a request. */
  isFirst(isCancel: boolean): boolean {
    return this.#cancels.length === 0 && (isCancel || this.#creations.length === 0)
  }

  add(request: Request, isCancel: boolean): void {
    const waiting = isCancel ? this.#cancels : this.#creations
    waiting.push(request)
  }

  /** Takes out the next one; undefined when none waits. */
  next(): Request | undefined {
    return this.#cancels.shift() ?? this.#creations.shift()
  }

  /** Takes it out. @returns whether it still waited */
  withdraw(request: Request): boolean {
    return [this.#cancels, this.#creations].some((waiting) => {
      const index = waiting.indexOf(request)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    })
  }

  /** Takes out all, in their order. */
  all(): readonly Request[] {
    return [...this.#cancels.splice(0), ...this.#creations.splice(0)]
  }
}
