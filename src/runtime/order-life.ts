/**
 * One resting order of the strategy: what is ahead of it, and what the market traded at and beyond its price.
 *
 * Invariant: the recorded quantities are counted exactly, whatever their sum.
 */
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { MarketConfig } from '../domain/market.ts'
import type { Order } from '../domain/order.ts'
import type { Trade } from '../domain/trade.ts'
import type { RecordedTrade } from '../simulation/liquidity/liquidity-model.ts'
import type { JournalEntry } from './journal.ts'

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
  #lotsAt = 0n
  #tradesThrough = 0
  #lotsThrough = 0n
  /** Of those lots, what other orders of the strategy got that are before this one in the book. */
  #lotsToOurs = 0n
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

  /** Call before the recorded trade is played. */
  see({ price, qty, candleTime }: RecordedTrade): void {
    const beyond = (this.price - price) * this.#sign
    if (this.#nearest === undefined || price * this.#sign < this.#nearest * this.#sign) this.#nearest = price
    if (beyond < 0) return
    if (candleTime !== undefined) this.#isOfCandles = true
    if (beyond === 0) {
      this.#tradesAt += 1
      this.#lotsAt += BigInt(qty)
      return
    }
    this.#tradesThrough += 1
    this.#lotsThrough += BigInt(qty)
    // A trade beyond a price withdraws the crowd's queue there, also when nothing is left to match this order.
    this.ahead = { ...this.ahead, crowd: 0n }
  }

  /** Counts what a recorded trade that reached this order's price gave to another order of the strategy before this one. */
  seeOurs(recorded: RecordedTrade, { price, qty }: Trade, maker: Order): void {
    const isReached = (this.price - recorded.price) * this.#sign >= 0
    if (!isReached || maker.side !== this.order.side) return
    const better = (price - this.price) * this.#sign
    if (better > 0 || (better === 0 && maker.id < this.order.id)) this.#lotsToOurs += BigInt(qty)
  }

  cross(): void {
    this.#gaps += 1
  }

  /** The order came to rest. */
  rested(): JournalEntry {
    return { type: 'rested', orderId: String(this.order.id), ...this.#aheadEntry() }
  }

  /** The order left, or the run ended while it was open. What was ahead of it is told unless it was filled whole. */
  left(): JournalEntry {
    const { id, status } = this.order
    return {
      type: 'left',
      orderId: String(id),
      status,
      ...(status === 'FILLED' ? {} : this.#aheadEntry()),
      tradesAt: this.#tradesAt,
      qtyAt: this.#quantity(this.#lotsAt),
      tradesThrough: this.#tradesThrough,
      qtyThrough: this.#quantity(this.#lotsThrough),
      qtyToOurs: this.#quantity(this.#lotsToOurs),
      ofCandles: this.#isOfCandles ? true : undefined,
      nearest: this.#nearestShort(),
      gaps: this.#gaps,
    }
  }

  /** The price that came nearest, when none came to the order's. */
  #nearestShort(): string | undefined {
    if (this.#nearest === undefined || this.#tradesAt + this.#tradesThrough > 0) return undefined
    return formatUnits(this.#nearest, this.market.pricePrecision)
  }

  #aheadEntry(): { readonly crowdAhead: string; readonly oursAhead: string } {
    return { crowdAhead: this.#quantity(this.ahead.crowd), oursAhead: this.#quantity(this.ahead.ours) }
  }

  #quantity(lots: bigint): string {
    return formatTrimmed(lots, this.market.qtyPrecision)
  }
}
