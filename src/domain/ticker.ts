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

export interface TickerJson {
  readonly event: 'ticker'
  readonly symbol: string
  readonly lastPrice: string
  readonly openPrice: string
  readonly high: string
  readonly low: string
  readonly volume: string
  readonly quoteVolume: string
  readonly priceChange: string
  readonly priceChangePercent: number
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
