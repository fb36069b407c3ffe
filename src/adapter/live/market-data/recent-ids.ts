/**
 * The ids that were seen lately: at least the newest `count` of them, at most twice as many.
 */
export class RecentIds {
  readonly #count: number
  #newer = new Set<string>()
  #older: ReadonlySet<string> = new Set()

  constructor(count: number) {
    this.#count = count
  }

  /** @returns false when it is among them already */
  add(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return false
    this.#newer.add(id)
    if (this.#newer.size < this.#count) return true
    this.#older = this.#newer
    this.#newer = new Set()
    return true
  }
}
