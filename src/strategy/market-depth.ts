/** Snapshot of a recorded book: exact decimals, created on first use, and the nearest doubles. */
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

/** Price level of an order book. */
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

  /** Price of the level, in the quote asset. */
  get price(): Decimal {
    return (this.#price ??= decimalOf(this.#level.price, this.#market.pricePrecision))
  }

  /** Total quantity of the orders at that price, in the base asset. */
  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.#level.qty, this.#market.qtyPrecision))
  }

  /** `price` as the nearest double. */
  get priceNumber(): number {
    return nearestDouble(this.#level.price, this.#market.pricePrecision)
  }

  /** `qty` as the nearest double. */
  get qtyNumber(): number {
    return nearestDouble(this.#level.qty, this.#market.qtyPrecision)
  }
}

/** Immutable snapshot of the best levels of a recorded book. Your own orders are not included. */
export class MarketDepth {
  /** Symbol of the market. */
  readonly symbol: string
  /** Time of the last update at the exchange, in Unix milliseconds. */
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

  /** Buy levels, highest price first: as many as you asked for, or all that are known. */
  get bids(): readonly MarketLevel[] {
    return (this.#bids ??= marketLevels(this.#levels.bids, this.#market))
  }

  /** Sell levels, lowest price first: as many as you asked for, or all that are known. */
  get asks(): readonly MarketLevel[] {
    return (this.#asks ??= marketLevels(this.#levels.asks, this.#market))
  }
}

/** The same levels, to be read. */
export const marketLevels = (levels: readonly SeenLevel[], market: Market): readonly MarketLevel[] =>
  Object.freeze(levels.map((level) => new MarketLevel(level, market)))
