/**
 * The exchange adapter over a simulated market: requests arrive after the order latency, answers and account updates after the
 * response latency, market data after the feed latency.
 *
 * Invariant: what it tells its client is what a client over a network could know at that moment.
 */
import type { CandleInterval } from '../../domain/candle.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { isOpen, orderIdOf, type Order, type OrderRequest } from '../../domain/order.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import type { Fill } from '../../domain/trade.ts'
import type { Command } from '../../domain/command.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { AccountUpdate, ExchangeAdapter, RequestOutcome } from '../exchange-adapter.ts'
import { MarketFeed } from './market-feed.ts'
import { ownBalancesOf, ownFillOf, ownOrderOf } from './own-view.ts'

/** Milliseconds, each 0 or more. */
export interface Latency {
  readonly orderMs: number
  readonly responseMs: number
  readonly feedMs: number
}

export interface SimulatedExchangeOptions {
  readonly account: string
  readonly latency: Latency
  /** The limits of the account's key; undefined for none. */
  readonly limits: RateLimits | undefined
}

export class SimulatedExchange implements ExchangeAdapter {
  readonly markets: readonly MarketView[]
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly #simulated: SimulatedMarkets
  readonly #account: string
  readonly #latency: Latency
  readonly #budget: RateBudget | undefined
  readonly #configsBySymbol: ReadonlyMap<string, MarketConfig>
  readonly #feedsBySymbol: ReadonlyMap<string, MarketFeed>
  #knownBalances: OwnBalances
  readonly #knownOpenOrders = new Map<string, OwnOrder>()
  #isClosed = false
  #inFlight = 0

