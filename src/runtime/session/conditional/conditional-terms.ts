/**
 * Validates conditional intents: the trigger and the order of each, or the refusal of an order that would be invalid in
 * its market.
 */
import { toDecimal, type Decimal, type DecimalInput } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { BracketExits, TrailingStopIntent, WaitingIntent } from '../../../strategy/waiting-intent.ts'
import { readRequest, writeRequest } from '../intent-request.ts'
import type { Trail, ConditionalTerms } from '../../conditional-order-terms.ts'

/** A value, or the refusal. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

export type MarketOf = (symbol: string) => Market | undefined

const refused = (message: string): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal: { code: 'VALIDATION_ERROR', message },
})

/** Whether an order is valid in its market: a conditional order must not be refused for that once it is triggered. */
export function readPlace(intent: PlaceIntent, marketOf: MarketOf): Read<PlaceIntent> {
  const decoded = readRequest(writeRequest(intent), marketOf)
  return decoded.ok ? { ok: true, value: intent } : decoded
}

export function readConditional(intent: WaitingIntent, marketOf: MarketOf): Read<ConditionalTerms> {
  const { type, symbol, side, qty, tag } = intent
  const limit = limitOf(intent)
  const placed = readPlace(orderOf(intent), marketOf)
  if (!placed.ok) return placed
  if (!toDecimal(qty).gt(0)) return refused(`qty: expected more than 0, got ${String(qty)}`)
  const trail = type === 'trailing-stop' ? readTrail(intent) : undefined
  if (trail !== undefined && !trail.ok) return trail
  const price =
    type === 'stop'
      ? readPrice('stop', intent.stop)
      : type === 'take-profit'
        ? readPrice('price', intent.price)
        : undefined
  if (price !== undefined && !price.ok) return price
  return {
    ok: true,
    value: {
      type,
      symbol,
      side,
      tag,
      qty: toDecimal(qty),
      price: price?.value,
      trail: trail?.value,
      limit: limit === undefined ? undefined : toDecimal(limit),
    },
  }
}

/** The stop of a bracket, for everything that it has open. */
export function readExitStop(
  { symbol, side, tag }: Pick<ConditionalTerms, 'symbol' | 'side' | 'tag'>,
  { stop, trail }: BracketExits,
): Read<ConditionalTerms | undefined> {
  if (stop !== undefined && trail !== undefined) return refused('expected a stop or a trail, got both')
  const terms = { symbol, side, tag, qty: undefined, limit: undefined }
  if (stop !== undefined) {
    const price = readPrice('stop', stop)
    return price.ok ? { ok: true, value: { ...terms, type: 'stop', price: price.value, trail: undefined } } : price
  }
  if (trail === undefined) return { ok: true, value: undefined }
  const read = readTrail(trail)
  return read.ok ? { ok: true, value: { ...terms, type: 'trailing-stop', price: undefined, trail: read.value } } : read
}

/** The order that it would place. */
export function orderOf(intent: WaitingIntent | PlaceIntent): PlaceIntent {
  if (intent.type === 'limit' || intent.type === 'market') return intent
  const { symbol, side, qty, tag } = intent
  const tagged = tag === undefined ? {} : { tag }
  const limit = limitOf(intent)
  return limit === undefined
    ? { type: 'market', symbol, side, qty, ...tagged }
    : { type: 'limit', symbol, side, price: limit, qty, ...tagged }
}

function limitOf(intent: WaitingIntent): DecimalInput | undefined {
  if (intent.type === 'take-profit') return intent.price
  return intent.type === 'stop' ? intent.limit : undefined
}

function readPrice(field: string, given: DecimalInput): Read<Decimal> {
  const price = numberOf(given)
  if (price?.gt(0) === true) return { ok: true, value: price }
  return refused(`${field}: expected a price above 0, got ${String(given)}`)
}

function readTrail({ distance, percent }: Pick<TrailingStopIntent, 'distance' | 'percent'>): Read<Trail> {
  if ((distance === undefined) === (percent === undefined)) return refused('expected a distance or a percent')
  const given = distance ?? percent
  const value = given === undefined ? undefined : numberOf(given)
  if (value?.gt(0) !== true)
    return refused(`expected a trailing stop above 0 behind the best price, got ${String(given)}`)
  if (distance !== undefined) return { ok: true, value: { distance: value } }
  if (value.lt(100)) return { ok: true, value: { percent: value } }
  return refused(`percent: expected less than 100, got ${value.toFixed()}`)
}

function numberOf(given: DecimalInput): Decimal | undefined {
  try {
    const value = toDecimal(given)
    return value.isFinite() ? value : undefined
  } catch {
    return undefined
  }
}
