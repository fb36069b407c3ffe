/**
 * The orders of a candle market with stops that wait inside of it, for measurements of the candle rules. No run places
 * such stops: those of a session are conditional orders, in `runtime/session/conditional`.
 *
 * A buy is triggered at its price or above it, a sell at its price or below it. Of two orders that exclude each other,
 * the one that is filled first ends the other.
 */
import type { ExchangeEvent } from '../../../../src/domain/exchange-event.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import type { Exchange } from '../../../../src/exchange/exchange.ts'
import { CandleOrders, type MarketRequest } from '../../../../src/simulation/candles/candle-orders.ts'
import type { CandleTerms } from '../../../../src/simulation/candles/candle-terms.ts'
import type { RecordedCandle } from '../../../../src/simulation/candles/recorded-candle.ts'

export interface StopOrder {
  readonly account: string
  /** The newest order id of the exchange when it came: its place among the orders that came before and after it. */
  readonly orderId: number
  /** Ticks. */
  readonly price: number
  /** The order that it becomes. */
  readonly stop: MarketRequest
  /** Id of an order of the same account that excludes it. */
  readonly excludes?: number | undefined
}

export const isTouched = ({ price, stop }: StopOrder, low: number, high: number): boolean =>
  stop.side === 'BUY' ? high >= price : low <= price

type Events = readonly ExchangeEvent[]

/** Called as `CandleOrders` is. */
export class OrdersWithStops {
  readonly #exchange: Exchange
  readonly #orders: CandleOrders
  #stops: readonly StopOrder[] = []
  /** Ticks. */
  #open = 0

  constructor(exchange: Exchange, symbol: string, terms: CandleTerms) {
    this.#exchange = exchange
    this.#orders = new CandleOrders(exchange, symbol, terms)
  }

  begin(candle: RecordedCandle): void {
    this.#open = candle.open
    this.#orders.begin(candle)
  }

  open(candle: RecordedCandle): Events {
    const passed = this.#touched(candle.open, candle.open).map((stop) => ({
      orderId: stop.orderId,
      execute: (before: Events) => {
        this.#drop(before)
        return this.#stops.includes(stop) ? this.#trigger(candle.time, stop) : []
      },
    }))
    return this.#dropping(this.#orders.open(candle, passed))
  }

  place(time: number, account: string, request: OrderRequest): Events {
    return this.#dropping(this.#orders.place(time, account, request))
  }

  /** A stop that arrives at the open; it is no order of the exchange before it is triggered. */
  placeStop(time: number, stop: StopOrder): Events {
    if (isTouched(stop, this.#open, this.#open)) return this.#trigger(time, stop)
    this.#stops = [...this.#stops, stop]
    return []
  }

  /** A no-op for one that no longer waits. */
  cancelStop(stop: StopOrder): void {
    this.#stops = this.#stops.filter((other) => other !== stop)
  }

  /** Stops first, then resting orders that the candle passed. */
  fill(candle: RecordedCandle, endsAt: number): Events {
    const triggered = this.#touched(candle.low, candle.high).flatMap((stop) => this.#triggerInside(endsAt, stop))
    return [...triggered, ...this.#dropping(this.#orders.fill(candle, endsAt))]
  }

  end(candle: RecordedCandle): void {
    this.#orders.end(candle)
  }

  /** Stops that prices trigger, oldest first. */
  #touched(low: number, high: number): readonly StopOrder[] {
    return this.#stops.filter((stop) => isTouched(stop, low, high))
  }

  /** The stop's market order takes at the open. */
  #trigger(time: number, stop: StopOrder): Events {
    this.cancelStop(stop)
    const events = this.place(time, stop.account, stop.stop)
    return [...events, ...this.#cancelExcluded(time, stop, events)]
  }

  #triggerInside(time: number, stop: StopOrder): Events {
    // An earlier trigger may have removed the stop.
    if (!this.#stops.includes(stop)) return []
    this.cancelStop(stop)
    const events = this.#dropping(this.#orders.placeInside(time, stop.account, stop.stop, stop.price))
    return [...events, ...this.#cancelExcluded(time, stop, events)]
  }

  /** Cancels the order that a stop excludes, when the stop was filled and the other is still open. */
  #cancelExcluded(time: number, { account, excludes }: StopOrder, events: Events): Events {
    if (excludes === undefined || !events.some(({ type }) => type === 'traded')) return []
    return this.#exchange.execute({ type: 'cancel', time, account, orderId: excludes })
  }

  #dropping(events: Events): Events {
    this.#drop(events)
    return events
  }

  /** Removes the stops that exclude an order which was filled. */
  #drop(filled: Events): void {
    if (this.#stops.length === 0) return
    const ids = new Set(filled.flatMap((event) => (event.type === 'traded' ? [event.maker.id, event.taker.id] : [])))
    this.#stops = this.#stops.filter(({ excludes }) => excludes === undefined || !ids.has(excludes))
  }
}
