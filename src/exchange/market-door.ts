/**
 * Handle of one market, for callers that look it up once.
 *
 * A class, because every object literal with an accessor has a hidden class of its own: with many exchanges in a row,
 * as in a sweep, each use would be slow (megamorphic).
 */
import type { Side } from '../domain/order.ts'
import type { MarketAccess, RowPart } from './exchange.ts'
import type { ExchangeState } from './exchange-state.ts'
import type { MarketOrders } from './market-orders.ts'
import type { MarketState } from './market-state.ts'
import type { MarketStatistics } from './statistics/market-statistics.ts'

export class MarketDoor implements MarketAccess {
  readonly #state: ExchangeState
  readonly #market: MarketState
  readonly #orders: MarketOrders
  readonly #statistics: MarketStatistics

  constructor(state: ExchangeState, market: MarketState) {
    this.#state = state
    this.#market = market
    this.#orders = market.orders
    this.#statistics = market.statistics
  }

  get lastPrice(): number {
    return this.#statistics.lastPrice
  }

  bestPrice(side: Side): number | undefined {
    return this.#orders.bestPrice(side)
  }

  list(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    this.#state.advance(time)
    return this.#market.list(time, price, qty, isBuyerMaker)
  }

  enter(time: number, price: number, qty: number, part: RowPart): void {
    this.#state.advance(time)
    this.#market.enter(time, price, qty, part)
  }

  enterCandle(time: number, open: number, high: number, low: number, close: number, volume: number): void {
    this.#market.enterCandle(time, open, high, low, close, volume)
  }

  print(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    this.#state.advance(time)
    return this.#market.print(time, price, qty, isBuyerMaker)
  }
}
