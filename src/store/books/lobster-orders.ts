/**
 * Since when the orders of a LOBSTER recording rest, and what goes of them, by its messages.
 *
 * Whoever was there when a level came into sight is known by no message of its own: it has been there since then, or
 * longer.
 */
import type { ToldFall } from './book-event.ts'
import type { OrderSide } from './order-levels.ts'

interface Known {
  readonly since: number
  left: number
}

/** A message that does something to an order. */
export interface OrderMessage {
  readonly id: string
  readonly side: OrderSide
  readonly price: string
  readonly size: number
}

export class LobsterOrders {
  readonly #orders = new Map<string, Known>()
  /** By price: Unix milliseconds. */
  readonly #inSight = { bids: new Map<string, number>(), asks: new Map<string, number>() }

  /** The levels of a side are told. @param time  Unix milliseconds */
  see(side: OrderSide, prices: ReadonlyMap<string, number>, time: number): void {
    const known = this.#inSight[side]
    for (const price of known.keys()) if (!prices.has(price)) known.delete(price)
    for (const price of prices.keys()) if (!known.has(price)) known.set(price, time)
  }

  /** @param time  Unix milliseconds of its frame */
  put({ id, size }: OrderMessage, time: number): void {
    this.#orders.set(id, { since: time, left: size })
  }

  /**
   * So much of an order goes; to be called before the levels behind it are told.
   *
   * @param time  Unix milliseconds of its frame
   * @returns undefined for a price that was not in sight, where nobody knows since when it rested
   */
  take({ id, side, price, size }: OrderMessage, isTraded: boolean, time: number): ToldFall | undefined {
    const known = this.#orders.get(id)
    const since = known?.since ?? this.#inSight[side].get(price)
    if (known !== undefined) {
      known.left -= size
      if (known.left <= 0) this.#orders.delete(id)
    }
    if (since === undefined || size === 0) return undefined
    return { side, price, qty: String(size), since: Math.min(since, time), isTraded, isSeenToCome: known !== undefined }
  }
}
