/** A trade is one match, seen by the public; a fill is the same match seen by the owner of an order (section 2). */
import { formatUnits } from './fixed-point.ts'
import type { Market } from './market.ts'
import type { Side } from './order.ts'

export interface Trade {
  readonly id: number
  readonly symbol: string
  /** Ticks: the resting order's price (decision 11). */
  readonly price: number
  /** Lots. */
  readonly qty: number
  readonly buyOrderId: number
  readonly sellOrderId: number
  readonly buyerId: string
  readonly sellerId: string
  /** True when the resting order was the buy order. */
  readonly isBuyerMaker: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

export interface Fill {
  readonly trade: Trade
  readonly side: Side
  readonly orderId: number
  readonly isMaker: boolean
  /** Increase of the order's fee by this fill, in ledger units of the quote asset (decision 12). */
  readonly fee: bigint
}

/** Fields of a fill that account statistics need, independent of how a source names trades and orders. */
export interface AccountFill extends Pick<Fill, 'side' | 'isMaker' | 'fee'> {
  readonly trade: Pick<Trade, 'symbol' | 'price' | 'qty' | 'createdAt'>
  /** True when both orders of the match were the account's. */
  readonly isOwnMatch: boolean
  /** The strategy's own text on the order. */
  readonly tag?: string | undefined
}

/** A public trade in the form of the specification. */
export interface TradeJson {
  /** Id at the exchange. */
  readonly id: string
  /** Market, such as `BTC_USD`. */
  readonly symbol: string
  /** Decimal text. */
  readonly price: string
  /** Decimal text. */
  readonly qty: string
  /** The order that bought. */
  readonly buyOrderId: string
  /** The order that sold. */
  readonly sellOrderId: string
  /** User who bought. */
  readonly buyerId: string
  /** User who sold. */
  readonly sellerId: string
  /** True when the resting order was the buy order. */
  readonly isBuyerMaker: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A private trade (section 2; decision 1 names the maker flag). */
export interface FillJson extends TradeJson {
  /** The caller's side. */
  readonly side: Side
  /** The caller's order. */
  readonly orderId: string
  /** True when the caller's order was resting. */
  readonly isMaker: boolean
}

type Ids = 'id' | 'buyOrderId' | 'sellOrderId'

/** @param trade  of this exchange, or of a service whose ids are text */
export function tradeToJson(
  trade: Omit<Trade, Ids> & Readonly<Record<Ids, number | string>>,
  market: Market,
): TradeJson {
  return {
    id: String(trade.id),
    symbol: trade.symbol,
    price: formatUnits(trade.price, market.pricePrecision),
    qty: formatUnits(trade.qty, market.qtyPrecision),
    buyOrderId: String(trade.buyOrderId),
    sellOrderId: String(trade.sellOrderId),
    buyerId: trade.buyerId,
    sellerId: trade.sellerId,
    isBuyerMaker: trade.isBuyerMaker,
    createdAt: trade.createdAt,
  }
}

export function fillToJson(fill: Fill, market: Market): FillJson {
  return { ...tradeToJson(fill.trade, market), side: fill.side, orderId: String(fill.orderId), isMaker: fill.isMaker }
}
