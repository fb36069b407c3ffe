/**
 * The strategy's resting orders in one market, each with its tracked figures.
 *
 * Complexity: a recorded trade that neither reaches an order nor sets a new closest price costs two comparisons; every
 * other event, and the start and end of tracking an order, costs O(log n).
 */
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order, Side } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { RestingOrderFigures, TrackedRestingOrder } from './tracked-resting-order.ts'
import type { Ahead } from './price-queue.ts'
import { lotsLeft, RestingOrdersBySide } from './resting-orders-by-side.ts'

export class MarketOrderTracker {
  readonly market: MarketConfig
  readonly #trackedById = new Map<number, TrackedRestingOrder>()
  readonly #sides = { BUY: new RestingOrdersBySide('BUY'), SELL: new RestingOrdersBySide('SELL') }
  /** No order is affected by prices strictly between these two. */
  #low = -Infinity
  #high = Infinity
  /** Ticks and lots of the last recorded trade that affected an order; 0 before it. */
  #recordedPrice = 0
  #recordedQty = 0
  /** Extreme price of the last recorded candle per side of orders; undefined in a market of trades. */
  #extremes: Readonly<Record<Side, number>> | undefined
  #gaps = 0

  constructor(market: MarketConfig) {
    this.market = market
  }

  /** Call before a recorded trade is played. */
  onRecorded(price: number, qty: number): void {
    if (price > this.#low && price < this.#high) return
    this.#recordedPrice = price
    this.#recordedQty = qty
    this.#sides.BUY.see(price, qty)
    this.#sides.SELL.see(price, qty)
    this.#watch()
  }

  /** Call when a recorded candle closes, before it fills anything: it fills orders beyond whose price it went. */
  onCandle({ low, high, volume }: RecordedCandle): void {
    this.#recordedQty = volume
    this.#extremes = { BUY: low, SELL: high }
    if (this.#trackedById.size === 0) return
    this.#sides.BUY.see(low, volume)
    this.#sides.SELL.see(high, volume)
  }

  onGap(): void {
    this.#gaps += 1
  }

  /** The recorded trade that filled an order of ours, in ticks and lots. */
  onMet(trade: Trade, { id, side }: Order): { readonly price: number; readonly qty: number } {
    const price = this.#extremes?.[side] ?? this.#recordedPrice
    invariant(price > 0, 'the crowd takes from our orders by recorded trades only')
    this.#sides[side].meet(price, trade, this.#trackedById.get(id), id)
    return { price, qty: this.#recordedQty }
  }

  /** A trade took from an order of the crowd. */
  onCrowdTraded({ price, qty }: Trade, { id, side }: Order): void {
    this.#sides[side].onCrowdTraded(id, price, qty)
  }

  /** The recorded book shrank at the price of a crowd order, which lost so many lots. */
  onCrowdCancelled({ id, side, price }: Order, lots: number): void {
    if (price !== undefined) this.#sides[side].onCrowdCancelled(id, price, lots)
  }

  get(orderId: number): TrackedRestingOrder | undefined {
    return this.#trackedById.get(orderId)
  }

  /** @param crowdLots  that rest at its price */
  begin(order: Order, price: number, crowdLots: number): TrackedRestingOrder {
    const tracked = Object.assign(this.#sides[order.side].begin(order, price, crowdLots), {
      order,
      gapsBefore: this.#gaps,
    })
    this.#trackedById.set(order.id, tracked)
    this.#watch()
    return tracked
  }

  ahead(tracked: TrackedRestingOrder): Ahead {
    return this.#sides[tracked.order.side].ahead(tracked)
  }

  /** The order was partly filled. @param isTaker  true for a taker that rests again, at the back of the queue */
  change(tracked: TrackedRestingOrder, order: Order, isTaker: boolean): void {
    // An order that took before it rested began with that filled quantity.
    if (order.filledQty <= tracked.order.filledQty) return
    tracked.order = order
    const lots = lotsLeft(order)
    if (isTaker) tracked.queue.moveBack(tracked, lots)
    else tracked.queue.change(tracked, lots)
  }

  /** @param order  in its final state */
  end(tracked: TrackedRestingOrder, order: Order): RestingOrderFigures {
    tracked.order = order
    const figures = this.#figures(tracked)
    this.#trackedById.delete(order.id)
    this.#sides[order.side].end(tracked)
    this.#watch()
    return figures
  }

  /** Orders that are open when the run ends, oldest first. Nothing happens afterwards. */
  *open(): Generator<readonly [TrackedRestingOrder, RestingOrderFigures]> {
    for (const tracked of this.#trackedById.values()) yield [tracked, this.#figures(tracked)]
  }

  #figures(tracked: TrackedRestingOrder): RestingOrderFigures {
    const side = this.#sides[tracked.order.side]
    const nearest = side.nearestTo(tracked)
    return {
      reached: side.reachedSince(tracked),
      ahead: side.ahead(tracked),
      cancelledAhead: tracked.queue.cancelledAhead(tracked),
      nearest,
      // Every order sees each candle, and orders in a market of candles see nothing else.
      isOfCandles: nearest !== undefined && this.#extremes !== undefined,
      gaps: this.#gaps - tracked.gapsBefore,
    }
  }

  #watch(): void {
    this.#low = this.#sides.BUY.concernedFrom
    this.#high = this.#sides.SELL.concernedFrom
  }
}
