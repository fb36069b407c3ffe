/**
 * The crowd's resting orders in one market, as the queue ahead of yours.
 *
 * Invariant: it rests only at prices where an order of yours rests, and only ahead of one. It counts its lots from
 * notifications of each order of yours that joins and leaves, and never scans the book.
 */
import { CROWD } from '../../domain/command.ts'
import { invariant, InvariantError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { type Order, type Side, SIDES } from '../../domain/order.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { LadderLevel } from '../liquidity/liquidity-model.ts'
import { BestPrices } from './best-prices.ts'

/** One order of the crowd. */
interface Queued {
  readonly orderId: number
  /** Arrival of the first of your orders behind it, Unix milliseconds. */
  since: number
  lots: number
  /** Your orders between this one and the next order of the crowd at its price. */
  oursBehind: number
}

/** The crowd's orders at one price, oldest first. */
interface QueueAtPrice {
  lots: number
  readonly orders: Queued[]
}

/**
 * Lots still ahead of an order of yours.
 *
 * @param since  Unix milliseconds at which that order joined
 */
export type StillAhead = (ahead: number, since: number) => number

/**
 * Arrival of the first of your orders behind an order of the crowd, even if other orders of the crowd are between them.
 */
function joinedAt(orders: readonly Queued[], at: number): number {
  let last = at
  while (orders[last]?.oursBehind === 0 && last < orders.length - 1) last += 1
  return orders[last]?.since ?? Number.NaN
}

/** Limits that every resting order of a side satisfies. */
const FARTHEST: Readonly<Record<Side, number>> = { BUY: 0, SELL: Number.MAX_SAFE_INTEGER }

class QueueSide {
  readonly queuesByPrice = new Map<number, QueueAtPrice>()
  readonly prices: BestPrices

  constructor(side: Side) {
    this.prices = new BestPrices(side)
  }
}

export class CrowdQueue {
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #sides = { BUY: new QueueSide('BUY'), SELL: new QueueSide('SELL') }

  constructor(exchange: Exchange, symbol: string) {
    this.#exchange = exchange
    this.#symbol = symbol
  }

  /** Takes over the orders of a restored exchange: the crowd's, and how many of yours are behind each. */
  takeOver(): void {
    for (const side of SIDES) {
      for (const { orderId, account, price, qty } of this.#exchange.restingTo(this.#symbol, side, FARTHEST[side])) {
        if (account !== CROWD) this.joined(side, price)
        else {
          const since = this.#exchange.order(CROWD, orderId)?.createdAt ?? Number.NaN
          const queue = this.#queueAt(side, price)
          queue.lots += qty
          queue.orders.push({ orderId, since, lots: qty, oursBehind: 0 })
        }
      }
    }
  }

  /** Lots that the crowd rests at a price. */
  lotsAt(side: Side, price: number): number {
    return this.#sides[side].queuesByPrice.get(price)?.lots ?? 0
  }

  /** Tops the crowd's queue at `price` up to `wanted` lots, at the end of the queue. */
  topUp(time: number, side: Side, price: number, wanted: number): void {
    const lots = wanted - this.lotsAt(side, price)
    if (lots <= 0) return
    const request = { symbol: this.#symbol, side, type: 'LIMIT', price, qty: lots } as const
    const [event] = this.#exchange.execute({ type: 'place', time, account: CROWD, request })
    if (event?.type !== 'order-accepted') throw new InvariantError(`the crowd cannot rest ${lots} lots at ${price}`)
    const queue = this.#queueAt(side, price)
    queue.lots += lots
    queue.orders.push({ orderId: event.order.id, since: time, lots, oursBehind: 0 })
  }

  /** Counts an order of yours that joined the end of the queue. */
  joined(side: Side, price: number): void {
    const last = this.#sides[side].queuesByPrice.get(price)?.orders.at(-1)
    if (last !== undefined) last.oursBehind += 1
  }

  /** Removes an order of yours. Orders of the crowd without any of yours behind them are cancelled. */
  left(time: number, { id, side, price }: Order): void {
    if (price === undefined) return
    const queue = this.#sides[side].queuesByPrice.get(price)
    if (queue === undefined) return
    const ahead = queue.orders.findLast(({ orderId }) => orderId < id)
    if (ahead !== undefined) ahead.oursBehind -= 1
    this.tidy(time, side, price)
  }

  /** Call with the events of a command: orders of the crowd or yours may have been filled. */
  onEvents(time: number, events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded') continue
      const { maker, trade } = event
      if (maker.userId === CROWD) this.#take(maker, trade.price, trade.qty)
      else if (maker.status === 'FILLED') this.left(time, maker)
    }
  }

  /** Takes the crowd away from prices of `side` that are better than `price`. */
  withdrawBetter(time: number, side: Side, price: number): void {
    const { prices, queuesByPrice } = this.#sides[side]
    for (let { best } = prices; best !== undefined; { best } = prices) {
      if (side === 'BUY' ? best <= price : best >= price) return
      for (const { orderId } of queuesByPrice.get(best)?.orders ?? []) this.#cancel(time, orderId)
      this.#forget(side, best)
    }
  }

  /** Cancels the crowd's orders at the end of a queue that have none of yours behind them. */
  tidy(time: number, side: Side, price: number): void {
    const queue = this.#sides[side].queuesByPrice.get(price)
    if (queue === undefined) return
    for (let last = queue.orders.at(-1); last?.oursBehind === 0; last = queue.orders.at(-1)) {
      this.#cancel(time, last.orderId)
      queue.orders.pop()
      queue.lots -= last.lots
    }
    if (queue.orders.length === 0) this.#forget(side, price)
  }

  /** Prices at which the crowd rests. */
  prices(side: Side): Iterable<number> {
    return this.#sides[side].queuesByPrice.keys()
  }

  /**
   * Shrinks the crowd's orders at a price in place: `stillAhead` maps the lots ahead of an order of yours to those
   * left.
   *
   * @param stillAhead  monotonic and never above its input; it also gets the arrival of your order, Unix milliseconds
   * @returns the events that this caused
   */
  shrink(time: number, side: Side, price: number, stillAhead: StillAhead): readonly ExchangeEvent[] {
    const queue = this.#sides[side].queuesByPrice.get(price)
    if (queue === undefined) return []
    const events: ExchangeEvent[] = []
    let [ahead, left] = [0, 0]
    for (const [at, queued] of queue.orders.entries()) {
      ahead += queued.lots
      const lots = stillAhead(ahead, joinedAt(queue.orders, at)) - left
      invariant(lots >= 0 && lots <= queued.lots, 'a queue only shrinks')
      left += lots
      if (lots === queued.lots) continue
      const { orderId } = queued
      for (const event of lots === 0 ? this.#cancel(time, orderId) : this.#reduce(time, orderId, queued.lots - lots)) {
        events.push(event)
      }
      queued.lots = lots
    }
    queue.lots = left
    this.#mergeEmpty(side, price, queue)
    return events
  }

  /**
   * Lots ahead of the last of your orders at a price that joined before a moment.
   *
   * @param before  Unix milliseconds
   */
  aheadOf(side: Side, price: number, before: number): number {
    const { orders } = this.#sides[side].queuesByPrice.get(price) ?? { orders: [] }
    return orders.reduce((sum, { lots }, at) => (joinedAt(orders, at) < before ? sum + lots : sum), 0)
  }

  /** Your orders behind a removed order of the crowd are counted for the one before it. */
  #mergeEmpty(side: Side, price: number, queue: QueueAtPrice): void {
    const { orders } = queue
    let count = 0
    for (const queued of orders) {
      const before = orders[count - 1]
      if (queued.lots > 0) {
        orders[count] = queued
        count += 1
      } else if (before !== undefined) {
        if (before.oursBehind === 0) before.since = queued.since
        before.oursBehind += queued.oursBehind
      }
    }
    orders.length = count
    if (count === 0) this.#forget(side, price)
  }

  /** The crowd's resting orders of a side, best price first. */
  resting(side: Side): readonly LadderLevel[] {
    const { queuesByPrice } = this.#sides[side]
    if (queuesByPrice.size === 0) return []
    const levels = [...queuesByPrice].map(([price, { lots }]) => ({ price, qty: lots }))
    return levels.sort((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))
  }

  #queueAt(side: Side, price: number): QueueAtPrice {
    const { queuesByPrice, prices } = this.#sides[side]
    let queue = queuesByPrice.get(price)
    if (queue === undefined) {
      queue = { lots: 0, orders: [] }
      queuesByPrice.set(price, queue)
      prices.add(price)
    }
    return queue
  }

  /** The oldest is filled first; any other order of the crowd is a level of a ladder, which is none of the queue. */
  #take({ id, side }: Order, price: number, qty: number): void {
    const queue = this.#sides[side].queuesByPrice.get(price)
    const first = queue?.orders[0]
    if (queue === undefined || first?.orderId !== id) return
    queue.lots -= qty
    first.lots -= qty
    if (first.lots > 0) return
    queue.orders.shift()
    if (queue.orders.length === 0) this.#forget(side, price)
  }

  #forget(side: Side, price: number): void {
    this.#sides[side].queuesByPrice.delete(price)
    this.#sides[side].prices.delete(price)
  }

  #cancel(time: number, orderId: number): readonly ExchangeEvent[] {
    return this.#exchange.execute({ type: 'cancel', time, account: CROWD, orderId })
  }

  #reduce(time: number, orderId: number, qty: number): readonly ExchangeEvent[] {
    return this.#exchange.execute({ type: 'reduce', time, account: CROWD, orderId, qty })
  }
}
