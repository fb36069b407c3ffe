/** Fingerprint of an order: all fields of its creation request, to recognise an order that has no id of ours. */
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

/** Uses ticks and lots, so that two spellings of one decimal are equal. */
export const fingerprintOf = ({ symbol, side, type, price, qty }: Printed): string =>
  `${symbol} ${side} ${type} ${price ?? '-'} ${qty}`

/** False if a readable field shows that the row is not the order of the request. */
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

/** The request of a persisted intent. */
export const requestOf = ({ symbol, side, type, price, qty }: Printed): OrderRequest =>
  type === 'LIMIT' && price !== undefined ? { symbol, side, type, price, qty } : { symbol, side, type: 'MARKET', qty }
