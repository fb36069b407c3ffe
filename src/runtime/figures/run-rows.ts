/** The rows of a run as plain values, for a program: every amount an exact decimal string. */
import type { EquitySample } from '../../analysis/equity-curve.ts'
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { averagePrice, type OrderStatus, type OrderType, type Side } from '../../domain/order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'

/** An order in its last state. */
export interface OrderRow {
  /** Id at the exchange. */
  readonly id: string
  /** Market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** Limit or market. */
  readonly type: OrderType
  /** Last status. */
  readonly status: OrderStatus
  /** Decimal string in the quote asset; only for limit orders. */
  readonly price?: string
  /** Decimal string in the base asset. */
  readonly qty: string
  /** Sum of its fills: decimal string in the base asset. */
  readonly filledQty: string
  /** Average fill price: decimal string in the quote asset; only if it has a fill. */
  readonly averagePrice?: string
  /** Sum over its fills: decimal string in the quote asset. */
  readonly fee: string
  /** Virtual Unix milliseconds. */
  readonly createdAt: number
  /** Label that the strategy set on the order. */
  readonly tag?: string
}

/** A fill of one of your orders. */
export interface FillRow {
  /** Id of the trade at the exchange. */
  readonly tradeId: string
  /** Id of your order. */
  readonly orderId: string
  /** Market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** Decimal string in the quote asset. */
  readonly price: string
  /** Decimal string in the base asset. */
  readonly qty: string
  /** Decimal string in the quote asset. */
  readonly fee: string
  /** True if your order was resting. */
  readonly isMaker: boolean
  /** Virtual Unix milliseconds. */
  readonly createdAt: number
  /** Label that the strategy set on the order. */
  readonly tag?: string
}

/** A round trip: from a flat position in one market through a nonzero one back to flat. */
export interface TripRow {
  /** Market, BASE_QUOTE. */
  readonly symbol: string
  /** Side of the fill that opened it: BUY for a long round trip. */
  readonly side: Side
  /** Time of its first fill, virtual Unix milliseconds. */
  readonly openedAt: number
  /** Time of its last fill, virtual Unix milliseconds. */
  readonly closedAt: number
  /** Largest position: decimal string in the base asset. */
  readonly qty: string
  /** Average price of the fills that opened or increased the position: decimal string in the quote asset. */
  readonly entry: string
  /** Average price of the other fills: decimal string in the quote asset. */
  readonly exit: string
  /** Net of fees: decimal string in the quote asset. */
  readonly profit: string
  /** Profit as a fraction of the value of the entry. */
  readonly return: number
  /** Decimal string in the quote asset. */
  readonly fees: string
  /** Maximum adverse excursion: largest move against the average entry, as a fraction of it. */
  readonly mae: number
  /** Maximum favourable excursion: largest move in favour of the average entry, as a fraction of it. */
  readonly mfe: number
  /** Count of its fills. */
  readonly fills: number
  /** Labels of its orders, each once. */
  readonly tags: readonly string[]
}

/** Equity of the account at one time. */
export interface EquityPoint {
  /** Virtual Unix milliseconds. */
  readonly time: number
  /** Decimal string in the quote asset of the run. */
  readonly equity: string
}

export const orderRowOf = (order: OwnOrder, fee: Decimal): OrderRow => ({
  id: order.id,
  symbol: order.symbol,
  side: order.side,
  type: order.type,
  status: order.status,
  ...(order.price !== undefined && { price: order.price.toFixed() }),
  qty: order.qty.toFixed(),
  filledQty: order.filledQty.toFixed(),
  ...(order.averagePrice !== undefined && { averagePrice: order.averagePrice.toFixed() }),
  fee: fee.toFixed(),
  createdAt: order.createdAt,
  ...(order.tag !== undefined && { tag: order.tag }),
})

export const fillRowOf = (fill: OwnFill): FillRow => ({
  tradeId: fill.tradeId,
  orderId: fill.orderId,
  symbol: fill.symbol,
  side: fill.side,
  price: fill.price.toFixed(),
  qty: fill.qty.toFixed(),
  fee: fill.fee.toFixed(),
  isMaker: fill.isMaker,
  createdAt: fill.createdAt,
  ...(fill.tag !== undefined && { tag: fill.tag }),
})

export const tripRowOf = (trip: RoundTrip, { pricePrecision, qtyPrecision }: Market): TripRow => {
  const { symbol, side, openedAt, closedAt, mae, mfe, fills, tags } = trip
  return {
    symbol,
    side,
    openedAt,
    closedAt,
    qty: formatTrimmed(trip.qty, qtyPrecision),
    entry: averagePrice(trip.entryNotional, trip.entryQty, pricePrecision),
    exit: averagePrice(trip.exitNotional, trip.entryQty, pricePrecision),
    profit: formatTrimmed(trip.pnl, trip.quoteScale),
    return: trip.return,
    fees: formatTrimmed(trip.fees, trip.quoteScale),
    mae,
    mfe,
    fills,
    tags,
  }
}

/** @param scale  decimal digits of the samples */
export const equityPointsOf = (samples: readonly EquitySample[], scale: number): readonly EquityPoint[] =>
  samples.map(({ time, equity }) => ({ time, equity: formatTrimmed(equity, scale) }))
