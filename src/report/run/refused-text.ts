/**
 * A refused request in words: what was asked, and what to do about the refusal.
 */
import type { RefusalDetail } from '../../domain/refusal.ts'
import type { RefusedRequest } from '../../runtime/session/refused-request.ts'
import { writeRequest } from '../../runtime/session/intent-request.ts'
import type { CancelIntent, PlaceIntent } from '../../strategy/intent.ts'

/** By which `papertape why` finds a request that has no order. */
export const requestKey = (reference: number): string => `ref:${reference}`

/** By which `papertape why` tells of it: of a cancel, the order that was to be cancelled. */
export const refusedKey = ({ intent, reference }: RefusedRequest): string =>
  intent.type === 'cancel' ? intent.orderId : requestKey(reference)

/** `BUY 0.5 BTC_USD at 100.25`, `SELL 3 BTC_USD at market`, `cancel of order 17`. */
export function requestText(intent: PlaceIntent | CancelIntent): string {
  if (intent.type === 'cancel') return `cancel of order ${intent.orderId}`
  const { side, qty, symbol, price = 'market' } = writeRequest(intent)
  return `${side} ${shortNumber(qty)} ${symbol} at ${shortNumber(price)}`
}

const MOST_DIGITS = 16

const shortNumber = (text: string): string => (text.length > MOST_DIGITS ? `${text.slice(0, MOST_DIGITS - 1)}…` : text)

/** What to do about it, as the end of a sentence; null where the refusal says it all. */
export function refusedHint({ intent, refusal, by, available }: RefusedRequest): string | null {
  const { code, details = [], message } = refusal
  if (code === 'VALIDATION_ERROR') return gridHint(details, message)
  if (code === 'INSUFFICIENT_BALANCE' && intent.type !== 'cancel') return balanceHint(intent, available?.toFixed())
  if (code === 'RATE_LIMITED' && by === 'rate-budget') return 'with onLimit set to wait, orders wait instead'
  return null
}

/** Of what is not in whole ticks or lots. */
function gridHint(details: readonly RefusalDetail[], message: string): string | null {
  // One that never ends, such as a third, is too long before it is too precise.
  if (!/decimals|characters/.test(message)) return null
  const fields = details.map(({ field }) => field)
  const ways = [...(fields.includes('price') ? ['roundPrice'] : []), ...(fields.includes('qty') ? ['floorQty'] : [])]
  return ways.length === 0 ? null : `use ${ways.join(' and ')} of market(symbol)`
}

function balanceHint({ side }: PlaceIntent, available: string | undefined): string {
  const had = available === undefined ? '' : `it had ${available}; `
  return side === 'BUY' ? `${had}affordableQty of market(symbol) tells what that buys` : `${had}balance(asset) tells`
}
