/**
 * Counts the corners that random commands reached: a property that never met a corner says nothing of it.
 */
import { CORNERS } from './corner-names.ts'
import type { Corner } from './corner-names.ts'
import { CornerWatch } from './corner-watch.ts'

export class Corners {
  readonly #counts = new Map<Corner, number>(CORNERS.map((corner) => [corner, 0]))

  missed(): readonly Corner[] {
    return [...this.#counts].flatMap(([corner, count]) => (count === 0 ? [corner] : []))
  }

  report(): string {
    return [...this.#counts].map(([corner, count]) => `${String(count).padStart(9)}  ${corner}`).join('\n')
  }

  /** A new script begins: forgets the orders of the one before. */
  watch(): CornerWatch {
    return new CornerWatch((corner) => {
      this.#counts.set(corner, (this.#counts.get(corner) ?? 0) + 1)
    })
  }
}
