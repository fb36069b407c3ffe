/**
 * Market data as a strategy sees it: exact decimals that are made on first use, and doubles for indicators.
 *
 * Fields that end in `Number` are the nearest double of the exact value beside them; never order with them.
 */
import type { Candle } from '../domain/candle.ts'
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Trade } from '../domain/trade.ts'

// Literals up to 1e22 are exact doubles.
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12] as const

/** The double nearest to units of 10^-decimals: both operands are exact, so the quotient is rounded once. */
const nearestDouble = (units: number, decimals: number): number => units / (POWERS_OF_TEN[decimals] ?? Number.NaN)

/** The part of a trade that a strategy sees: not who traded. */
type SeenTrade = Pick<Trade, 'id' | 'symbol' | 'price' | 'qty' | 'isBuyerMaker' | 'createdAt'>

/** A public trade. */
export class MarketTrade {
  readonly symbol: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** True when the buy order was resting: a seller was the aggressor. */
  readonly isBuyerMaker: boolean
  readonly #id: number
  readonly #ticks: number
  readonly #lots: number
  readonly #market: Market
  #price: Decimal | undefined
  #qty: Decimal | undefined

  constructor({ id, symbol, price, qty, isBuyerMaker, createdAt }: SeenTrade, market: Market) {
    this.symbol = symbol
    this.createdAt = createdAt
    this.isBuyerMaker = isBuyerMaker
    this.#id = id
    this.#ticks = price
    this.#lots = qty
    this.#market = market
  }

  get id(): string {
    return String(this.#id)
  }

  get price(): Decimal {
    return (this.#price ??= decimalOf(this.#ticks, this.#market.pricePrecision))
  }

  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.#lots, this.#market.qtyPrecision))
  }

  get priceNumber(): number {
    return nearestDouble(this.#ticks, this.#market.pricePrecision)
  }

  get qtyNumber(): number {
    return nearestDouble(this.#lots, this.#market.qtyPrecision)
  }
}

/** A finished candle. */
export class MarketCandle {
  readonly symbol: string
  /** Opening time of the interval, Unix milliseconds. */
  readonly time: number
  readonly #candle: Candle
  readonly #market: Market

  constructor(candle: Candle, market: Market) {
    this.symbol = candle.symbol
    this.time = candle.time
    this.#candle = candle
    this.#market = market
  }

  get open(): Decimal {
    return this.#price(this.#candle.open)
  }

  get high(): Decimal {
    return this.#price(this.#candle.high)
  }

  get low(): Decimal {
    return this.#price(this.#candle.low)
  }

  get close(): Decimal {
    return this.#price(this.#candle.close)
  }

  get volume(): Decimal {
    return decimalOf(this.#candle.volume, this.#market.qtyPrecision)
  }

  get openNumber(): number {
    return nearestDouble(this.#candle.open, this.#market.pricePrecision)
  }

  get highNumber(): number {
    return nearestDouble(this.#candle.high, this.#market.pricePrecision)
  }

  get lowNumber(): number {
    return nearestDouble(this.#candle.low, this.#market.pricePrecision)
  }

  get closeNumber(): number {
    return nearestDouble(this.#candle.close, this.#market.pricePrecision)
  }

  get volumeNumber(): number {
    return this.volume.toNumber()
  }

  #price(ticks: number): Decimal {
    return decimalOf(ticks, this.#market.pricePrecision)
  }
}

/** Prices and volumes of a market in the last 24 hours. */
export class MarketTicker {
  readonly symbol: string
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly #ticker: Ticker
  readonly #market: Market

  constructor(ticker: Ticker, market: Market) {
    this.symbol = ticker.symbol
    this.timestamp = ticker.timestamp
    this.#ticker = ticker
    this.#market = market
  }

  get lastPrice(): Decimal {
    return this.#price(this.#ticker.lastPrice)
  }

  get openPrice(): Decimal {
    return this.#price(this.#ticker.openPrice)
  }

  get high(): Decimal {
    return this.#price(this.#ticker.high)
  }

  get low(): Decimal {
    return this.#price(this.#ticker.low)
  }

  get volume(): Decimal {
    return decimalOf(this.#ticker.volume, this.#market.qtyPrecision)
  }

  get quoteVolume(): Decimal {
    return decimalOf(this.#ticker.quoteVolume, this.#market.pricePrecision + this.#market.qtyPrecision)
  }

  get lastPriceNumber(): number {
    return nearestDouble(this.#ticker.lastPrice, this.#market.pricePrecision)
  }

  #price(ticks: number): Decimal {
    return decimalOf(ticks, this.#market.pricePrecision)
  }
}
