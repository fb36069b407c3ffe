/**
 * Levels of a recorded book as a strategy sees them, at one moment: exact decimals that are made on first use, and doubles beside them.
 */
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import { nearestDouble } from './nearest-double.ts'

/** A price level in ticks of the market and lots. */
export interface SeenLevel {
  readonly price: number
  readonly qty: number
}

/** Price levels of both sides in ticks and lots, best first. */
export interface SeenLevels {
  readonly bids: readonly SeenLevel[]
  readonly asks: readonly SeenLevel[]
}

/** A price at which orders rest, and how much. */
export class MarketLevel {
  readonly #level: SeenLevel
  readonly #market: Market
  #price: Decimal | undefined
  #qty: Decimal | undefined

  /** The price of the level is in ticks of the market, its quantity in lots. */
  constructor(level: SeenLevel, market: Market) {
    this.#level = level
    this.#market = market
  }

  /** In the quote asset, for one of the base asset. */
  get price(): Decimal {
    return (this.#price ??= decimalOf(this.#level.price, this.#market.pricePrecision))
  }

  /** Of all orders at the price, in the base asset. */
  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.#level.qty, this.#market.qtyPrecision))
  }

  /** The double nearest to `price`. */
  get priceNumber(): number {
    return nearestDouble(this.#level.price, this.#market.pricePrecision)
  }

  /** The double nearest to `qty`. */
  get qtyNumber(): number {
    return nearestDouble(this.#level.qty, this.#market.qtyPrecision)
  }
}

/** The best levels of a recorded book after a frame of it. It never changes, and nothing of the strategy's is in it. */
export class MarketDepth {
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Unix milliseconds at which the exchange told it last. */
  readonly time: number
  readonly #levels: SeenLevels
  readonly #market: Market
  #bids: readonly MarketLevel[] | undefined
  #asks: readonly MarketLevel[] | undefined

  /** @param time  Unix milliseconds */
  constructor(time: number, levels: SeenLevels, market: Market) {
    this.symbol = market.symbol
    this.time = time
    this.#levels = levels
    this.#market = market
  }

  /** Those who buy, the highest price first; as many levels as were asked for, or all that are known. */
  get bids(): readonly MarketLevel[] {
    return (this.#bids ??= marketLevels(this.#levels.bids, this.#market))
  }

  /** Those who sell, the lowest price first; as many levels as were asked for, or all that are known. */
  get asks(): readonly MarketLevel[] {
    return (this.#asks ??= marketLevels(this.#levels.asks, this.#market))
  }
}

/** The same levels, to be read. */
export const marketLevels = (levels: readonly SeenLevel[], market: Market): readonly MarketLevel[] =>
  Object.freeze(levels.map((level) => new MarketLevel(level, market)))
