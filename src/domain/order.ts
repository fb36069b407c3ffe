/** Orders: the request, the exchange's record, and the form of the specification (section 2, Order). */
import { divideHalfEven, formatTrimmed, formatUnits, powerOfTen } from './fixed-point.ts'
import type { Market } from './market.ts'
import { isoTime } from './time.ts'

export const SIDES = ['BUY', 'SELL'] as const
export const ORDER_TYPES = ['LIMIT', 'MARKET'] as const
export const ORDER_STATUSES = ['OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED'] as const

/** Whether the base asset is bought or sold. */
export type Side = (typeof SIDES)[number]
/**
 * A limit order rests until it is filled or cancelled; the part of a market order that cannot be filled immediately is
 * cancelled.
 */
export type OrderType = (typeof ORDER_TYPES)[number]
/** The first two can still be filled; the last two are final. */
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Section 2, Order creation request, in ticks and lots. */
export type OrderRequest =
  | {
      readonly symbol: string
      readonly side: Side
      readonly type: 'LIMIT'
      readonly price: number
      readonly qty: number
    }
  | { readonly symbol: string; readonly side: Side; readonly type: 'MARKET'; readonly qty: number }

/** An order at one moment; the exchange never changes one that it has handed out. */
export interface Order {
  readonly id: number
  readonly userId: string
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly status: OrderStatus
  /** Ticks; limit orders only. */
  readonly price?: number
  /** Lots. */
  readonly qty: number
  readonly filledQty: number
  /** Sum of price x qty of its fills, in ticks x lots. */
  readonly filledNotional: bigint
  /** Fee charged so far, in ledger units of the quote asset. */
  readonly fee: bigint
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** An order in the form of the specification. */
export interface OrderJson {
  /** Id at the exchange. */
  readonly id: string
  /** User of the account. */
  readonly userId: string
  /** Market, such as `BTC_USD`. */
  readonly symbol: string
  /** Whether the base asset is bought or sold. */
  readonly side: Side
  /** Limit or market order. */
  readonly type: OrderType
  /** State of its execution. */
  readonly status: OrderStatus
  /** Decimal text; limit orders only. */
  readonly price?: string
  /** Decimal text. */
  readonly qty: string
  /** Executed part of `qty`. */
  readonly filledQty: string
  /** Decimal text; present after a fill. */
  readonly averagePrice?: string
  /** ISO 8601. */
  readonly createdAt: string
}

export const isOpen = (status: OrderStatus): boolean => status === 'OPEN' || status === 'PARTIALLY_FILLED'

const ORDER_ID = /^[1-9][0-9]{0,14}$/

/** The id of an order from its text; 0, which is the id of none, for any other text. */
export const orderIdOf = (text: string): number => (ORDER_ID.test(text) ? Number(text) : 0)

export const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')

/** Digits that an average price may have beyond the market's own (decision 14). */
const AVERAGE_PRICE_EXTRA_DIGITS = 8

/**
 * Mean price of `qty` lots that cost `notional` ticks x lots: at most pricePrecision + 8 decimals, half to even, no
 * trailing zeros.
 */
export function averagePrice(notional: bigint, qty: number | bigint, pricePrecision: number): string {
  const scaled = notional * powerOfTen(AVERAGE_PRICE_EXTRA_DIGITS)
  return formatTrimmed(divideHalfEven(scaled, BigInt(qty)), pricePrecision + AVERAGE_PRICE_EXTRA_DIGITS)
}

export function orderToJson(order: Order, market: Market): OrderJson {
  return {
    id: String(order.id),
    userId: order.userId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    ...(order.price === undefined ? {} : { price: formatUnits(order.price, market.pricePrecision) }),
    qty: formatUnits(order.qty, market.qtyPrecision),
    filledQty: formatUnits(order.filledQty, market.qtyPrecision),
    ...(order.filledQty === 0
      ? {}
      : { averagePrice: averagePrice(order.filledNotional, order.filledQty, market.pricePrecision) }),
    createdAt: isoTime(order.createdAt),
  }
}
