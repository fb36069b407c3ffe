/** Bounded set of recent ids: at least the newest `count`, at most twice as many. */
export class RecentIds {
  readonly #count: number
  #newer = new Set<string>()
  #older: ReadonlySet<string> = new Set()

  constructor(count: number) {
    this.#count = count
  }

  /** @returns false if it is already included */
  add(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return false
    this.#newer.add(id)
    if (this.#newer.size < this.#count) return true
    this.#older = this.#newer
    this.#newer = new Set()
    return true
  }
}
