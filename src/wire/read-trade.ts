/**
 * Reads public and private trades (section 2).
 */
import type { Market } from '../domain/market.ts'
import { SIDES } from '../domain/order.ts'
import { Fields, readRows, throwUnreadable, type OnUnreadable } from './read-fields.ts'
import { checkSymbol, readMarketOf, type MarketOf } from './read-market.ts'
import type { WireFill, WireTrade } from './wire-trade.ts'

/** @throws {ExchangeError} SCHEMA_FAULT */
export const readTrades = (
  answer: unknown,
  market: Market,
  onUnreadable: OnUnreadable = throwUnreadable,
): readonly WireTrade[] => readRows(answer, '', (item, path) => readTrade(item, market, path), onUnreadable)

/** @throws {ExchangeError} SCHEMA_FAULT, also for a trade of another market */
export function readTrade(item: unknown, market: Market, path = ''): WireTrade {
  const fields = new Fields(item, path)
  checkSymbol(fields, market)
  return tradeOf(fields, market)
}

/** @throws {ExchangeError} SCHEMA_FAULT, also for a fill whose market is not listed */
export function readFill(item: unknown, marketOf: MarketOf, path = ''): WireFill {
  const fields = new Fields(item, path)
  const trade = tradeOf(fields, readMarketOf(fields, marketOf))
  const side = fields.choice('side', SIDES)
  // The name of the maker flag is not known (decision 1), and it follows from the others.
  return { ...trade, side, orderId: fields.text('orderId'), isMaker: (side === 'BUY') === trade.isBuyerMaker }
}

function tradeOf(fields: Fields, { symbol, pricePrecision, qtyPrecision }: Market): WireTrade {
  return {
    id: fields.text('id'),
    symbol,
    price: positive(fields, 'price', pricePrecision),
    qty: positive(fields, 'qty', qtyPrecision),
    buyOrderId: fields.text('buyOrderId'),
    sellOrderId: fields.text('sellOrderId'),
    buyerId: fields.text('buyerId'),
    sellerId: fields.text('sellerId'),
    isBuyerMaker: fields.flag('isBuyerMaker'),
    createdAt: fields.unixMs('createdAt'),
  }
}

/** A match of nothing, or for nothing, is none. */
function positive(fields: Fields, name: string, decimals: number): number {
  const units = fields.units(name, decimals)
  if (units === 0) throw fields.fault(name, 'more than 0')
  return units
}
