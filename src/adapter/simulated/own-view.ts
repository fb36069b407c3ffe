/**
 * The exchange's exact records, as the owner of an account sees them.
 */
import type { Balances } from '../../domain/balances.ts'
import { decimalOf, toDecimal } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import { averagePrice, type Order } from '../../domain/order.ts'
import type { Fill } from '../../domain/trade.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'

export function ownOrderOf(order: Order, market: Market): OwnOrder {
  const { pricePrecision, qtyPrecision } = market
  return {
    id: String(order.id),
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    ...(order.price === undefined ? {} : { price: decimalOf(order.price, pricePrecision) }),
    qty: decimalOf(order.qty, qtyPrecision),
    filledQty: decimalOf(order.filledQty, qtyPrecision),
    ...(order.filledQty === 0
      ? {}
      : { averagePrice: toDecimal(averagePrice(order.filledNotional, order.filledQty, pricePrecision)) }),
    createdAt: order.createdAt,
  }
}

/** @param quoteScale  ledger digits of the market's quote asset */
export function ownFillOf({ trade, side, orderId, isMaker, fee }: Fill, market: Market, quoteScale: number): OwnFill {
  return {
    tradeId: String(trade.id),
    orderId: String(orderId),
    symbol: trade.symbol,
    side,
    price: decimalOf(trade.price, market.pricePrecision),
    qty: decimalOf(trade.qty, market.qtyPrecision),
    fee: decimalOf(fee, quoteScale),
    isMaker,
    createdAt: trade.createdAt,
  }
}

/** @param scales  ledger digits by asset */
export function ownBalancesOf(balances: Balances, scales: ReadonlyMap<string, number>): OwnBalances {
  return new Map(
    [...balances].map(([asset, { available, locked }]) => {
      const scale = scales.get(asset) ?? 0
      return [asset, { available: decimalOf(available, scale), locked: decimalOf(locked, scale) }]
    }),
  )
}
