/**
 * A strategy's own orders, fills and balances, as it sees them. Decimals are made on first use, so read a value, do not spread
 * an order.
 */
import type { Decimal } from '../domain/decimal.ts'
import type { OrderStatus, OrderType, Side } from '../domain/order.ts'

/** An order of ours at one moment. */
export interface OwnOrder {
  /** As the exchange named it. */
  readonly id: string
  /** The strategy's own text, from the intent that placed it. */
  readonly tag?: string | undefined
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** Limit or market. */
  readonly type: OrderType
  /** Whether it can still be filled, and whether it was. */
  readonly status: OrderStatus
  /** In the quote asset; limit orders only. */
  readonly price?: Decimal | undefined
  /** What was ordered, in the base asset. */
  readonly qty: Decimal
  /** What of it was filled so far, in the base asset. */
  readonly filledQty: Decimal
  /** Mean price of what was filled, in the quote asset, to 8 digits more than a price has; undefined before the first fill. */
  readonly averagePrice?: Decimal | undefined
  /** When the exchange took it, Unix milliseconds. */
  readonly createdAt: number
}

/** A match of an order of ours. */
export interface OwnFill {
  /** The `id` of the public trade; two orders of ours that met have one each, of one id. */
  readonly tradeId: string
  /** The `id` of our order. */
  readonly orderId: string
  /** What the strategy wrote on the order. */
  readonly tag?: string | undefined
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Whether we bought or sold. */
  readonly side: Side
  /** In the quote asset, for one of the base asset. */
  readonly price: Decimal
  /** In the base asset. */
  readonly qty: Decimal
  /** What it cost us beside the price, in the quote asset. */
  readonly fee: Decimal
  /** True when our order was resting. */
  readonly isMaker: boolean
  /** Unix milliseconds of the match. */
  readonly createdAt: number
  /**
   * True for one that stands for matches which the exchange no longer tells: its price is their mean to a tick, its time that of when they
   * were missed. Where their mean is no whole number of ticks, a second one is at the next tick, so that both cost what the matches did.
   */
  readonly isInferred?: boolean
  /** True for one of the time before this session, which no earlier session has reported. Only files and reports have it. */
  readonly isRecovered?: boolean
}

/** What we hold in a market, and what came of it. */
export interface OwnPosition {
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /**
   * In the base asset: what was held of it at the start, and what was bought and sold in this market since, open orders aside; below 0
   * when more was sold here than that.
   */
  readonly qty: Decimal
  /** Mean cost of what is held, fees aside, in the quote asset, to 8 digits more than a price has; undefined when nothing is. */
  readonly averagePrice: Decimal | undefined
  /** What closing it in part or whole has brought, all fees included, in the quote asset. What was held at the start cost the first price seen. */
  readonly realizedPnl: Decimal
  /** What closing the rest at the last price would bring, without its fee, in the quote asset; undefined before the first price. */
  readonly unrealizedPnl: Decimal | undefined
}

/** What we have of an asset. */
export interface OwnBalance {
  /** Free for a new order, in units of the asset. */
  readonly available: Decimal
  /** Reserved by open orders, in units of the asset. */
  readonly locked: Decimal
}

/** By asset; every asset of the markets, zeros included. */
export type OwnBalances = ReadonlyMap<string, OwnBalance>

/** Value of the balances at the last prices that the strategy has seen. */
export interface OwnPortfolio {
  /** Asset in which it is valued. */
  readonly quoteAsset: string
  /** All that we have, in the quote asset. */
  readonly equity: Decimal
  /** True when a holding has no price yet and is missing from the equity. */
  readonly partial: boolean
}
