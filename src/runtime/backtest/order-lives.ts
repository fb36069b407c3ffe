/**
 * The lives of the strategy's resting orders, written into the journal so that `why` can tell from the journal alone: a line when
 * an order comes to rest, one for each trade that fills it, and one when it leaves or the run ends.
 *
 * Known limit: it looks into the exchange's book, so of an exchange that shows none it could tell nothing.
 */
import { CROWD } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import { MarketLives } from './market-lives.ts'
import { OrderLife, type Ahead } from './order-life.ts'

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

export class OrderLives {
  readonly #exchange: Exchange
  readonly #account: string
  readonly #journal: Journal
  readonly #now: () => number
  readonly #livesBySymbol: ReadonlyMap<string, MarketLives>

  constructor(exchange: Exchange, account: string, journal: Journal, now: () => number) {
    this.#exchange = exchange
    this.#account = account
    this.#journal = journal
    this.#now = now
    this.#livesBySymbol = new Map(exchange.markets.map((market) => [market.symbol, new MarketLives(market)]))
  }

  /** The lives in one market, which hear of its recorded trades. */
  market(symbol: string): MarketLives {
    const lives = this.#livesBySymbol.get(symbol)
    if (lives === undefined) throw new InvariantError(`no market '${symbol}'`)
    return lives
  }

  onGap(symbol: string): void {
    this.market(symbol).onGap()
  }

  /** Call with the events of each command, after it. */
  onEvents(events: readonly ExchangeEvent[]): void {
    if (!this.#journal.isOn) return
    for (const event of events) {
      if (event.type === 'order-accepted') this.#begin(event.order)
      if (event.type === 'order-cancelled') this.#cancel(event.order)
      if (event.type === 'traded') this.#trade(event)
    }
  }

  /** Writes down the orders that are still open. Call once, at the end. */
  finish(): void {
    for (const lives of this.#livesBySymbol.values()) {
      for (const life of lives.endAll()) this.#write(life.left())
    }
  }

  #begin({ id, userId, symbol, type }: Order): void {
    if (userId !== this.#account || type !== 'LIMIT') return
    // The event has its state before any match.
    const order = this.#exchange.order(userId, id)
    if (order?.price === undefined || !isOpen(order.status)) return
    const lives = this.market(symbol)
    const life = new OrderLife(order, order.price, lives.market, this.#aheadOf(order, order.price))
    lives.begin(life)
    this.#write(life.rested())
  }

  #trade({ trade, maker, taker }: Traded): void {
    if (maker.userId === this.#account) {
      if (taker.userId === CROWD) this.#meet(trade, maker)
      else this.#write(`{"type":"met-own",${filledText(trade, maker)},"takerId":"${taker.id}"}`)
    }
    this.#update(maker)
    // One that rested may have taken at an open.
    this.#update(taker)
    this.#lookAhead(trade.symbol, trade.price)
  }

  #cancel(order: Order): void {
    this.#update(order)
    if (order.price !== undefined) this.#lookAhead(order.symbol, order.price)
  }

  /** A recorded trade filled an order of ours. */
  #meet(trade: Trade, maker: Order): void {
    const lives = this.market(trade.symbol)
    const recorded = lives.onMet(trade, maker)
    const { pricePrecision, qtyPrecision } = lives.market
    const price = formatUnits(recorded.price, pricePrecision)
    const qty = formatTrimmed(recorded.qty, qtyPrecision)
    this.#write(`{"type":"met",${filledText(trade, maker)},"price":"${price}","qty":"${qty}"}`)
  }

  /** Keeps the state of a resting order, and ends its life if it is finished. */
  #update(order: Order): void {
    const lives = this.market(order.symbol)
    const life = lives.get(order.id)
    if (life === undefined) return
    life.order = order
    if (isOpen(order.status)) return
    lives.end(life)
    this.#write(life.left())
  }

  /** Looks again what is ahead of the orders at a price. Done at once, since nothing shows it any more when one is cancelled. */
  #lookAhead(symbol: string, price: number): void {
    for (const life of this.market(symbol).at(price)) life.ahead = this.#aheadOf(life.order, price)
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

  #write(entry: string): void {
    this.#journal.writeText(this.#now(), entry)
  }
}

const filledText = (trade: Trade, maker: Order): string => `"orderId":"${maker.id}","tradeId":"${trade.id}"`
