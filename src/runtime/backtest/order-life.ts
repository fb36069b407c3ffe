/**
 * One resting order of the strategy: what is ahead of it, and what the market traded at and beyond its price.
 *
 * Invariant: the recorded quantities are counted exactly, whatever their sum.
 */
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'

/** Lots that are ahead of an order at its price: the crowd's, and those of other orders of the strategy. */
export interface Ahead {
  readonly crowd: bigint
  readonly ours: bigint
}

export class OrderLife {
  readonly market: MarketConfig
  /** Ticks. */
  readonly price: number
  /** In its last known state. */
  order: Order
  ahead: Ahead
  /** 1 for a buy order, to which a lower price comes nearer; -1 for a sell order. */
  readonly #sign: 1 | -1
  /** Recorded trades, and their lots, at the order's price and beyond it. */
  #tradesAt = 0
  readonly #lotsAt = new ExactSum()
  #tradesThrough = 0
  readonly #lotsThrough = new ExactSum()
  /** Of those lots, what other orders of the strategy got that are before this one in the book. */
  readonly #lotsToOurs = new ExactSum()
  #isOfCandles = false
  /** The recorded price that came nearest; ticks. */
  #nearest: number | undefined
  #gaps = 0

  constructor(order: Order, price: number, market: MarketConfig, ahead: Ahead) {
    this.order = order
    this.price = price
    this.market = market
    this.ahead = ahead
    this.#sign = order.side === 'BUY' ? 1 : -1
  }

  /**
   * A buy order is concerned by a recorded price at or below this one, a sell order by one at or above it: it reaches the order, or
   * comes nearer than any before.
   */
  get concernedFrom(): number {
    const nearer = (this.#nearest ?? this.#sign * Infinity) - this.#sign
    return this.#sign === 1 ? Math.max(this.price, nearer) : Math.min(this.price, nearer)
  }

  /** Call before a recorded trade that concerns it is played. */
  see(price: number, qty: number): void {
    const beyond = (this.price - price) * this.#sign
    if (this.#nearest === undefined || price * this.#sign < this.#nearest * this.#sign) this.#nearest = price
    if (beyond < 0) return
    if (beyond === 0) {
      this.#tradesAt += 1
      this.#lotsAt.add(qty)
      return
    }
    this.#tradesThrough += 1
    this.#lotsThrough.add(qty)
    // A trade beyond a price withdraws the crowd's queue there, also when nothing is left to match this order.
    if (this.ahead.crowd !== 0n) this.ahead = { ...this.ahead, crowd: 0n }
  }

  /** A candle of which an order could have got something: its extreme on the order's side, and its volume. */
  seeCandle(extreme: number, volume: number): void {
    this.#isOfCandles = true
    this.see(extreme, volume)
  }

  /** Counts what a recorded trade that reached this order's price gave to another order of the strategy before this one. */
  seeOurs(recordedPrice: number, { price, qty }: Trade, maker: Order): void {
    const isReached = (this.price - recordedPrice) * this.#sign >= 0
    if (!isReached || maker.side !== this.order.side) return
    const better = (price - this.price) * this.#sign
    if (better > 0 || (better === 0 && maker.id < this.order.id)) this.#lotsToOurs.add(qty)
  }

  cross(): void {
    this.#gaps += 1
  }

  /** The order came to rest, as JSON for the journal. */
  rested(): string {
    return `{"type":"rested","orderId":"${this.order.id}",${this.#aheadText()}}`
  }

  /**
   * The order left, or the run ended while it was open, as JSON for the journal. What was ahead of it is told unless it was filled
   * whole.
   */
  left(): string {
    const { id, status } = this.order
    const nearest = this.#nearestShort()
    return (
      `{"type":"left","orderId":"${id}","status":"${status}",${status === 'FILLED' ? '' : `${this.#aheadText()},`}` +
      `"tradesAt":${this.#tradesAt},"qtyAt":"${this.#quantity(this.#lotsAt.value)}",` +
      `"tradesThrough":${this.#tradesThrough},"qtyThrough":"${this.#quantity(this.#lotsThrough.value)}",` +
      `"qtyToOurs":"${this.#quantity(this.#lotsToOurs.value)}",${this.#isOfCandles ? '"ofCandles":true,' : ''}` +
      `${nearest === undefined ? '' : `"nearest":"${nearest}",`}"gaps":${this.#gaps}}`
    )
  }

  /** The price that came nearest, when none came to the order's. */
  #nearestShort(): string | undefined {
    if (this.#nearest === undefined || this.#tradesAt + this.#tradesThrough > 0) return undefined
    return formatUnits(this.#nearest, this.market.pricePrecision)
  }

  #aheadText(): string {
    return `"crowdAhead":"${this.#quantity(this.ahead.crowd)}","oursAhead":"${this.#quantity(this.ahead.ours)}"`
  }

  #quantity(lots: bigint): string {
    return formatTrimmed(lots, this.market.qtyPrecision)
  }
}
