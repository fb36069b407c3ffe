/**
 * The strategy's resting orders on one side of a market, with the recorded trades that reached each, counted for all of
 * them together.
 *
 * Complexity: a recorded trade that reaches no order costs one or two comparisons, and one that does O(log price), for
 * any number of orders.
 */
import type { Order, Side } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import { BestPrices } from '../../simulation/crowd/best-prices.ts'
import { ClosestApproach, type ApproachMark } from './closest-approach.ts'
import { PriceQueue, type Ahead, type QueuePosition } from './price-queue.ts'
import { NO_TRADES, PriceSums, type TradedSum } from './price-sums.ts'

/** Counts for an order, since the start of its side or of itself. */
export interface Reached {
  /** Recorded trades at its price, and beyond it. */
  readonly at: TradedSum
  readonly through: TradedSum
  /** Lots of those trades that went to other orders of the strategy ahead of it. */
  readonly toOurs: bigint
}

/** An order in the index of its side. */
export interface RestingOrderEntry extends QueuePosition {
  readonly price: number
  readonly queue: PriceQueue
  readonly mark: ApproachMark
  /** Counts of its side when it was placed. */
  readonly before: Reached
}

const NOTHING_REACHED: Reached = { at: NO_TRADES, through: NO_TRADES, toOurs: 0n }

export class RestingOrdersBySide {
  readonly #side: Side
  /** 1 if a lower price is closer, otherwise -1. */
  readonly #sign: 1 | -1
  readonly #queuesByPrice = new Map<number, PriceQueue>()
  readonly #prices: BestPrices
  readonly #crowdedPrices: BestPrices
  readonly #nearest: ClosestApproach
  /** Recorded trades that reached an order, by their price. */
  readonly #traded = new PriceSums()
  /** Lots of our fills by price, so that a prefix sum gives the lots filled ahead of an order at a price. */
  readonly #given = new PriceSums()
  /** A price at or beyond this one affects an order of the side. */
  concernedFrom: number

  constructor(side: Side) {
    this.#side = side
    this.#sign = side === 'BUY' ? 1 : -1
    this.#prices = new BestPrices(side)
    this.#crowdedPrices = new BestPrices(side)
    this.#nearest = new ClosestApproach(side)
    this.concernedFrom = -this.#sign * Infinity
  }

  /** @param crowdLots  that rest at its price */
  begin(order: Order, price: number, crowdLots: number): RestingOrderEntry {
    const queue = this.#queueAt(price)
    const mark = this.#nearest.begin()
    const place = queue.join(order.id, lotsLeft(order), crowdLots)
    if (queue.hasCrowd) this.#crowdedPrices.add(price)
    this.#watch()
    return Object.assign(place, { price, queue, mark, before: this.#reached(price, queue) })
  }

  end(life: RestingOrderEntry): void {
    const { price, queue } = life
    queue.leave(life)
    if (queue.isEmpty) {
      this.#queuesByPrice.delete(price)
      this.#prices.delete(price)
    }
    if (!queue.hasCrowd) this.#crowdedPrices.delete(price)
    if (this.#queuesByPrice.size === 0) {
      this.#traded.clear()
      this.#given.clear()
    }
    this.#watch()
  }

  /** Counts since an order was placed. */
  reachedSince({ price, queue, before, notBefore }: RestingOrderEntry): Reached {
    const now = this.#reached(price, queue)
    if (now === before) return now
    return {
      at: difference(now.at, before.at),
      through: difference(now.through, before.through),
      toOurs: now.toOurs - before.toOurs - notBefore,
    }
  }

  ahead(life: RestingOrderEntry): Ahead {
    return life.queue.ahead(life)
  }

  /** The closest price to an order; undefined before the first. Call once, when it ends. */
  nearestTo({ mark }: RestingOrderEntry): number | undefined {
    return this.#nearest.end(mark)
  }

  /** Call before a recorded trade is played. */
  see(price: number, qty: number): void {
    this.#nearest.see(price)
    const sign = this.#sign
    const { best } = this.#prices
    if (best !== undefined && best * sign >= price * sign) {
      this.#traded.add(price, qty)
      this.#clearCrowd(price)
    }
    this.#watch()
  }

  /** A recorded trade, or a candle with the extreme `recorded`, filled an order of this side. */
  meet(recorded: number, { price, qty }: Trade, maker: RestingOrderEntry | undefined, orderId: number): void {
    const sign = this.#sign
    if (price * sign < recorded * sign) return
    // The reached prices better than that of the match, as a half-open range.
    const [from, to] = sign === 1 ? [recorded, price] : [price + 1, recorded + 1]
    if (from < to) {
      this.#given.add(from, qty)
      this.#given.add(to, -qty)
    }
    const queue = this.#queuesByPrice.get(price)
    if (queue === undefined) return
    queue.given.add(qty)
    if (maker !== undefined) maker.notBefore += BigInt(qty)
    for (const older of queue.olderThan(orderId)) older.notBefore += BigInt(qty)
  }

  onCrowdTraded(orderId: number, price: number, qty: number): void {
    const queue = this.#queuesByPrice.get(price)
    queue?.onCrowdTraded(orderId, qty)
    if (queue?.hasCrowd === false) this.#crowdedPrices.delete(price)
  }

  /** Lots of a crowd order were cancelled. */
  onCrowdCancelled(orderId: number, price: number, lots: number): void {
    const queue = this.#queuesByPrice.get(price)
    queue?.onCrowdCancelled(orderId, lots)
    if (queue?.hasCrowd === false) this.#crowdedPrices.delete(price)
  }

  /** A trade beyond a price removes the crowd's queue there, even if nothing is left to match our orders. */
  #clearCrowd(price: number): void {
    const sign = this.#sign
    const prices = this.#crowdedPrices
    for (let { best } = prices; best !== undefined && best * sign > price * sign; { best } = prices) {
      this.#queuesByPrice.get(best)?.clearCrowd()
      prices.delete(best)
    }
  }

  #reached(price: number, { given }: PriceQueue): Reached {
    if (this.#traded.isEmpty) return NOTHING_REACHED
    const upTo = this.#traded.upTo(price)
    const below = this.#traded.upTo(price - 1)
    return {
      at: difference(upTo, below),
      through: this.#side === 'BUY' ? below : difference(this.#traded.upTo(Number.MAX_SAFE_INTEGER), upTo),
      toOurs: this.#given.upTo(price).lots + given.value,
    }
  }

  #queueAt(price: number): PriceQueue {
    let queue = this.#queuesByPrice.get(price)
    if (queue === undefined) {
      queue = new PriceQueue()
      this.#queuesByPrice.set(price, queue)
      this.#prices.add(price)
    }
    return queue
  }

  #watch(): void {
    const sign = this.#sign
    const { best } = this.#prices
    if (best === undefined) this.concernedFrom = -sign * Infinity
    else {
      const nearer = this.#nearest.nearest - sign
      this.concernedFrom = sign === 1 ? Math.max(best, nearer) : Math.min(best, nearer)
    }
  }
}

/** Resting lots of an order. */
export const lotsLeft = ({ qty, filledQty }: Order): number => qty - filledQty

const difference = (now: TradedSum, before: TradedSum): TradedSum => ({
  trades: now.trades - before.trades,
  lots: now.lots - before.lots,
})
