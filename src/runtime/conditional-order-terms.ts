/** Terms of a conditional order, as sessions follow and journals record them. */
import type { Decimal } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'
import type { WaitingIntent } from '../strategy/waiting-intent.ts'

/** Distance from the best price: an amount in the quote asset, or a percentage. */
export type Trail = { readonly distance: Decimal } | { readonly percent: Decimal }

/** Trigger of a conditional order, and the order that it then places. */
export interface ConditionalTerms {
  readonly type: WaitingIntent['type']
  readonly symbol: string
  readonly side: Side
  /** Quantity in the base asset; undefined for everything that its group has open. */
  readonly qty: Decimal | undefined
  /** Undefined for a trailing stop. */
  readonly price: Decimal | undefined
  /** Distance of a trailing stop. */
  readonly trail: Trail | undefined
  /** Price of the limit order that it places; undefined for a market order. */
  readonly limit: Decimal | undefined
  readonly tag: string | undefined
}
