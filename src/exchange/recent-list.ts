/**
 * The newest items of a sequence, at most `limit` of them, in constant amortised time.
 */
export class RecentList<T> {
  readonly limit: number
  #items: T[] = []

  /** @param limit  0 or more; `Infinity` keeps all */
  constructor(limit: number) {
    this.limit = limit
  }

  push(item: T): void {
    if (this.limit === 0) return
    this.#items.push(item)
    if (this.#items.length >= 2 * this.limit) this.#items = this.#items.slice(-this.limit)
  }

  /** Oldest first; a list of its own. */
  kept(): readonly T[] {
    return this.limit === 0 ? [] : this.#items.slice(-this.limit)
  }

  /** At most `count` items, newest first. */
  newest(count: number): readonly T[] {
    const kept = Math.min(count, this.limit, this.#items.length)
    return kept === 0 ? [] : this.#items.slice(-kept).reverse()
  }
}
