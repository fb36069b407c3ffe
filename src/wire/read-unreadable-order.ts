/**
 * Reads what can be read of an order that is not of its form, so that it can be said which requests it is not the order
 * of.
 */
import { DecimalFault, unitsOf } from './read-decimal.ts'
import { attempt, Fields } from './read-fields.ts'
import type { MarketOf } from './read-market.ts'
import type { UnreadableOrder } from './wire-order.ts'

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
