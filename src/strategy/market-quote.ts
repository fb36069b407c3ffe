/** Recorded best bid and ask: exact decimals, created on first use, and the nearest doubles. */
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import { nearestDouble } from './nearest-double.ts'

/** Best bid and ask in ticks and lots: 0 for an empty side. */
export interface SeenQuote {
  /** Unix milliseconds. */
  readonly time: number
  readonly bid: number
  readonly bidQty: number
  readonly ask: number
  readonly askQty: number
}

/** Recorded best bid and ask with their quantities; `undefined` on an empty side. Your own orders are not included. */
export class MarketQuote {
  /** Symbol of the market. */
  readonly symbol: string
  /** Time of the update at the exchange, in Unix milliseconds. */
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

  /** Best bid, in the quote asset. */
  get bid(): Decimal | undefined {
    return (this.#bid ??= exact(this.#quote.bid, this.#market.pricePrecision))
  }

  /** Quantity at the best bid, in the base asset. */
  get bidQty(): Decimal | undefined {
    return (this.#bidQty ??= exact(this.#quote.bidQty, this.#market.qtyPrecision))
  }

  /** Best ask, in the quote asset. */
  get ask(): Decimal | undefined {
    return (this.#ask ??= exact(this.#quote.ask, this.#market.pricePrecision))
  }

  /** Quantity at the best ask, in the base asset. */
  get askQty(): Decimal | undefined {
    return (this.#askQty ??= exact(this.#quote.askQty, this.#market.qtyPrecision))
  }

  /** Exact midpoint of `bid` and `ask`, in the quote asset; it may be half a tick. `undefined` if a side is empty. */
  get mid(): Decimal | undefined {
    const { bid, ask } = this
    return bid === undefined || ask === undefined ? undefined : (this.#mid ??= bid.plus(ask).div(2))
  }

  /** `bid` as the nearest double. */
  get bidNumber(): number | undefined {
    return double(this.#quote.bid, this.#market.pricePrecision)
  }

  /** `bidQty` as the nearest double. */
  get bidQtyNumber(): number | undefined {
    return double(this.#quote.bidQty, this.#market.qtyPrecision)
  }

  /** `ask` as the nearest double. */
  get askNumber(): number | undefined {
    return double(this.#quote.ask, this.#market.pricePrecision)
  }

  /** `askQty` as the nearest double. */
  get askQtyNumber(): number | undefined {
    return double(this.#quote.askQty, this.#market.qtyPrecision)
  }

  /** `mid` as the nearest double. */
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
