/** Validates groups and brackets: their resting and conditional orders, or the refused one of them. */
import { Decimal, toDecimal, type DecimalInput } from '../../../domain/decimal.ts'
import { opposite, type Side } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { LimitIntent, PlaceIntent } from '../../../strategy/place-intent.ts'
import type { BracketIntent, OcoIntent, WaitingIntent } from '../../../strategy/waiting-intent.ts'
import { readExpiry } from './read-expiry.ts'
import type { ConditionalTerms } from '../../conditional-order-terms.ts'
import { orderOf, readExitStop, readPlace, readConditional, type MarketOf } from './conditional-terms.ts'

/** An invalid order, as it would have been requested. */
export interface Misfit {
  readonly order: PlaceIntent
  readonly refusal: Refusal
}

export interface GroupTerms {
  readonly symbol: string
  readonly side: Side
  readonly waiting: readonly ConditionalTerms[]
  readonly resting: readonly LimitIntent[]
  /** Quantity that may be closed, in the base asset: the largest of the quantities. */
  readonly open: Decimal
  /** Unix milliseconds at which the whole group expires. */
  readonly expires: number | undefined
}

export interface BracketTerms {
  readonly entry: PlaceIntent
  /** Unix milliseconds at which the rest of the entry expires; undefined for never. */
  readonly entryExpires: number | undefined
  /** Undefined for none. */
  readonly stop: ConditionalTerms | undefined
  /** A limit order for a quantity; undefined for none. */
  readonly target: ((qty: Decimal) => LimitIntent) | undefined
}

/** A single conditional order is a group of one. @throws {Error} for a group without orders, and for an invalid time */
export function readGroup(intent: OcoIntent | WaitingIntent, marketOf: MarketOf): GroupTerms | Misfit {
  const orders = intent.type === 'oco' ? intent.orders : [intent]
  const [first] = orders
  if (first === undefined) throw new Error('oco: expected two orders or more, got none')
  const fault = intent.type === 'oco' ? groupFault(first, intent.orders) : undefined
  if (fault !== undefined) return { order: orderOf(first), refusal: invalid(fault) }
  const waiting: ConditionalTerms[] = []
  const resting: LimitIntent[] = []
  for (const order of orders) {
    const read = order.type === 'limit' ? readPlace(order, marketOf) : readConditional(order, marketOf)
    if (!read.ok) return { order: orderOf(order), refusal: read.refusal }
    if (order.type === 'limit') resting.push(order)
    else waiting.push(read.value as ConditionalTerms)
  }
  const times = orders.flatMap((order) => readExpiry(order) ?? [])
  const expires = times.length === 0 ? undefined : Math.min(...times)
  return {
    symbol: first.symbol,
    side: first.side,
    waiting,
    resting,
    open: Decimal.max(...orders.map(({ qty }) => toDecimal(qty))),
    expires,
  }
}

/** @throws {Error} for an invalid time */
export function readBracket({ entry, exits }: BracketIntent, marketOf: MarketOf): BracketTerms | Misfit {
  const { symbol, tag } = entry
  const side = opposite(entry.side)
  const placed = readPlace(entry, marketOf)
  if (!placed.ok) return { order: entry, refusal: placed.refusal }
  const stop = readExitStop({ symbol, side, tag }, exits)
  if (!stop.ok) return { order: entry, refusal: stop.refusal }
  const target = exits.target === undefined ? undefined : limitAt({ symbol, side, tag }, exits.target)
  const aimed = target === undefined ? undefined : readPlace(target(toDecimal(entry.qty)), marketOf)
  if (aimed?.ok === false) return { order: entry, refusal: aimed.refusal }
  if (stop.value === undefined && target === undefined)
    return { order: entry, refusal: invalid('expected a stop, a trail or a target') }
  const entryExpires = entry.type === 'limit' ? readExpiry(entry) : undefined
  return { entry, entryExpires, stop: stop.value, target }
}

/** A limit order for a quantity. */
export const limitAt =
  (
    { symbol, side, tag }: { readonly symbol: string; readonly side: Side; readonly tag: string | undefined },
    price: DecimalInput,
  ) =>
  (qty: Decimal): LimitIntent => ({ type: 'limit', symbol, side, price, qty, ...(tag === undefined ? {} : { tag }) })

const invalid = (message: string): Refusal => ({ code: 'VALIDATION_ERROR', message })

function groupFault(first: WaitingIntent | LimitIntent, orders: OcoIntent['orders']): string | undefined {
  if (orders.length === 1) return 'expected two orders or more, got 1'
  if (orders.filter((order) => order.type === 'limit').length > 1)
    return 'expected at most one limit order, because each reserves its balance'
  const isApart = orders.some(({ symbol, side }) => symbol !== first.symbol || side !== first.side)
  return isApart ? 'expected orders in the same market and on the same side' : undefined
}
