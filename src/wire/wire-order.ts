/** Order parsed from a service's response: exact integers for its decimals, its ids unchanged. */
import { ORDER_STATUSES, ORDER_TYPES, type OrderStatus, type OrderType, type Side, SIDES } from '../domain/order.ts'
import { DecimalFault, unitsOf } from './read-decimal.ts'
import { attempt, Fields } from './read-fields.ts'
import { type MarketOf, readMarketOf } from './read-market.ts'

/** Undefined for each field that is not there, or is not of its form. */
export function readUnreadableOrder(item: unknown, marketOf: MarketOf): UnreadableOrder {
  const fields = attempt(() => new Fields(item, ''))
  if (!(fields instanceof Fields)) return NOTHING
  const symbol = textOf(fields.value('symbol'))
  const market = symbol === undefined ? undefined : marketOf(symbol)
  const createdAt = attempt(() => fields.isoTime('createdAt'))
  return {
    id: textOf(fields.value('id')),
    symbol,
    side: textOf(fields.value('side')),
    type: textOf(fields.value('type')),
    price: market === undefined ? undefined : unitsOfAny(fields.value('price'), market.pricePrecision),
    qty: market === undefined ? undefined : unitsOfAny(fields.value('qty'), market.qtyPrecision),
    createdAt: typeof createdAt === 'number' ? createdAt : undefined,
  }
}

const NOTHING: UnreadableOrder = {
  id: undefined,
  symbol: undefined,
  side: undefined,
  type: undefined,
  price: undefined,
  qty: undefined,
  createdAt: undefined,
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A JSON number as well: its shortest decimal text is what the service wrote. */
function unitsOfAny(value: unknown, decimals: number): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const units = unitsOf(String(value), decimals)
  return units instanceof DecimalFault ? undefined : units
}

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

export interface WireOrder {
  /** Opaque. */
  readonly id: string
  readonly userId: string
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly status: OrderStatus
  /** Ticks; limit orders only. */
  readonly price: number | undefined
  /** Lots. */
  readonly qty: number
  readonly filledQty: number
  /** Decimal string without trailing zeros, present after a fill. */
  readonly averagePrice: string | undefined
  /** Unix milliseconds; some services send whole seconds only. */
  readonly createdAt: number
}

/** Readable fields of an invalid order; undefined for each field that is not readable. */
export interface UnreadableOrder {
  readonly id: string | undefined
  readonly symbol: string | undefined
  readonly side: string | undefined
  readonly type: string | undefined
  /** Ticks. */
  readonly price: number | undefined
  /** Lots. */
  readonly qty: number | undefined
  /** Unix milliseconds. */
  readonly createdAt: number | undefined
}
