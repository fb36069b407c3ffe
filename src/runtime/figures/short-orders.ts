/**
 * Market orders that found less than they asked for: the exchange took them, and dropped what found no offer.
 *
 * Invariant: quantities are exact.
 */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'

/** Those of one market. */
export interface ShortOrders {
  /** 1 or more. */
  readonly orders: number
  /** Decimal strings: what they asked for, and what of it was filled. */
  readonly qtyAsked: string
  readonly qtyFound: string
}

/** By symbol, of the markets that had any. */
export type ShortOrdersReport = Readonly<Record<string, ShortOrders>>

interface Sums {
  readonly orders: number
  readonly asked: Decimal
  readonly found: Decimal
}

const NONE: Sums = { orders: 0, asked: toDecimal(0), found: toDecimal(0) }

/** A fold over orders in their last state. */
export class ShortOrderCount {
  readonly #sumsBySymbol = new Map<string, Sums>()

  /** Call once for each order that ended. A market order has no other way to be cancelled. */
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
