/** Trades parsed from a service's response: exact integers for their decimals, their ids unchanged. */
import type { Market } from '../domain/market.ts'
import { type Side, SIDES } from '../domain/order.ts'
import { Fields, type OnUnreadable, readRows, throwUnreadable } from './read-fields.ts'
import { checkSymbol, type MarketOf, readMarketOf } from './read-market.ts'

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

export interface WireTrade {
  /** Opaque. */
  readonly id: string
  readonly symbol: string
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyerId: string
  readonly sellerId: string
  /** True when the resting order was the buy order. */
  readonly isBuyerMaker: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A private trade: one match of one order of the caller's. A self-trade is two, of one id. */
export interface WireFill extends WireTrade {
  /** The caller's. */
  readonly side: Side
  /** The caller's. */
  readonly orderId: string
  /** True when the caller's order was resting. */
  readonly isMaker: boolean
}
