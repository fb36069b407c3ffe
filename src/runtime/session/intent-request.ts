/**
 * Converts a strategy's intent to the request that the exchange understands, or to the refusal that it would return.
 *
 * Numbers and Decimals are converted to exact decimal strings; values that do not fit the market are refused.
 */
import { toDecimal, type DecimalInput } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import { decodeOrderRequest, type DecodedOrderRequest } from '../../domain/order-request.ts'
import { isDecimalString } from '../../domain/fixed-point.ts'
import type { WrittenRequest } from '../journal/session-journal.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'

export function writeRequest(intent: PlaceIntent): WrittenRequest {
  const { symbol, side } = intent
  const qty = decimalText(intent.qty)
  return intent.type === 'limit'
    ? { symbol, side, type: 'LIMIT', price: decimalText(intent.price), qty }
    : { symbol, side, type: 'MARKET', qty }
}

export function readRequest(
  written: WrittenRequest,
  marketOf: (symbol: string) => Market | undefined,
): DecodedOrderRequest {
  const decoded = decodeOrderRequest(written, marketOf)
  return decoded.ok ? decoded : (belowLot(written, marketOf(written.symbol)) ?? decoded)
}

function belowLot({ qty }: WrittenRequest, market: Market | undefined): DecodedOrderRequest | undefined {
  if (market === undefined || !isDecimalString(qty)) return undefined
  const [value, lot] = [toDecimal(qty), toDecimal(`1e-${market.qtyPrecision}`)]
  if (value.isZero() || value.gte(lot)) return undefined
  const message = `${qty} is below one lot of ${market.symbol}, ${lot.toFixed()} ${market.baseAsset}`
  return {
    ok: false,
    refusal: { code: 'VALIDATION_ERROR', message: `qty: ${message}`, details: [{ field: 'qty', message }] },
  }
}

/** Text is unchanged; any other value that is not a number becomes text that the exchange refuses. */
function decimalText(value: DecimalInput): string {
  if (typeof value === 'string') return value
  try {
    return toDecimal(value).toFixed()
  } catch {
    return String(value)
  }
}
