/** Reads a ticker (section 2); fields derived from others are ignored. */
import type { Market } from '../domain/market.ts'
import type { Ticker } from '../domain/ticker.ts'
import { Fields } from './read-fields.ts'
import { checkSymbol } from './read-market.ts'

/** @throws {ExchangeError} SCHEMA_FAULT, also for a ticker of another market */
export function readTicker(item: unknown, market: Market, path = ''): Ticker {
  const fields = new Fields(item, path)
  checkSymbol(fields, market)
  const { symbol, pricePrecision, qtyPrecision } = market
  return {
    symbol,
    lastPrice: fields.units('lastPrice', pricePrecision),
    openPrice: fields.units('openPrice', pricePrecision),
    high: fields.units('high', pricePrecision),
    low: fields.units('low', pricePrecision),
    volume: fields.amount('volume', qtyPrecision),
    quoteVolume: fields.amount('quoteVolume', pricePrecision + qtyPrecision),
    timestamp: fields.isoTime('timestamp'),
  }
}
