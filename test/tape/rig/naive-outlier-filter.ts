/**
 * The filter of prints written twice: moves are kept in a list, and the means and votes are worked out again for each
 * print.
 */
export type NaiveVerdict = 'believed' | 'held' | 'borne out'

export const FILTER_CORNERS = [
  'a print is dropped',
  'five votes',
  'one vote a second later',
  'prints of one millisecond have one vote',
  'a held print is dropped by a believed one',
  'a held print is dropped by one that is held',
  'a price is believed again',
  'a jump is learnt at twice the threshold',
] as const
export type FilterCorner = (typeof FILTER_CORNERS)[number]

export interface NaivePrint {
  readonly time: number
  readonly price: number
}

export class NaiveOutlierFilter<Print extends NaivePrint> {
  /** Oldest first; after `borne out` those that are believed now. */
  held: readonly Print[] = []
  readonly #spread: number
  readonly #reach: (corner: FilterCorner) => void
  readonly #moves: number[] = []
  #price: number | undefined

  constructor(spread: number, reach: (corner: FilterCorner) => void = () => undefined) {
    this.#spread = spread
    this.#reach = reach
  }

  /** Call `drop` after `borne out`. */
  judge(print: Print): NaiveVerdict {
    const { price } = print
    const [first] = this.held
    const last = this.#price
    if (first !== undefined && last !== undefined) {
      const isSameSide = Math.sign(price - last) === Math.sign(first.price - last)
      if (isSameSide && Math.abs(price - first.price) < Math.abs(price - last)) return this.#join(first, print, last)
      this.#reach('a print is dropped')
    }
    const isFar = Math.abs(price - (last ?? price)) > this.#threshold()
    if (this.held.length > 0) {
      this.#reach(`a held print is dropped by ${isFar ? 'one that is held' : 'a believed one'}`)
    }
    if (!isFar) {
      this.believe(price)
      return 'believed'
    }
    this.held = [print]
    return 'held'
  }

  believe(price: number): void {
    const move = Math.abs(price - (this.#price ?? price))
    if (move === 0 && this.#price !== undefined) this.#reach('a price is believed again')
    if (move > 0) this.#moves.push(move)
    this.#price = price
    this.held = []
  }

  drop(): void {
    this.held = []
  }

  #join(first: Print, print: Print, last: number): NaiveVerdict {
    const all = [...this.held, print]
    const voters = new Set(all.map(({ time }) => time).filter((time) => time !== first.time))
    if (voters.size < all.length - 1) this.#reach('prints of one millisecond have one vote')
    const isLate = print.time - first.time >= 1_000
    if (voters.size < 5 && !isLate) {
      this.held = all
      return 'held'
    }
    this.#reach(isLate ? 'one vote a second later' : 'five votes')
    const [jump, most] = [Math.abs(first.price - last), 2 * this.#threshold()]
    if (jump > most) this.#reach('a jump is learnt at twice the threshold')
    this.#moves.push(Math.min(jump, most))
    this.#price = print.price
    return 'borne out'
  }

  #threshold(): number {
    const mean = (of: (move: number) => number): number =>
      this.#moves.reduce((before, move) => before + (of(move) - before) / 1024, of(this.#spread))
    return 2 * this.#spread + (3 * mean((move) => move * move)) / mean((move) => move)
  }
}
