/**
 * The strategy's resting orders on one side of a market, with the recorded trades that reached each, counted for all of
 * them together.
 *
 * Complexity: a recorded trade that reaches no order costs one or two comparisons, and one that does O(log price), for
 * any number of orders.
 */
import type { Order, Side } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'
import { BestPrices } from '../../simulation/crowd/best-prices.ts'
import { type Ahead, PriceQueue, type QueuePosition } from './price-queue.ts'

/** A moment since which recorded prices are tracked. */
export interface ApproachMark {
  /** Ticks; infinite before the first. If it was merged, the root's value counts. */
  nearest: number
  /** Orders placed at it, and at the marks merged with it. */
  orders: number
  /** Parent in the union-find forest; undefined for a root. */
  sameAs: ApproachMark | undefined
}

/** Maximum number of marks without orders, independent of the number of orders. */
const MAX_IDLE = 64

/**
 * The recorded price that came closest to each order of one side since it was placed.
 *
 * Purpose: reports how close the market came to an unfilled order.
 * Complexity: orders placed with no recorded price between them share a mark. When a new price beats a mark's record,
 * the mark is merged with all newer marks (union-find), so only the last mark handles a price, and a price costs no
 * time per order.
 * @see https://en.wikipedia.org/wiki/Disjoint-set_data_structure
 */
export class ClosestApproach {
  /** 1 if a lower price is closer, otherwise -1. */
  readonly #sign: 1 | -1
  /** Root marks, oldest first; the record of each is closer than those of all after it. */
  #marks: ApproachMark[] = []
  #orders = 0

  /** @param side  of the orders: a lower price is closer to a BUY order */
  constructor(side: Side) {
    this.#sign = side === 'BUY' ? 1 : -1
  }

  /** The price beyond which a recorded one is a new record for some order; infinite if every price is. */
  get nearest(): number {
    return this.#marks.at(-1)?.nearest ?? this.#none
  }

  /** An order is placed. */
  begin(): ApproachMark {
    this.#orders += 1
    let mark = this.#marks.at(-1)
    if (mark?.nearest !== this.#none) {
      if (this.#marks.length > 2 * this.#orders + MAX_IDLE) this.#marks = this.#marks.filter(({ orders }) => orders > 0)
      mark = { nearest: this.#none, orders: 0, sameAs: undefined }
      this.#marks.push(mark)
    }
    mark.orders += 1
    return mark
  }

  /** An order placed at a mark ends. @returns the closest price; undefined if there was none */
  end(mark: ApproachMark): number | undefined {
    const root = rootOf(mark)
    root.orders -= 1
    this.#orders -= 1
    const { nearest } = root
    if (this.#orders === 0) this.#marks = []
    return Number.isFinite(nearest) ? nearest : undefined
  }

  see(price: number): void {
    const marks = this.#marks
    const last = marks.at(-1)
    if (last === undefined || !this.#isNearer(price, last.nearest)) return
    last.nearest = price
    for (
      let before = marks.at(-2);
      before !== undefined && !this.#isNearer(before.nearest, price);
      before = marks.at(-2)
    ) {
      join(before, marks.pop())
      before.nearest = price
    }
  }

  get #none(): number {
    return this.#sign * Infinity
  }

  #isNearer(price: number, than: number): boolean {
    return price * this.#sign < than * this.#sign
  }
}

function join(mark: ApproachMark, later: ApproachMark | undefined): void {
  if (later === undefined) return
  mark.orders += later.orders
  later.sameAs = mark
}

/** Finds the root, with path compression. */
function rootOf(mark: ApproachMark): ApproachMark {
  let each = mark
  for (let { sameAs } = each; sameAs !== undefined; { sameAs } = each) {
    if (sameAs.sameAs !== undefined) each.sameAs = sameAs.sameAs
    each = sameAs
  }
  return each
}

/** Total of the trades at a price or below. */
interface TradedSum {
  readonly trades: number
  readonly lots: bigint
}

interface Node {
  trades: number
  readonly lots: ExactSum
}

const NO_TRADES: TradedSum = { trades: 0, lots: 0n }

/**
 * Trades and lots by price, with their sums at or below a price: a sparse Fenwick tree.
 *
 * Invariant: sums are exact, whatever their size.
 * Complexity: an addition or query costs O(log price).
 * @see https://doi.org/10.1002/spe.4380240306 (Fenwick, 1994)
 */
export class PriceSums {
  readonly #nodes = new Map<number, Node>()
  /** A power of two; no price is above it. */
  #top = 1

  get isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  /** @param price  ticks, 1 or more */
  add(price: number, lots: number): void {
    while (this.#top < price) this.#grow()
    for (let index = price; index <= this.#top; index += lowestBit(index)) {
      const node = this.#node(index)
      node.trades += 1
      node.lots.add(lots)
    }
  }

  /** @param price  ticks, 0 or more */
  upTo(price: number): TradedSum {
    if (this.isEmpty) return NO_TRADES
    let trades = 0
    const lots = new ExactSum()
    for (let index = Math.min(price, this.#top); index > 0; index -= lowestBit(index)) {
      const node = this.#nodes.get(index)
      if (node === undefined) continue
      trades += node.trades
      lots.addSum(node.lots)
    }
    return { trades, lots: lots.value }
  }

  clear(): void {
    if (!this.isEmpty) this.#nodes.clear()
    this.#top = 1
  }

  /** The new top includes everything below the old one. */
  #grow(): void {
    const old = this.#nodes.get(this.#top)
    this.#top *= 2
    if (old === undefined) return
    const node = this.#node(this.#top)
    node.trades = old.trades
    node.lots.addSum(old.lots)
  }

  #node(index: number): Node {
    let node = this.#nodes.get(index)
    if (node === undefined) {
      node = { trades: 0, lots: new ExactSum() }
      this.#nodes.set(index, node)
    }
    return node
  }
}

const HALF = 2 ** 31

/** Bit operations are limited to 32 bits; prices have up to 53. */
function lowestBit(value: number): number {
  if (value < HALF) return value & -value
  const low = value % HALF
  return low === 0 ? HALF * lowestBit(value / HALF) : low & -low
}

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

  end(tracked: RestingOrderEntry): void {
    const { price, queue } = tracked
    queue.leave(tracked)
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

  ahead(tracked: RestingOrderEntry): Ahead {
    return tracked.queue.ahead(tracked)
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
