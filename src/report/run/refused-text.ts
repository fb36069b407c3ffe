/** Text of a refused request: what was requested, and what to do about the refusal. */
import type { RefusalDetail } from '../../domain/refusal.ts'
import type { RefusedRequest } from '../../runtime/session/refused-request.ts'
import { writeRequest } from '../../runtime/session/intent-request.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

/** The key by which `papertape why` finds a request without an order. */
export const requestKey = (reference: number): string => `ref:${reference}`

/** The key for `papertape why`; for a cancel, the order to be cancelled. */
export const refusedKey = ({ intent, reference }: RefusedRequest): string =>
  intent.type === 'cancel' ? intent.orderId : requestKey(reference)

/** `BUY 0.5 BTC_USD at 100.25`, `SELL 3 BTC_USD at market`, `cancel of order 17`. */
export function requestText(intent: PlaceIntent | CancelIntent): string {
  if (intent.type === 'cancel') return `cancel of order ${intent.orderId}`
  const { side, qty, symbol, price = 'market' } = writeRequest(intent)
  return `${side} ${shortNumber(qty)} ${symbol} at ${shortNumber(price)}`
}

const MAX_DIGITS = 16

const shortNumber = (text: string): string => (text.length > MAX_DIGITS ? `${text.slice(0, MAX_DIGITS - 1)}…` : text)

/** Advice on how to avoid the refusal, as the end of a sentence; null if the message says enough. */
export function refusedHint({ intent, refusal, by, available }: RefusedRequest): string | null {
  const { code, details = [], message } = refusal
  if (code === 'VALIDATION_ERROR') return gridHint(details, message)
  if (code === 'INSUFFICIENT_BALANCE' && intent.type !== 'cancel')
    // The message of a book has its amount.
    return balanceHint(intent, by === 'book' ? undefined : available?.toFixed())
  if (code === 'RATE_LIMITED' && by === 'rate-budget') return 'use `--on-limit wait` to queue orders instead'
  return null
}

/** Advice for values that are not multiples of the tick or lot. */
function gridHint(details: readonly RefusalDetail[], message: string): string | null {
  // A non-terminating fraction, such as a third, is rejected as too long before it is checked for decimals.
  if (!/decimals|characters/.test(message)) return null
  const fields = details.map(({ field }) => field)
  const ways = [...(fields.includes('price') ? ['roundPrice'] : []), ...(fields.includes('qty') ? ['floorQty'] : [])]
  return ways.length === 0 ? null : `round with ${ways.map((way) => `market(symbol).${way}()`).join(' and ')}`
}

function balanceHint({ side }: PlaceIntent, available: string | undefined): string {
  const word = side === 'BUY' ? 'market(symbol).affordableQty() returns what it can buy' : 'see balance(asset)'
  return available === undefined ? word : `the account had ${available}; ${word}`
}
