/**
 * Writes tickers as the specification's JSON. Between two trades only the timestamp changes, so the rest is written
 * once per change of a market.
 *
 * Invariant: equal to `JSON.stringify(tickerToJson(ticker, market))` to the byte. The text that is reused was written
 * for the same figures, so it cannot be out of date.
 */
import type { Market } from '../domain/market.ts'
import { tickerToJson, type Ticker } from '../domain/ticker.ts'
import { isoTime } from '../domain/time.ts'

interface Written {
  readonly ticker: Ticker
  /** Everything before the timestamp, which is last. */
  readonly head: string
}

const writtenByMarket = new WeakMap<Market, Written>()

export function tickerText(ticker: Ticker, market: Market): string {
  let written = writtenByMarket.get(market)
  if (written === undefined || !haveSameFigures(written.ticker, ticker)) {
    const text = JSON.stringify(tickerToJson(ticker, market))
    written = { ticker, head: text.slice(0, -isoTime(ticker.timestamp).length - 2) }
    writtenByMarket.set(market, written)
  }
  return `${written.head}${isoTime(ticker.timestamp)}"}`
}

const haveSameFigures = (a: Ticker, b: Ticker): boolean =>
  a.lastPrice === b.lastPrice &&
  a.volume === b.volume &&
  a.quoteVolume === b.quoteVolume &&
  a.openPrice === b.openPrice &&
  a.high === b.high &&
  a.low === b.low &&
  a.symbol === b.symbol
