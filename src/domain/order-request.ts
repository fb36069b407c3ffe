/**
 * Reads an order creation request as it comes over the wire or from a strategy: shape, then market, then precision
 * (section 4, rules 2 and 3; decisions 20, 28 and 29). Nothing is coerced.
 */
import { faultMessage, isDecimalString, parseUnits } from './fixed-point.ts'
import type { Market } from './market.ts'
import { ORDER_TYPES, SIDES, type OrderRequest, type OrderType, type Side } from './order.ts'
import type { Refusal, RefusalDetail } from './refusal.ts'

export type DecodedOrderRequest =
  { readonly ok: true; readonly request: OrderRequest } | { readonly ok: false; readonly refusal: Refusal }

type Fields = Readonly<Record<string, unknown>>

const FIELDS = new Set(['symbol', 'side', 'type', 'price', 'qty'])
/** Fields of a limit order, which are all of them, and of a market order. */
const LIMIT_FIELDS = 5
const MARKET_FIELDS = 4

/** A body of nothing but unknown fields must not be answered with one many times as long. */
const MAX_DETAILS = 20

const invalid = (details: readonly RefusalDetail[]): DecodedOrderRequest => ({
  ok: false,
  refusal: {
    code: 'VALIDATION_ERROR',
    message: details
      .map((detail) => (detail.field === undefined ? detail.message : `${detail.field}: ${detail.message}`))
      .join('; '),
    details,
  },
})

function decimalFault(fields: Fields, field: string): RefusalDetail[] {
  const value = fields[field]
  if (value === undefined) return [{ field, message: 'required' }]
  if (typeof value !== 'string') return [{ field, message: `expected a decimal string, got ${describe(value)}` }]
  if (!isDecimalString(value)) {
    return [
      { field, message: `expected a non-negative decimal string of at most 40 characters, got ${describe(value)}` },
    ]
  }
  return []
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object'
  return `a ${typeof value}`
}

function oneOf(fields: Fields, field: string, allowed: readonly string[]): RefusalDetail[] {
  const value = fields[field]
  if (value === undefined) return [{ field, message: 'required' }]
  if (typeof value === 'string' && allowed.includes(value)) return []
  return [{ field, message: `expected ${allowed.join(' or ')}, got ${describe(value)}` }]
}

function shapeFaults(fields: Fields): RefusalDetail[] {
  const { symbol, price, type } = fields
  const priceFaults = (): RefusalDetail[] => {
    if (type === 'LIMIT') return decimalFault(fields, 'price')
    return type === 'MARKET' && price !== undefined
      ? [{ field: 'price', message: 'must be omitted from a market order' }]
      : []
  }
  return [
    ...Object.keys(fields)
      .filter((field) => !FIELDS.has(field))
      .map((field) => ({ field, message: 'unknown field' })),
    ...(symbol === undefined ? [{ field: 'symbol', message: 'required' }] : []),
    ...(symbol !== undefined && typeof symbol !== 'string'
      ? [{ field: 'symbol', message: `expected a string, got ${describe(symbol)}` }]
      : []),
    ...oneOf(fields, 'side', SIDES),
    ...oneOf(fields, 'type', ORDER_TYPES),
    ...priceFaults(),
    ...decimalFault(fields, 'qty'),
  ]
}

/** Whether the shape is valid; `shapeFaults` describes its faults. */
function isWellShaped(fields: Fields): boolean {
  const { symbol, side, type, price, qty } = fields
  const isOfType = type === 'LIMIT' ? isDecimal(price) : type === 'MARKET' && price === undefined
  if (!isOfType || typeof symbol !== 'string' || (side !== 'BUY' && side !== 'SELL') || !isDecimal(qty)) return false
  let count = 0
  for (const field in fields) if (Object.hasOwn(fields, field)) count += 1
  return count === (type === 'LIMIT' ? LIMIT_FIELDS : MARKET_FIELDS)
}

const isDecimal = (value: unknown): boolean => typeof value === 'string' && isDecimalString(value)

/** Precision faults of a well-shaped request. */
function precisionFaults({ price, qty }: Fields, market: Market): RefusalDetail[] {
  const faultsOf = (field: string, text: unknown, decimals: number): RefusalDetail[] => {
    const parsed = typeof text === 'string' ? parseUnits(text, decimals) : undefined
    if (parsed === undefined || parsed.ok) return []
    return [{ field, message: faultMessage(parsed.fault, String(text), decimals) }]
  }
  return [...faultsOf('price', price, market.pricePrecision), ...faultsOf('qty', qty, market.qtyPrecision)]
}

/** @param marketOf  the market of a symbol, undefined when there is none */
export function decodeOrderRequest(
  input: unknown,
  marketOf: (symbol: string) => Market | undefined,
): DecodedOrderRequest {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return invalid([{ message: `expected an object, got ${describe(input)}` }])
  }
  const fields = input as Fields
  if (!isWellShaped(fields)) {
    const faults = shapeFaults(fields)
    if (faults.length > 0) return invalid(faults.slice(0, MAX_DETAILS))
  }
  const { symbol, side, type, price, qty } = fields as {
    symbol: string
    side: Side
    type: OrderType
    price?: string
    qty: string
  }
  const market = marketOf(symbol)
  if (market === undefined) {
    return { ok: false, refusal: { code: 'MARKET_NOT_FOUND', message: `no market ${describe(symbol)}` } }
  }
  const parsedQty = parseUnits(qty, market.qtyPrecision)
  const parsedPrice = price === undefined ? undefined : parseUnits(price, market.pricePrecision)
  if (!parsedQty.ok || (parsedPrice !== undefined && !parsedPrice.ok)) {
    return invalid(precisionFaults(fields, market))
  }
  return type === 'LIMIT' && parsedPrice !== undefined
    ? { ok: true, request: { symbol, side, type, price: parsedPrice.value, qty: parsedQty.value } }
    : { ok: true, request: { symbol, side, type: 'MARKET', qty: parsedQty.value } }
}
