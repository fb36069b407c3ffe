/**
 * The strategy's resting orders in one market, each with its life.
 *
 * Invariant: a recorded trade that neither reaches an order nor comes nearer to one than any before costs two comparisons.
 */
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order, Side } from '../../domain/order.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { Trade } from '../../domain/trade.ts'
import type { OrderLife } from './order-life.ts'

export class MarketLives {
  readonly market: MarketConfig
  readonly #livesById = new Map<number, OrderLife>()
  /** Prices between these two, both of them excluded, concern no order. */
  #low = -Infinity
  #high = Infinity
  /** Ticks and lots of the last recorded trade that concerned an order; 0 before it. */
  #recordedPrice = 0
  #recordedQty = 0
  /** What the last recorded candle came to, as orders of a side see it; undefined in a market of trades. */
  #extremes: Readonly<Record<Side, number>> | undefined

  constructor(market: MarketConfig) {
    this.market = market
  }

  /** Call before a recorded trade is played. */
  onRecorded(price: number, qty: number): void {
    if (price > this.#low && price < this.#high) return
    this.#recordedPrice = price
    this.#recordedQty = qty
    for (const life of this.#livesById.values()) life.see(price, qty)
    this.#watch()
  }

  /** Call before a recorded candle that is over fills anything: what it was beyond their price, it fills. */
  onCandle({ low, high, volume }: RecordedCandle): void {
    this.#recordedQty = volume
    for (const life of this.#livesById.values()) life.seeCandle(life.order.side === 'BUY' ? low : high, volume)
    this.#extremes = { BUY: low, SELL: high }
  }

  onGap(): void {
    for (const life of this.#livesById.values()) life.cross()
  }

  /** A recorded trade filled an order of ours: which one, in ticks and lots. */
  onMet(trade: Trade, maker: Order): { readonly price: number; readonly qty: number } {
    const price = this.#extremes?.[maker.side] ?? this.#recordedPrice
    invariant(price > 0, 'the crowd takes from our orders by recorded trades only')
    for (const life of this.#livesById.values()) life.seeOurs(price, trade, maker)
    return { price, qty: this.#recordedQty }
  }

  get(orderId: number): OrderLife | undefined {
    return this.#livesById.get(orderId)
  }

  *at(price: number): Iterable<OrderLife> {
    for (const life of this.#livesById.values()) if (life.price === price) yield life
  }

  begin(life: OrderLife): void {
    this.#livesById.set(life.order.id, life)
    this.#watch()
  }

  end(life: OrderLife): void {
    this.#livesById.delete(life.order.id)
    this.#watch()
  }

  /** Ends all of them. */
  endAll(): readonly OrderLife[] {
    const lives = [...this.#livesById.values()]
    this.#livesById.clear()
    this.#watch()
    return lives
  }

  #watch(): void {
    let [low, high] = [-Infinity, Infinity]
    for (const { order, concernedFrom } of this.#livesById.values()) {
      if (order.side === 'BUY') low = Math.max(low, concernedFrom)
      else high = Math.min(high, concernedFrom)
    }
    this.#low = low
    this.#high = high
  }
}
