/**
 * Stop orders that wait inside a simulated candle market, for the measurements of the candle rules. No run places them:
 * the stops of a session are conditional orders, in `runtime/session/conditional`.
 *
 * A buy is triggered at its price or above it, a sell at its price or below it. Of two orders that exclude each other,
 * the one that is filled first ends the other.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { OrderRequest } from '../../domain/order.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { RecordedCandle } from './recorded-candle.ts'

export type MarketRequest = Extract<OrderRequest, { type: 'MARKET' }>

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

export class CandleStops {
  #stops: readonly StopOrder[] = []

  get areNone(): boolean {
    return this.#stops.length === 0
  }

  add(stop: StopOrder): void {
    this.#stops = [...this.#stops, stop]
  }

  remove(stop: StopOrder): void {
    this.#stops = this.#stops.filter((other) => other !== stop)
  }

  has(stop: StopOrder): boolean {
    return this.#stops.includes(stop)
  }

  /** Stops that an open has passed, oldest first. */
  passed(open: number): readonly StopOrder[] {
    return this.#stops.filter((stop) => isTouched(stop, open, open))
  }

  /** Stops that a candle triggers, oldest first. */
  touched({ high, low }: RecordedCandle): readonly StopOrder[] {
    return this.#stops.filter((stop) => isTouched(stop, low, high))
  }

  /** Removes the stops that exclude an order which was filled. */
  drop(filled: readonly ExchangeEvent[]): void {
    if (this.#stops.length === 0) return
    const ids = new Set(filled.flatMap((event) => (event.type === 'traded' ? [event.maker.id, event.taker.id] : [])))
    this.#stops = this.#stops.filter(({ excludes }) => excludes === undefined || !ids.has(excludes))
  }
}

export const isTouched = ({ price, stop }: StopOrder, low: number, high: number): boolean =>
  stop.side === 'BUY' ? high >= price : low <= price

/** Cancels the order that a stop excludes, when the stop was filled and the other is still open. */
export function cancelExcluded(
  exchange: Exchange,
  time: number,
  { account, excludes }: StopOrder,
  events: readonly ExchangeEvent[],
): readonly ExchangeEvent[] {
  if (excludes === undefined || !events.some(({ type }) => type === 'traded')) return []
  return exchange.execute({ type: 'cancel', time, account, orderId: excludes })
}
