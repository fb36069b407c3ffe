/**
 * Market orders that were only partly filled: the exchange cancelled the rest for lack of liquidity.
 *
 * Invariant: quantities are exact.
 */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'

/** Partly filled market orders of one market. */
export interface ShortOrders {
  /** 1 or more. */
  readonly orders: number
  /** Requested and filled quantity, decimal strings. */
  readonly qtyAsked: string
  readonly qtyFound: string
}

/** Counts by symbol, without markets that had none. */
export type ShortOrdersReport = Readonly<Record<string, ShortOrders>>

interface Sums {
  readonly orders: number
  readonly asked: Decimal
  readonly found: Decimal
}

const NONE: Sums = { orders: 0, asked: toDecimal(0), found: toDecimal(0) }

/** A fold over orders in their final state. */
export class ShortOrderCount {
  readonly #sumsBySymbol = new Map<string, Sums>()

  /** Call once for each order that ended. A market order is cancelled for no other reason. */
  add({ type, status, symbol, qty, filledQty }: OwnOrder): void {
    if (type !== 'MARKET' || status !== 'CANCELLED') return
    const { orders, asked, found } = this.#sumsBySymbol.get(symbol) ?? NONE
    this.#sumsBySymbol.set(symbol, { orders: orders + 1, asked: asked.plus(qty), found: found.plus(filledQty) })
  }

  report(): ShortOrdersReport {
    const rows = [...this.#sumsBySymbol].map(([symbol, { orders, asked, found }]) => {
      return [symbol, { orders, qtyAsked: asked.toFixed(), qtyFound: found.toFixed() }] as const
    })
    return Object.fromEntries(rows)
  }
}
