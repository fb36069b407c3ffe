/**
 * Market data of the strategy API: exact decimals, created on first use, and doubles for indicators.
 *
 * Fields that end in `Number` are the nearest double of the exact field; never place orders with them.
 */
import type { Candle } from '../domain/candle.ts'
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Trade } from '../domain/trade.ts'
import { nearestDouble } from './nearest-double.ts'

/** The part of a trade that a strategy sees: not who traded. */
export type SeenTrade = Pick<Trade, 'symbol' | 'price' | 'qty' | 'isBuyerMaker' | 'createdAt'> & {
  /** Id given by the exchange; a number if it numbers its trades. */
  readonly id: string | number
  /** Default: false. */
  readonly isOwn?: boolean
  /** Default: true. */
  readonly believed?: boolean
}

/** Price in ticks of the market of the trade, quantity in lots. */
type ExactTrade = Pick<Trade, 'price' | 'qty'>

let read: (trade: MarketTrade) => ExactTrade

/** Public trade. */
export class MarketTrade {
  static {
    read = (trade: MarketTrade): ExactTrade => ({ price: trade.#ticks, qty: trade.#lots })
  }

  /** Symbol of the market. */
  readonly symbol: string
  /** Time of the trade, in Unix milliseconds. */
  readonly createdAt: number
  /** True if the buy order was resting, so the seller was the aggressor. */
  readonly isBuyerMaker: boolean
  /**
   * True if one of your orders took part. If your order took liquidity, the trade is not in the recording. If your
   * order was resting, the recorded trade is emitted in parts, and this is one of them.
   */
  readonly isOwn: boolean
  /**
   * True if the outlier filter rejected the trade: it counts in the ticker volume, but in no price, candle or fill. If
   * the next trades confirm its price, it counts from then on, and is not emitted again.
   */
  readonly isOffMarket: boolean
  readonly #id: string | number
  readonly #ticks: number
  readonly #lots: number
  readonly #market: Market
  #price: Decimal | undefined
  #qty: Decimal | undefined

  /** The price of the trade is in ticks of the market, its quantity in lots. */
  constructor(trade: SeenTrade, market: Market) {
    const { id, symbol, price, qty, isBuyerMaker, createdAt, isOwn = false, believed = true } = trade
    this.symbol = symbol
    this.createdAt = createdAt
    this.isBuyerMaker = isBuyerMaker
    this.isOwn = isOwn
    this.isOffMarket = !believed
    this.#id = id
    this.#ticks = price
    this.#lots = qty
    this.#market = market
  }

  /** Former name, with the opposite value, of `isOffMarket`. */
  get believed(): boolean {
    return !this.isOffMarket
  }

  /** Trade id of the exchange. */
  get id(): string {
    return String(this.#id)
  }

  /** Price, in the quote asset. */
  get price(): Decimal {
    return (this.#price ??= decimalOf(this.#ticks, this.#market.pricePrecision))
  }

  /** Quantity, in the base asset. */
  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.#lots, this.#market.qtyPrecision))
  }

  /** `price` as the nearest double. */
  get priceNumber(): number {
    return nearestDouble(this.#ticks, this.#market.pricePrecision)
  }

  /** `qty` as the nearest double. */
  get qtyNumber(): number {
    return nearestDouble(this.#lots, this.#market.qtyPrecision)
  }
}

/** Exact source of a trade for the framework; a strategy uses its decimals. */
export const exactTrade = (trade: MarketTrade): ExactTrade => read(trade)

/** Candle of a closed interval. */
export class MarketCandle {
  /** Symbol of the market. */
  readonly symbol: string
  /** Opening time of the interval, in Unix milliseconds. */
  readonly time: number
  readonly #candle: Candle
  readonly #market: Market

  /** The prices of the candle are in ticks of the market, its volume in lots. */
  constructor(candle: Candle, market: Market) {
    this.symbol = candle.symbol
    this.time = candle.time
    this.#candle = candle
    this.#market = market
  }

  /**
   * Merges consecutive candles into one.
   *
   * @param time   its opening time, Unix milliseconds
   * @param first  the oldest; all are of one market
   */
  static joined(time: number, first: MarketCandle, others: readonly MarketCandle[]): MarketCandle {
    const { symbol } = first
    let { high, low, close, volume } = first.#candle
    for (const other of others) {
      const part = other.#candle
      high = Math.max(high, part.high)
      low = Math.min(low, part.low)
      volume += part.volume
      close = part.close
    }
    return new MarketCandle({ time, symbol, open: first.#candle.open, high, low, close, volume }, first.#market)
  }

  /**
   * The candle of an interval without a trade: flat at the close of the one before, without volume.
   *
   * @param time  its opening time, Unix milliseconds
   */
  static flat(time: number, before: MarketCandle): MarketCandle {
    const { symbol, close } = before.#candle
    const prices = { open: close, high: close, low: close, close }
    return new MarketCandle({ time, symbol, ...prices, volume: 0n }, before.#market)
  }

  /** Price of the first trade, in the quote asset. */
  get open(): Decimal {
    return this.#price(this.#candle.open)
  }

  /** Highest price, in the quote asset. */
  get high(): Decimal {
    return this.#price(this.#candle.high)
  }

  /** Lowest price, in the quote asset. */
  get low(): Decimal {
    return this.#price(this.#candle.low)
  }

  /** Price of the last trade, in the quote asset. */
  get close(): Decimal {
    return this.#price(this.#candle.close)
  }

  /** Volume of the interval, in the base asset. */
  get volume(): Decimal {
    return decimalOf(this.#candle.volume, this.#market.qtyPrecision)
  }

  /** `open` as the nearest double. */
  get openNumber(): number {
    return nearestDouble(this.#candle.open, this.#market.pricePrecision)
  }

  /** `high` as the nearest double. */
  get highNumber(): number {
    return nearestDouble(this.#candle.high, this.#market.pricePrecision)
  }

  /** `low` as the nearest double. */
  get lowNumber(): number {
    return nearestDouble(this.#candle.low, this.#market.pricePrecision)
  }

  /** `close` as the nearest double. */
  get closeNumber(): number {
    return nearestDouble(this.#candle.close, this.#market.pricePrecision)
  }

  /** `volume` as the nearest double. */
  get volumeNumber(): number {
    const { volume } = this.#candle
    return volume <= Number.MAX_SAFE_INTEGER
      ? nearestDouble(Number(volume), this.#market.qtyPrecision)
      : this.volume.toNumber()
  }

  #price(ticks: number): Decimal {
    return decimalOf(ticks, this.#market.pricePrecision)
  }
}

/** Prices and volumes of the 24 hours up to `timestamp`. */
export class MarketTicker {
  /** Symbol of the market. */
  readonly symbol: string
  /** End of the 24 hours, in Unix milliseconds. */
  readonly timestamp: number
  readonly #ticker: Ticker
  readonly #market: Market

  /** The prices of the ticker are in ticks of the market, its volume in lots, its quote volume in ticks x lots. */
  constructor(ticker: Ticker, market: Market) {
    this.symbol = ticker.symbol
    this.timestamp = ticker.timestamp
    this.#ticker = ticker
    this.#market = market
  }

  /** Price of the last trade, in the quote asset; 0 before the first trade. */
  get lastPrice(): Decimal {
    return this.#price(this.#ticker.lastPrice)
  }

  /** Price of the first trade in the 24 hours, in the quote asset; `lastPrice` if there was none. */
  get openPrice(): Decimal {
    return this.#price(this.#ticker.openPrice)
  }

  /** Highest price in the 24 hours, in the quote asset; `lastPrice` if there was no trade. */
  get high(): Decimal {
    return this.#price(this.#ticker.high)
  }

  /** Lowest price in the 24 hours, in the quote asset; `lastPrice` if there was no trade. */
  get low(): Decimal {
    return this.#price(this.#ticker.low)
  }

  /** Volume of the 24 hours, in the base asset. */
  get volume(): Decimal {
    return decimalOf(this.#ticker.volume, this.#market.qtyPrecision)
  }

  /** Volume of the 24 hours, in the quote asset. */
  get quoteVolume(): Decimal {
    return decimalOf(this.#ticker.quoteVolume, this.#market.pricePrecision + this.#market.qtyPrecision)
  }

  /** `lastPrice` as the nearest double. */
  get lastPriceNumber(): number {
    return nearestDouble(this.#ticker.lastPrice, this.#market.pricePrecision)
  }

  #price(ticks: number): Decimal {
    return decimalOf(ticks, this.#market.pricePrecision)
  }
}
