/**
 * How often the corners of the rules of recorded depth were reached by random sessions.
 */
import type { Resting } from './depth-session.ts'

const CORNERS = [
  'several of ours at one price',
  'crowd between two of ours',
  'several of ours are filled at one price',
  'the first of ours is cancelled',
  'a queue shrinks',
  'a queue goes to nothing',
  'a queue between two of ours goes to nothing',
  'a part of a lot cancels',
  'a price comes into sight',
  'a join out of sight',
  'a join behind a gap',
  'a change behind a gap',
  'the other side fills us',
  'we take of the book',
  'we take what is guessed',
  'what is missing comes back',
  'a trade of what we took',
  'trades know better',
  'one ahead of ours cancels',
  'one behind ours cancels',
  'a trade passed over ours',
] as const

/** Of them, those of recordings that report each order. */
export const ORDER_CORNERS: readonly Corner[] = [
  'one ahead of ours cancels',
  'one behind ours cancels',
  'a trade passed over ours',
]

export type Corner = (typeof CORNERS)[number]

export class Reached {
  readonly #counts = new Map<Corner, number>()
  /** By pairs of ours at one price, lots of the crowd between them. */
  #between = new Map<string, number>()

  count(corner: Corner): void {
    this.#counts.set(corner, (this.#counts.get(corner) ?? 0) + 1)
  }

  resting(orders: readonly Resting[]): void {
    const between = new Map<string, number>()
    for (const one of orders) {
      for (const other of orders) {
        if (one === other || one.side !== other.side || one.price !== other.price) continue
        const pair = `${one.order} ${other.order}`
        between.set(pair, other.ahead - one.ahead)
        if (other.ahead > one.ahead) this.count('several of ours at one price')
        if (other.ahead === one.ahead && (this.#between.get(pair) ?? 0) > 0) {
          this.count('a queue between two of ours goes to nothing')
        }
      }
    }
    this.#between = between
  }

  /** Corners that were reached fewer times than that. */
  missed(least: number): readonly string[] {
    return CORNERS.filter((corner) => (this.#counts.get(corner) ?? 0) < least).map(
      (corner) => `${corner}: ${this.#counts.get(corner) ?? 0}`,
    )
  }

  report(): string {
    return CORNERS.map((corner) => `${this.#counts.get(corner) ?? 0} ${corner}`).join('\n')
  }
}
