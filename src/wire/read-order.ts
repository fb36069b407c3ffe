/**
 * Reads orders (section 2, Order).
 */
import { ORDER_STATUSES, ORDER_TYPES, SIDES } from '../domain/order.ts'
import { Fields } from './read-fields.ts'
import { readMarketOf, type MarketOf } from './read-market.ts'
import type { WireOrder } from './wire-order.ts'

/**
 * Reads an order, either bare or under `data` (decision 6).
 *
 * @throws {ExchangeError} SCHEMA_FAULT
 */
export function readOneOrder(answer: unknown, marketOf: MarketOf): WireOrder {
  const fields = new Fields(answer, '')
  return fields.has('data') && !fields.has('id')
    ? readOrder(fields.value('data'), marketOf, 'data')
    : readOrder(answer, marketOf)
}

/** @throws {ExchangeError} SCHEMA_FAULT, also for an order whose market is not listed */
export function readOrder(item: unknown, marketOf: MarketOf, path = ''): WireOrder {
  const fields = new Fields(item, path)
  const { symbol, pricePrecision, qtyPrecision } = readMarketOf(fields, marketOf)
  const type = fields.choice('type', ORDER_TYPES)
  const qty = fields.units('qty', qtyPrecision)
  const filledQty = fields.units('filledQty', qtyPrecision)
  if (filledQty > qty) throw fields.fault('filledQty', 'at most the qty')
  const averagePrice = fields.has('averagePrice') ? fields.decimal('averagePrice') : undefined
  return {
    id: fields.text('id'),
    userId: fields.text('userId'),
    symbol,
    side: fields.choice('side', SIDES),
    type,
    status: fields.choice('status', ORDER_STATUSES),
    price: type === 'LIMIT' ? fields.units('price', pricePrecision) : undefined,
    qty,
    filledQty,
    averagePrice: filledQty === 0 ? undefined : averagePrice,
    createdAt: fields.isoTime('createdAt'),
  }
}
