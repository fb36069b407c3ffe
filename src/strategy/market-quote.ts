/**
 * The recorded touch of a market as a strategy sees it: exact decimals that are made on first use, and doubles beside them.
 */
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import { nearestDouble } from './nearest-double.ts'

/** The best prices, in ticks of the market and lots: 0 on a side on which nobody is. */
export interface SeenQuote {
  /** Unix milliseconds. */
  readonly time: number
  readonly bid: number
  readonly bidQty: number
  readonly ask: number
  readonly askQty: number
}

/**
 * The best bid and the best ask of a market with what rests there, when either has changed.
 *
 * On a side on which nobody is there is neither price nor quantity. Nothing of the strategy's is in it.
 */
export class MarketQuote {
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Unix milliseconds at which the exchange told it. */
  readonly time: number
  readonly #quote: SeenQuote
  readonly #market: Market
  #bid: Decimal | undefined
  #bidQty: Decimal | undefined
  #ask: Decimal | undefined
  #askQty: Decimal | undefined
  #mid: Decimal | undefined

  /** Prices of the quote are in ticks of the market, its quantities in lots. */
  constructor(quote: SeenQuote, market: Market) {
    this.symbol = market.symbol
    this.time = quote.time
    this.#quote = quote
    this.#market = market
  }

  /** Highest price at which somebody buys, in the quote asset; undefined while nobody does. */
  get bid(): Decimal | undefined {
    return (this.#bid ??= exact(this.#quote.bid, this.#market.pricePrecision))
  }

  /** What rests there, in the base asset; undefined while nobody buys. */
  get bidQty(): Decimal | undefined {
    return (this.#bidQty ??= exact(this.#quote.bidQty, this.#market.qtyPrecision))
  }

  /** Lowest price at which somebody sells, in the quote asset; undefined while nobody does. */
  get ask(): Decimal | undefined {
    return (this.#ask ??= exact(this.#quote.ask, this.#market.pricePrecision))
  }

  /** What rests there, in the base asset; undefined while nobody sells. */
  get askQty(): Decimal | undefined {
    return (this.#askQty ??= exact(this.#quote.askQty, this.#market.qtyPrecision))
  }

  /** Halfway from `bid` to `ask`, exactly, so that it may be half a tick; undefined while a side is empty. */
  get mid(): Decimal | undefined {
    const { bid, ask } = this
    return bid === undefined || ask === undefined ? undefined : (this.#mid ??= bid.plus(ask).div(2))
  }

  /** The double nearest to `bid`; undefined while nobody buys. */
  get bidNumber(): number | undefined {
    return double(this.#quote.bid, this.#market.pricePrecision)
  }

  /** The double nearest to `bidQty`; undefined while nobody buys. */
  get bidQtyNumber(): number | undefined {
    return double(this.#quote.bidQty, this.#market.qtyPrecision)
  }

  /** The double nearest to `ask`; undefined while nobody sells. */
  get askNumber(): number | undefined {
    return double(this.#quote.ask, this.#market.pricePrecision)
  }

  /** The double nearest to `askQty`; undefined while nobody sells. */
  get askQtyNumber(): number | undefined {
    return double(this.#quote.askQty, this.#market.qtyPrecision)
  }

  /** The double nearest to `mid`; undefined while a side is empty. */
  get midNumber(): number | undefined {
    const { bid, ask } = this.#quote
    if (bid === 0 || ask === 0) return undefined
    // Half of a double is exact, so it is rounded once, as long as the sum is exact.
    return Number.isSafeInteger(bid + ask)
      ? nearestDouble(bid + ask, this.#market.pricePrecision) / 2
      : this.mid?.toNumber()
  }
}

const exact = (units: number, decimals: number): Decimal | undefined =>
  units === 0 ? undefined : decimalOf(units, decimals)

const double = (units: number, decimals: number): number | undefined =>
  units === 0 ? undefined : nearestDouble(units, decimals)
