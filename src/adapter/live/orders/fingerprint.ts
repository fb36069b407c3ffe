/**
 * Fingerprint of an order: everything that a creation request says, by which an order without a name of ours is
 * recognised.
 */
import type { OrderRequest, OrderType, Side } from '../../../domain/order.ts'
import type { UnreadableOrder } from '../../../wire/wire-order.ts'

interface Printed {
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** Ticks; limit orders only. */
  readonly price?: number | undefined
  /** Lots. */
  readonly qty: number
}

/** In ticks and lots, so that two spellings of one decimal are one. */
export const fingerprintOf = ({ symbol, side, type, price, qty }: Printed): string =>
  `${symbol} ${side} ${type} ${price ?? '-'} ${qty}`

/** False when something that can be read of an order shows that the order is not that of the request. */
export function couldBeOrderOf(request: Printed, row: UnreadableOrder): boolean {
  const { symbol, side, type, price, qty } = request
  const isOther = (found: string | number | undefined, asked: string | number | undefined): boolean =>
    found !== undefined && asked !== undefined && found !== asked
  return !(
    isOther(row.symbol, symbol) ||
    isOther(row.side, side) ||
    isOther(row.type, type) ||
    isOther(row.price, price) ||
    isOther(row.qty, qty)
  )
}

/** The request of an intent that is written down. */
export const requestOf = ({ symbol, side, type, price, qty }: Printed): OrderRequest =>
  type === 'LIMIT' && price !== undefined ? { symbol, side, type, price, qty } : { symbol, side, type: 'MARKET', qty }
