/**
 * Orders, fills, positions and balances of the strategy API. Decimals are created on first use: read single values, do
 * not spread an order.
 */
import type { Decimal } from '../domain/decimal.ts'
import type { OrderStatus, OrderType, Side } from '../domain/order.ts'

/** State of one of your orders. */
export interface OwnOrder {
  /** Order id of the exchange. */
  readonly id: string
  /** Label that you set on the intent. */
  readonly tag?: string | undefined
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** `'LIMIT'` or `'MARKET'`. */
  readonly type: OrderType
  /** `'OPEN'` or `'PARTIALLY_FILLED'` (can still fill), `'FILLED'` or `'CANCELLED'` (final). */
  readonly status: OrderStatus
  /** Limit price, in the quote asset; `undefined` for a market order. */
  readonly price?: Decimal | undefined
  /** Ordered quantity, in the base asset. */
  readonly qty: Decimal
  /** Filled quantity so far, in the base asset. */
  readonly filledQty: Decimal
  /**
   * Average fill price, in the quote asset, with up to 8 digits more than a price; `undefined` before the first fill.
   */
  readonly averagePrice?: Decimal | undefined
  /** Time at which the exchange accepted it, in Unix milliseconds. */
  readonly createdAt: number
}

/** Fill of one of your orders. */
export interface OwnFill {
  /** Id of the public trade. If two of your orders match each other, both fills have the same id. */
  readonly tradeId: string
  /** Id of your order. */
  readonly orderId: string
  /** Label that you set on the intent. */
  readonly tag?: string | undefined
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** Fill price, in the quote asset. */
  readonly price: Decimal
  /** Filled quantity, in the base asset. */
  readonly qty: Decimal
  /** Fee, in the quote asset. */
  readonly fee: Decimal
  /** True if your order was resting. */
  readonly isMaker: boolean
  /** Time of the match, in Unix milliseconds. */
  readonly createdAt: number
  /**
   * True for a fill that papertape computed because the exchange no longer lists the matches. Its price is the average
   * of the missing matches, rounded to a tick, and its time is when papertape noticed them. If rounding changes the
   * cost, a second fill at the next tick corrects it.
   */
  readonly isInferred?: boolean
  /** True for a fill from before this session that no earlier session reported. It is only in files and reports. */
  readonly isRecovered?: boolean
}

/** Position in a market, with its cost and profit. */
export interface OwnPosition {
  /** Symbol of the market. */
  readonly symbol: string
  /**
   * Quantity held, in the base asset: the holding at the start plus your fills in this market. It is
   * below 0 if you sold more in this market than you held.
   */
  readonly qty: Decimal
  /**
   * Average cost without fees, in the quote asset, with up to 8 digits more than a price; `undefined` if nothing is
   * held.
   */
  readonly averagePrice: Decimal | undefined
  /** Realized profit after all fees, in the quote asset. Holdings from the start are valued at the first price seen. */
  readonly realizedPnl: Decimal
  /** Profit of closing at the last price, before fees, in the quote asset; `undefined` before the first price. */
  readonly unrealizedPnl: Decimal | undefined
}

/** Balance of an asset. */
export interface OwnBalance {
  /** Free for new orders, in units of the asset. */
  readonly available: Decimal
  /** Locked by open orders, in units of the asset. */
  readonly locked: Decimal
}

/** Balances by asset, for every asset of the markets, including zeros. */
export type OwnBalances = ReadonlyMap<string, OwnBalance>

/** Value of all balances at the last prices. */
export interface OwnPortfolio {
  /** Asset of the valuation. */
  readonly quoteAsset: string
  /** Total value, in the quote asset. */
  readonly equity: Decimal
  /** True if a holding has no price yet and is missing from the equity. */
  readonly partial: boolean
}
