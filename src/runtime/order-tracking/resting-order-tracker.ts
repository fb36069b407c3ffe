/**
 * Tracks queue position and fill figures of the strategy's resting orders, for `why`.
 *
 * Purpose: everything is written to the journal, so that `why` needs nothing else: a line when an order comes to rest,
 * one per trade or change of the recorded book that fills it, and one when it leaves or the run ends.
 * Known limitation: it needs the crowd's resting quantity, so it is unavailable on exchanges that do not report it.
 */
import { CROWD } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import type { BookPlayer } from '../../simulation/crowd/book-player.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { Journal } from '../journal/journal.ts'
import { MarketOrderTracker } from './market-order-tracker.ts'
import { leftText, restedText } from './tracked-resting-order.ts'
import { lotsLeft } from './resting-orders-by-side.ts'

/** Ticks and lots. */
interface PricedLots {
  readonly price: number
  readonly qty: number
}

/** The strategy's account, and all whose orders count as its own: those of the strategies on one wallet. */
interface TrackedAccounts {
  readonly account: string
  readonly ownAccounts: ReadonlySet<string>
}

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

export class RestingOrderTracker {
  readonly #simulated: SimulatedMarkets
  readonly #accounts: TrackedAccounts
  readonly #journal: Journal
  readonly #trackersBySymbol: ReadonlyMap<string, MarketOrderTracker>

  constructor(simulated: SimulatedMarkets, accounts: TrackedAccounts, journal: Journal) {
    this.#simulated = simulated
    this.#accounts = accounts
    this.#journal = journal
    const { markets } = simulated.exchange
    this.#trackersBySymbol = new Map(markets.map((market) => [market.symbol, new MarketOrderTracker(market)]))
  }

  /** Tracks the orders that rest already: those of an earlier session, from their present place in the queue. */
  takeOver(): void {
    if (!this.#journal.isOn) return
    const { exchange } = this.#simulated
    const open = [...this.#accounts.ownAccounts].flatMap((account) => exchange.openOrders(account))
    for (const order of open.toSorted((a, b) => a.id - b.id)) {
      const { symbol, side, price } = order
      if (price === undefined) continue
      const queue = exchange.restingAt(symbol, side, price)
      const ahead = queue.slice(
        0,
        queue.findIndex(({ orderId }) => orderId === order.id),
      )
      const crowdLots = ahead.reduce((sum, { account, qty }) => (account === CROWD ? sum + qty : sum), 0)
      this.#track(order, price, crowdLots)
    }
  }

  /** The orders in one market, which receive its recorded trades. */
  market(symbol: string): MarketOrderTracker {
    const trackers = this.#trackersBySymbol.get(symbol)
    if (trackers === undefined) throw new InvariantError(`no market '${symbol}'`)
    return trackers
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
      if (event.type === 'order-reduced') this.market(event.order.symbol).onCrowdCancelled(event.order, event.lots)
      if (event.type === 'traded') this.#trade(event)
    }
  }

  /** Writes the orders that are still open. Call once, at the end. */
  finish(): void {
    for (const trackers of this.#trackersBySymbol.values()) {
      for (const [{ order }, figures] of trackers.open())
        this.#writeOf([order], leftText(order, figures, trackers.market))
    }
  }

  #begin({ id, userId, symbol, type }: Order): void {
    if (!this.#isOwn(userId) || type !== 'LIMIT') return
    // The event has the state before any match.
    const order = this.#simulated.exchange.order(userId, id)
    if (order?.price === undefined || !isOpen(order.status)) return
    this.#track(order, order.price, this.#simulated.crowd(symbol).queuedAt(order.side, order.price))
  }

  /** @param crowdLots  ahead of it */
  #track(order: Order, price: number, crowdLots: number): void {
    const trackers = this.market(order.symbol)
    const tracked = trackers.begin(order, price, crowdLots)
    this.#writeOf([order], restedText(order.id, trackers.ahead(tracked), trackers.market))
  }

  #cancel(order: Order): void {
    if (order.userId !== CROWD) this.#update(order, false)
    else if (this.#bookPlayer(order)?.isActing === true)
      this.market(order.symbol).onCrowdCancelled(order, lotsLeft(order))
  }

  #trade({ trade, maker, taker }: Traded): void {
    if (this.#isOwn(maker.userId)) {
      if (taker.userId === CROWD)
        this.#writeOf(
          [maker],
          this.#bookPlayer(maker)?.isCrossing === true ? this.#metByBook(trade, maker, taker) : this.#met(trade, maker),
        )
      else this.#writeOf([maker, taker], `"type":"met-own",${filledText(trade, maker)},"takerId":"${taker.id}"}`)
    } else if (maker.userId === CROWD) this.market(trade.symbol).onCrowdTraded(trade, maker)
    this.#update(maker, false)
    // A resting order may have taken at an open.
    this.#update(taker, true)
  }

  /** The book player, if the event comes from a change of the recorded book. */
  #bookPlayer({ symbol }: Order): BookPlayer | undefined {
    return this.#simulated.market(symbol).bookPlayer
  }

  /** A recorded trade filled an order of ours. */
  #met(trade: Trade, maker: Order): string {
    const trackers = this.market(trade.symbol)
    const recorded = trackers.onMet(trade, maker)
    return `"type":"met",${filledText(trade, maker)},${levelText(recorded, trackers.market)}}`
  }

  /** A level of the recorded book's other side filled it, which is the limit of the crowd's order. */
  #metByBook(trade: Trade, maker: Order, { price = trade.price, qty }: Order): string {
    const level = levelText({ price, qty }, this.market(trade.symbol).market)
    return `"type":"met",${filledText(trade, maker)},${level},"by":"book"}`
  }

  /** Updates a resting order, and stops tracking it if it is finished. */
  #update(order: Order, isTaker: boolean): void {
    const trackers = this.market(order.symbol)
    const tracked = trackers.get(order.id)
    if (tracked === undefined) return
    if (isOpen(order.status)) trackers.change(tracked, order, isTaker)
    else this.#writeOf([order], leftText(order, trackers.end(tracked, order), trackers.market))
  }

  #isOwn(account: string): boolean {
    return this.#accounts.ownAccounts.has(account)
  }

  /** Writes a line if one of its orders is the strategy's own: others have journals of theirs. */
  #writeOf(orders: readonly Pick<Order, 'userId'>[], fields: string): void {
    if (!orders.some(({ userId }) => userId === this.#accounts.account)) return
    this.#journal.writeFields(this.#simulated.queue.now(), fields)
  }
}

const levelText = ({ price, qty }: PricedLots, { pricePrecision, qtyPrecision }: MarketConfig): string =>
  `"price":"${formatUnits(price, pricePrecision)}","qty":"${formatTrimmed(qty, qtyPrecision)}"`

const filledText = (trade: Trade, maker: Order): string => `"orderId":"${maker.id}","tradeId":"${trade.id}"`
