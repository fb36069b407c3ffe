/** Ticker of a market: prices and volumes of its last 24 hours (section 2, Ticker; decision 16). */
import { divideHalfEven, formatTrimmed, formatUnits } from './fixed-point.ts'
import type { Market } from './market.ts'
import { isoTime } from './time.ts'

/** A ticker covers the trades of (timestamp - 24 h, timestamp]. */
export const TICKER_WINDOW_MS = 24 * 60 * 60 * 1000

export interface Ticker {
  readonly symbol: string
  /** Prices in ticks; all 0 before the first trade ever. */
  readonly lastPrice: number
  readonly openPrice: number
  readonly high: number
  readonly low: number
  /** Lots. */
  readonly volume: bigint
  /** Ticks x lots. */
  readonly quoteVolume: bigint
  /** Unix milliseconds. */
  readonly timestamp: number
}

/** A ticker of 24 hours in the form of the specification. */
export interface TickerJson {
  /** Kind of the record. */
  readonly event: 'ticker'
  /** Market, such as `BTC_USD`. */
  readonly symbol: string
  /** Decimal text; "0" before the first trade, as are the prices below. */
  readonly lastPrice: string
  /** Price 24 hours ago. */
  readonly openPrice: string
  /** Highest price. */
  readonly high: string
  /** Lowest price. */
  readonly low: string
  /** Traded quantity in the base asset. */
  readonly volume: string
  /** Traded amount in the quote asset. */
  readonly quoteVolume: string
  /** Signed decimal text: last price minus open price. */
  readonly priceChange: string
  /**
   * Change relative to the open price, with 2 decimals.
   *
   * @unit percent
   */
  readonly priceChangePercent: number
  /** ISO 8601. */
  readonly timestamp: string
}

/** Percent with 2 decimals, half to even; 0 when there is no open price. */
function changePercent(lastPrice: number, openPrice: number): number {
  if (openPrice === 0) return 0
  const hundredths = divideHalfEven(BigInt(lastPrice - openPrice) * 10_000n, BigInt(openPrice))
  return Number(formatUnits(hundredths, 2)) + 0
}

export function tickerToJson(ticker: Ticker, market: Market): TickerJson {
  // Decision 15: a figure that does not exist yet is "0", without the market's decimals.
  const price = (ticks: number): string => (ticker.lastPrice === 0 ? '0' : formatUnits(ticks, market.pricePrecision))
  return {
    event: 'ticker',
    symbol: ticker.symbol,
    lastPrice: price(ticker.lastPrice),
    openPrice: price(ticker.openPrice),
    high: price(ticker.high),
    low: price(ticker.low),
    volume: formatTrimmed(ticker.volume, market.qtyPrecision),
    quoteVolume: formatTrimmed(ticker.quoteVolume, market.pricePrecision + market.qtyPrecision),
    priceChange: price(ticker.lastPrice - ticker.openPrice),
    priceChangePercent: changePercent(ticker.lastPrice, ticker.openPrice),
    timestamp: isoTime(ticker.timestamp),
  }
}