  /** The account's credits are there already; it has no orders yet. */
  constructor(simulated: SimulatedMarkets, { account, latency, limits }: SimulatedExchangeOptions) {
    const { exchange } = simulated
    this.#simulated = simulated
    this.#account = account
    this.#latency = latency
    this.#budget = limits === undefined ? undefined : new RateBudget(limits)
    this.markets = exchange.markets.map((market) => new MarketView(market, market))
    this.#configsBySymbol = new Map(exchange.markets.map((market) => [market.symbol, market]))
    this.#feedsBySymbol = new Map(
      this.markets.map((market) => [market.symbol, new MarketFeed(simulated, market, latency.feedMs, account)]),
    )
    this.#knownBalances = this.#balancesNow()
    simulated.onEvents((events) => {
      this.#tellLater(this.#updatesOf(events))
    })
  }

  now(): number {
    return this.#simulated.queue.now()
  }

  trades(symbol: string): MarketFeed['trades'] {
    return this.#feed(symbol).trades
  }

  tickers(symbol: string): MarketFeed['tickers'] {
    return this.#feed(symbol).tickers
  }

  candles(symbol: string, interval: CandleInterval): ReturnType<MarketFeed['candles']> {
    return this.#feed(symbol).candles(interval)
  }

  balances(): OwnBalances {
    return this.#knownBalances
  }

  openOrders(): readonly OwnOrder[] {
    return [...this.#knownOpenOrders.values()].reverse()
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#feed(symbol).lastPrice
  }

  place(request: OrderRequest, reply: (outcome: RequestOutcome) => void): void {
    this.#send((time) => ({ type: 'place', time, account: this.#account, request }), reply)
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#send((time) => ({ type: 'cancel', time, account: this.#account, orderId: orderIdOf(orderId) }), reply)
  }

  after(delayMs: number, action: () => void): void {
    this.#simulated.queue.schedule(this.now() + delayMs, EVENT_KIND.timer, action)
  }

  /** Ends the connection: requests that are on their way no longer arrive. Answers still do. */
  close(): void {
    this.#isClosed = true
  }

  /** Requests that were on their way when the connection ended. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Lets a request arrive after the order latency, and its answer after the response latency. */
  #send(command: (time: number) => Command, reply: (outcome: RequestOutcome) => void): void {
    const { queue } = this.#simulated
    this.#inFlight += 1
    queue.schedule(queue.now() + this.#latency.orderMs, EVENT_KIND.message, () => {
      if (this.#isClosed) return
      this.#inFlight -= 1
      const answer: { outcome?: RequestOutcome } = {}
      // Queued before the command is executed, so that the answer comes before the updates that the command causes.
      queue.schedule(queue.now() + this.#latency.responseMs, EVENT_KIND.message, () => {
        invariant(answer.outcome !== undefined, 'a request that arrived has an outcome')
        reply(answer.outcome)
      })
      answer.outcome = this.#arrive(command(queue.now()))
    })
  }

  #arrive(command: Command): RequestOutcome {
    if (this.#budget !== undefined && !this.#budget.takeMutation(command.time)) {
      return refused({ code: 'RATE_LIMITED', message: 'the exchange counted too many requests in the window' })
    }
    const events = this.#simulated.execute(command)
    const refusal = events.find((event) => event.type === 'order-refused' || event.type === 'cancel-refused')
    if (refusal !== undefined) return refused(refusal.refusal)
    const orderId = command.type === 'cancel' ? command.orderId : acceptedId(events)
    const order = this.#simulated.exchange.order(this.#account, orderId)
    invariant(order !== undefined, `the exchange forgot order ${orderId} at once`)
    return { type: 'acknowledged', order: this.#ownOrder(order) }
  }

  #tellLater(updates: readonly AccountUpdate[]): void {
    if (updates.length === 0) return
    const { queue } = this.#simulated
    queue.schedule(queue.now() + this.#latency.responseMs, EVENT_KIND.message, () => {
      for (const update of updates) this.#tell(update)
    })
  }

  #tell(update: AccountUpdate): void {
    if (update.type === 'balances') this.#knownBalances = update.balances
    if (update.type === 'order') {
      const { order } = update
      if (isOpen(order.status)) this.#knownOpenOrders.set(order.id, order)
      else this.#knownOpenOrders.delete(order.id)
    }
    this.updates$.push(update)
  }

  #updatesOf(events: readonly ExchangeEvent[]): readonly AccountUpdate[] {
    const updates = events.flatMap((event) => this.#updatesOfEvent(event))
    return updates.length === 0 ? [] : [...updates, { type: 'balances', balances: this.#balancesNow() }]
  }

  #updatesOfEvent(event: ExchangeEvent): readonly AccountUpdate[] {
    switch (event.type) {
      case 'order-accepted':
      case 'order-cancelled':
        return event.order.userId === this.#account ? [{ type: 'order', order: this.#ownOrder(event.order) }] : []
      case 'traded': {
        const { trade, maker, taker, makerFee, takerFee } = event
        const fillOf = (order: Order, isMaker: boolean, fee: bigint): readonly AccountUpdate[] =>
          order.userId === this.#account
            ? this.#fillUpdates({ trade, side: order.side, orderId: order.id, isMaker, fee }, order)
            : []
        return [...fillOf(maker, true, makerFee), ...fillOf(taker, false, takerFee)]
      }
      case 'credited':
      case 'credit-refused':
      case 'order-refused':
      case 'cancel-refused':
        return []
    }
  }

  #fillUpdates(fill: Fill, order: Order): readonly AccountUpdate[] {
    const market = this.#config(order.symbol)
    const quoteScale = this.#simulated.exchange.scales.get(market.quoteAsset) ?? 0
    return [
      { type: 'fill', fill: ownFillOf(fill, market, quoteScale) },
      { type: 'order', order: this.#ownOrder(order) },
    ]
  }

  #ownOrder(order: Order): OwnOrder {
    return ownOrderOf(order, this.#config(order.symbol))
  }

  #balancesNow(): OwnBalances {
    const { exchange } = this.#simulated
    return ownBalancesOf(exchange.balances(this.#account), exchange.scales)
  }

  #config(symbol: string): MarketConfig {
    const config = this.#configsBySymbol.get(symbol)
    invariant(config !== undefined, `no market '${symbol}'`)
    return config
  }

  #feed(symbol: string): MarketFeed {
    const feed = this.#feedsBySymbol.get(symbol)
    invariant(feed !== undefined, `no market '${symbol}'`)
    return feed
  }
}

const refused = (refusal: Refusal): RequestOutcome => ({ type: 'refused', refusal })

function acceptedId(events: readonly ExchangeEvent[]): number {
  const accepted = events.find((event) => event.type === 'order-accepted')
  invariant(accepted !== undefined, 'an order that was not refused was accepted')
  return accepted.order.id
}
