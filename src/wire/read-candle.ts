/**
 * Reads candles (section 2, Candle), oldest first.
 *
 * Known limit: the unit of a time is inferred from its magnitude (decision 2), so milliseconds before March 1973 are
 * taken for seconds.
 */
import type { Candle } from '../domain/candle.ts'
import type { Market } from '../domain/market.ts'
import { Fields, readRows, throwUnreadable, type OnUnreadable } from './read-fields.ts'
import { checkSymbol } from './read-market.ts'

/** Seconds are below the first, milliseconds below the second: the years 5138 of the one and 1973 of the other. */
const FIRST_MS = 1e11
const FIRST_MICROS = 1e14

/** @throws {ExchangeError} SCHEMA_FAULT; one of another market, or out of order, is not of its form */
export function readCandles(
  answer: unknown,
  market: Market,
  onUnreadable: OnUnreadable = throwUnreadable,
): readonly Candle[] {
  let last = Number.NEGATIVE_INFINITY
  const read = (item: unknown, path: string): Candle => {
    const fields = new Fields(item, path)
    const candle = readCandle(fields, market)
    if (candle.time <= last) throw fields.fault('time', 'a time after the one before')
    last = candle.time
    return candle
  }
  return readRows(new Fields(answer, '').value('data'), 'data', read, onUnreadable)
}

function readCandle(fields: Fields, market: Market): Candle {
  checkSymbol(fields, market)
  const price = (name: string): number => fields.units(name, market.pricePrecision)
  const candle = {
    time: readTime(fields),
    symbol: market.symbol,
    open: price('open'),
    high: price('high'),
    low: price('low'),
    close: price('close'),
    volume: fields.amount('volume', market.qtyPrecision),
  }
  if (candle.high < Math.max(candle.open, candle.close, candle.low)) throw fields.fault('high', 'the highest price')
  if (candle.low > Math.min(candle.open, candle.close)) throw fields.fault('low', 'the lowest price')
  return candle
}

function readTime(fields: Fields): number {
  const time = fields.integer('time', 0, Number.MAX_SAFE_INTEGER)
  if (time < FIRST_MS) return time * 1000
  if (time < FIRST_MICROS) return time
  if (time % 1000 !== 0) throw fields.fault('time', 'a whole millisecond')
  return time / 1000
}
