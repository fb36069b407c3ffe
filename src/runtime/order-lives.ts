/**
 * What happened around each resting order of the strategy: what was ahead of it, and what the market traded at and beyond its
 * price. It goes into the journal when an order comes to rest and when it leaves, so that `why` can tell from the journal alone.
 */
import { CROWD } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { formatUnits } from '../domain/fixed-point.ts'
import type { MarketConfig } from '../domain/market.ts'
import { isLive, type Order } from '../domain/order.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RecordedTrade } from '../simulation/liquidity/liquidity-model.ts'
import type { Journal } from './journal.ts'

interface OrderLife {
  readonly order: Order
  readonly price: number
  /** Recorded trades, and their lots, at the order's price and beyond it. */
  tradesAt: number
  lotsAt: bigint
  tradesThrough: number
  lotsThrough: bigint
  /** The recorded price that came nearest; ticks. */
  nearest: number | undefined
  gaps: number
}

export class OrderLives {
  readonly #exchange: Exchange
  readonly #account: string
  readonly #journal: Journal
  readonly #now: () => number
  readonly #livesBySymbol: ReadonlyMap<string, Map<number, OrderLife>>

  constructor(exchange: Exchange, account: string, journal: Journal, now: () => number) {
    this.#exchange = exchange
    this.#account = account
    this.#journal = journal
    this.#now = now
    this.#livesBySymbol = new Map(exchange.markets.map(({ symbol }) => [symbol, new Map<number, OrderLife>()]))
  }

  /** Call before a recorded trade is played. */
  onRecorded(symbol: string, { price, qty }: RecordedTrade): void {
    const lives = this.#livesBySymbol.get(symbol)
    if (lives === undefined || lives.size === 0) return
    for (const life of lives.values()) see(life, price, qty)
  }

  onGap(symbol: string): void {
    for (const life of this.#livesBySymbol.get(symbol)?.values() ?? []) life.gaps += 1
  }

  /** Call with the events of each command, after it. */
  onEvents(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'order-accepted') this.#begin(event.order)
      if (event.type === 'order-cancelled') this.#end(event.order)
      if (event.type === 'traded') {
        this.#end(event.maker)
        this.#end(event.taker)
      }
    }
  }

  /** Writes down the orders that are still open. Call once, at the end. */
  finish(): void {
    for (const lives of this.#livesBySymbol.values()) {
      for (const life of lives.values()) this.#write(life)
      lives.clear()
    }
  }

  #begin({ id, userId, symbol, type }: Order): void {
    if (userId !== this.#account || type !== 'LIMIT') return
    const order = this.#exchange.order(userId, id)
    if (order?.price === undefined || !isLive(order.status)) return
    const { price } = order
    this.#livesBySymbol.get(symbol)?.set(id, {
      order,
      price,
      tradesAt: 0,
      lotsAt: 0n,
      tradesThrough: 0,
      lotsThrough: 0n,
      nearest: undefined,
      gaps: 0,
    })
    const ahead = this.#ahead(order, price)
    this.#journal.write(this.#now(), { type: 'rested', orderId: String(id), ...ahead })
  }

  #end(order: Order): void {
    if (order.userId !== this.#account || isLive(order.status)) return
    const lives = this.#livesBySymbol.get(order.symbol)
    const life = lives?.get(order.id)
    if (life === undefined) return
    lives?.delete(order.id)
    this.#write({ ...life, order })
  }

  /** Lots ahead of a resting order at its price: the crowd's, and those of participants. */
  #ahead(order: Order, price: number): { readonly crowdAhead: string; readonly oursAhead: string } {
    const { qtyPrecision } = this.#market(order.symbol)
    let [crowd, ours] = [0n, 0n]
    for (const { orderId, account, qty } of this.#exchange.restingAt(order.symbol, order.side, price)) {
      if (orderId === order.id) break
      if (account === CROWD) crowd += BigInt(qty)
      else ours += BigInt(qty)
    }
    return { crowdAhead: formatUnits(crowd, qtyPrecision), oursAhead: formatUnits(ours, qtyPrecision) }
  }

  #write(life: OrderLife): void {
    const { order, price } = life
    const { pricePrecision, qtyPrecision } = this.#market(order.symbol)
    const ahead = isLive(order.status) ? this.#ahead(order, price) : {}
    this.#journal.write(this.#now(), {
      type: 'left',
      orderId: String(order.id),
      status: order.status,
      ...ahead,
      tradesAt: life.tradesAt,
      qtyAt: formatUnits(life.lotsAt, qtyPrecision),
      tradesThrough: life.tradesThrough,
      qtyThrough: formatUnits(life.lotsThrough, qtyPrecision),
      nearest: life.nearest === undefined ? undefined : formatUnits(life.nearest, pricePrecision),
      gaps: life.gaps,
    })
  }

  #market(symbol: string): MarketConfig {
    const market = this.#exchange.markets.find((each) => each.symbol === symbol)
    if (market === undefined) throw new Error(`no market '${symbol}'`)
    return market
  }
}

function see(life: OrderLife, price: number, qty: number): void {
  const sign = life.order.side === 'BUY' ? 1 : -1
  const beyond = (life.price - price) * sign
  if (beyond === 0) {
    life.tradesAt += 1
    life.lotsAt += BigInt(qty)
  } else if (beyond > 0) {
    life.tradesThrough += 1
    life.lotsThrough += BigInt(qty)
  }
  if (life.nearest === undefined || price * sign < life.nearest * sign) life.nearest = price
}
