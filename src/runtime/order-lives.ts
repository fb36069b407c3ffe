/**
 * The lives of the strategy's resting orders, written into the journal so that `why` can tell from the journal alone: a line when
 * an order comes to rest, one for each trade that fills it, and one when it leaves or the run ends.
 *
 * Invariant: a recorded trade costs nothing while no order rests in its market.
 * Known limit: it looks into the exchange's book, so of an exchange that shows none it could tell nothing.
 */
import { CROWD } from '../domain/command.ts'
import { invariant } from '../domain/errors.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { MarketConfig } from '../domain/market.ts'
import { isLive, type Order } from '../domain/order.ts'
import type { Trade } from '../domain/trade.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RecordedTrade } from '../simulation/liquidity/liquidity-model.ts'
import type { Journal } from './journal.ts'
import { OrderLife, type Ahead } from './order-life.ts'

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

export class OrderLives {
  readonly #exchange: Exchange
  readonly #account: string
  readonly #journal: Journal
  readonly #now: () => number
  readonly #livesBySymbol: ReadonlyMap<string, Map<number, OrderLife>>
  /** The recorded trade that is being played, when there is an order that it may meet. */
  #recorded: RecordedTrade | undefined

  constructor(exchange: Exchange, account: string, journal: Journal, now: () => number) {
    this.#exchange = exchange
    this.#account = account
    this.#journal = journal
    this.#now = now
    this.#livesBySymbol = new Map(exchange.markets.map(({ symbol }) => [symbol, new Map<number, OrderLife>()]))
  }

  /** Call before a recorded trade is played. */
  onRecorded(symbol: string, trade: RecordedTrade): void {
    const lives = this.#lives(symbol)
    if (lives.size === 0) return
    this.#recorded = trade
    for (const life of lives.values()) life.see(trade)
  }

  onGap(symbol: string): void {
    for (const life of this.#lives(symbol).values()) life.cross()
  }

  /** Call with the events of each command, after it. */
  onEvents(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'order-accepted') this.#begin(event.order)
      if (event.type === 'order-cancelled') this.#cancel(event.order)
      if (event.type === 'traded') this.#trade(event)
    }
  }

  /** Writes down the orders that are still open. Call once, at the end. */
  finish(): void {
    for (const lives of this.#livesBySymbol.values()) {
      for (const life of lives.values()) this.#journal.write(this.#now(), life.left())
      lives.clear()
    }
  }

  #begin({ id, userId, symbol, type }: Order): void {
    if (userId !== this.#account || type !== 'LIMIT') return
    // The event has its state before any match.
    const order = this.#exchange.order(userId, id)
    if (order?.price === undefined || !isLive(order.status)) return
    const life = new OrderLife(order, order.price, this.#market(symbol), this.#aheadOf(order, order.price))
    this.#lives(symbol).set(id, life)
    this.#journal.write(this.#now(), life.rested())
  }

  #trade({ trade, maker, taker }: Traded): void {
    if (maker.userId === this.#account) {
      if (taker.userId === CROWD) this.#meet(trade, maker)
      else this.#writeFilled('met-own', trade, maker, { takerId: String(taker.id) })
    }
    this.#update(maker)
    this.#lookAhead(trade.symbol, trade.price)
  }

  #cancel(order: Order): void {
    this.#update(order)
    if (order.price !== undefined) this.#lookAhead(order.symbol, order.price)
  }

  /** A recorded trade filled an order of ours. */
  #meet(trade: Trade, maker: Order): void {
    const recorded = this.#recorded
    invariant(recorded !== undefined, 'the crowd takes from our orders by recorded trades only')
    for (const life of this.#lives(trade.symbol).values()) life.seeOurs(recorded, trade, maker)
    const { pricePrecision, qtyPrecision } = this.#market(trade.symbol)
    this.#writeFilled('met', trade, maker, {
      price: formatUnits(recorded.price, pricePrecision),
      qty: formatTrimmed(recorded.qty, qtyPrecision),
    })
  }

  /** A resting order of ours was filled, `by` what. */
  #writeFilled(type: 'met' | 'met-own', trade: Trade, maker: Order, by: Readonly<Record<string, string>>): void {
    this.#journal.write(this.#now(), { type, orderId: String(maker.id), tradeId: String(trade.id), ...by })
  }

  /** Keeps the state of a resting order, and ends its life if it is finished. */
  #update(order: Order): void {
    const lives = this.#lives(order.symbol)
    const life = lives.get(order.id)
    if (life === undefined) return
    life.order = order
    if (isLive(order.status)) return
    lives.delete(order.id)
    this.#journal.write(this.#now(), life.left())
  }

  /** Looks again what is ahead of the orders at a price. Done at once, since nothing shows it any more when one is cancelled. */
  #lookAhead(symbol: string, price: number): void {
    for (const life of this.#lives(symbol).values()) {
      if (life.price === price) life.ahead = this.#aheadOf(life.order, price)
    }
  }

  #aheadOf({ id, symbol, side }: Order, price: number): Ahead {
    let [crowd, ours] = [0n, 0n]
    for (const { orderId, account, qty } of this.#exchange.restingAt(symbol, side, price)) {
      if (orderId === id) break
      if (account === CROWD) crowd += BigInt(qty)
      else ours += BigInt(qty)
    }
    return { crowd, ours }
  }

  #lives(symbol: string): Map<number, OrderLife> {
    const lives = this.#livesBySymbol.get(symbol)
    invariant(lives !== undefined, `no market '${symbol}'`)
    return lives
  }

  #market(symbol: string): MarketConfig {
    const market = this.#exchange.markets.find((each) => each.symbol === symbol)
    invariant(market !== undefined, `no market '${symbol}'`)
    return market
  }
}
