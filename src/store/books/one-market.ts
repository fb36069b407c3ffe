/**
 * Keeps to one market of a recording that may tell of several.
 */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { BookTally } from './book-tally.ts'

export class OneMarket {
  readonly #tally: BookTally
  #market: string | undefined
  readonly #isAsked: boolean

  /** @param market  as the recording calls it; without it, there must be only one */
  constructor(tally: BookTally, market: string | undefined) {
    this.#tally = tally
    this.#market = market
    this.#isAsked = market !== undefined
  }

  /**
   * True for what is of the market.
   *
   * @throws {InputError} at a second market, where none was asked for
   */
  has(market: string, where: string): boolean {
    this.#market ??= market
    if (market === this.#market) return true
    if (!this.#isAsked) {
      const [first, other] = [escapedExcerpt(this.#market), escapedExcerpt(market)]
      throw new InputError(where, `expected '${first}' as before, got '${other}'`, { hint: worded`; choose one with ${setting('market')}` }) // prettier-ignore
    }
    this.#tally.count(`rows of ${escapedExcerpt(market)}`)
    return false
  }
}
