/** Filters one market of a recording that may contain several. */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { symbolOf } from '../../import/formats/symbols.ts'
import type { BookTally } from './book-tally.ts'

export class OneMarket {
  readonly #tally: BookTally
  readonly #symbol: string | undefined
  #market: string | undefined
  #isAsked: boolean

  /**
   * @param market  name in the recording; if undefined, there must be only one
   * @param symbol  BASE_QUOTE: selects the market whose name is a spelling of it, if that comes first
   */
  constructor(tally: BookTally, market: string | undefined, symbol?: string) {
    this.#tally = tally
    this.#market = market
    this.#symbol = symbol
    this.#isAsked = market !== undefined
  }

  /** Name in the recording; undefined if it has none. */
  get market(): string | undefined {
    return this.#market
  }

  /**
   * True for rows of the market.
   *
   * @throws {InputError} at a second market, if none was selected
   */
  has(market: string, where: string): boolean {
    if (this.#market === undefined) {
      this.#market = market
      this.#isAsked = this.#symbol !== undefined && symbolOf(market) === this.#symbol
    }
    if (market === this.#market) return true
    if (!this.#isAsked) {
      const [first, other] = [escapedExcerpt(this.#market), escapedExcerpt(market)]
      throw new InputError(where, `expected '${first}' as before, got '${other}'`, {
        hint: worded`; choose one with ${setting('market')}`,
      })
    }
    this.#tally.count(`rows of ${escapedExcerpt(market)}`)
    return false
  }
}
