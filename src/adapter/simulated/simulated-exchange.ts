/**
 * The exchange adapter over a simulated market.
 *
 * Purpose: the exchange of a backtest and of a paper session. Requests arrive after the order latency, answers and
 * account updates after the response latency, market data after the feed latency.
 * Invariants: a client learns only what it could know over a network at that moment. An answer precedes the updates
 * that its request caused; updates of one moment are applied before any is emitted.
 * Known limitation: in a market of candles requests arrive at opens only, and latencies shorter than a candle count as
 * 0.
 * Complexity: one entry of the event queue per request, per answer and per batch of updates.
 * Source: docs/architecture.md follows an order through it; docs/decisions/001-requests-take-a-callback.md.
 */
import type { CandleLength } from '../../domain/candle-length.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant, type ExchangeError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketFees } from '../../domain/market.ts'
import { orderIdOf } from '../../domain/order.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import type { Command } from '../../domain/command.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type {
  ConnectionState,
  EarlierCandles,
  ExchangeAdapter,
  Placement,
  RequestOutcome,
  ReportedCandles,
} from '../exchange-adapter.ts'
import type { IntrabarExecution } from '../intrabar-execution.ts'
import { AccountReports } from './account-reports.ts'
import { AccountUpdates, KnownAccount } from './account-updates.ts'
import { SimulatedBooks } from './books/simulated-books.ts'
import { candleOrderQueues, type CandleOrderQueue } from './candle-order-queue.ts'
import type { Latency } from './latency.ts'
import { NOTHING_EARLIER, refuseTradesOfCandles, reportedCandlesOf, reportedInterval } from './candle-market-data.ts'
import { MarketFeed } from './market-feed.ts'
import { acceptedId, answerOf, NO_OPEN, OVER_LIMIT, refused, symbolOf, TAKEN_BACK } from './sent-request.ts'
import type { Sent } from './sent-request.ts'

export interface SimulatedExchangeOptions {
  readonly account: string
  /** Accounts whose trades are own ones; default: only `account`. */
  readonly ownAccounts?: ReadonlySet<string> | undefined
  readonly latency: Latency
  /** Tags of the orders that are open; default: none. */
  readonly tags?: ReadonlyMap<number, string> | undefined
  /** Rate limits of the account's key, or a budget that accounts share; undefined for none. */
  readonly limits: RateLimits | RateBudget | undefined
}

/** A transfer to the account of an adapter, or from it if it is negative; ledger units. */
export interface AdapterTransfer {
  readonly adapter: SimulatedExchange
  readonly asset: string
  readonly amount: bigint
}

export class SimulatedExchange implements ExchangeAdapter {
  readonly simulated: SimulatedMarkets
  readonly markets: readonly MarketView[]
  readonly updates$: AccountReports['updates$']
  readonly connection$ = new HotStream<ConnectionState>()
  /** Never emits: every read of a simulated market works. */
  readonly faults$ = new HotStream<ExchangeError>()
  /** Set to undefined if the replayed service publishes no order book. */
  books: ExchangeAdapter['books']
  /** Set by the stage of a backtest. */
  series: ExchangeAdapter['series']
  readonly #account: string
  readonly latency: Latency
  readonly #budget: RateBudget | undefined
  readonly #feedsBySymbol: ReadonlyMap<string, MarketFeed>
  readonly #accountUpdates: AccountUpdates
  readonly #reports: AccountReports
  #isClosed = false
  #inFlight = 0
  /** The creation whose events are being emitted; undefined outside of them. */
  arriving: Pick<Sent, 'reference' | 'tag'> | undefined
  readonly #candleQueuesBySymbol: ReadonlyMap<string, CandleOrderQueue>

  /** Requires an account that has its credits. Its open orders are taken over. */
  constructor(simulated: SimulatedMarkets, options: SimulatedExchangeOptions) {
    const { account, ownAccounts = new Set([account]), latency, limits, tags } = options
    const { exchange } = simulated
    this.simulated = simulated
    this.#account = account
    this.latency = latency
    this.#budget = RateBudget.of(limits)
    this.markets = exchange.markets.map((each) => new MarketView(each, each, simulated.market(each.symbol).depth))
    this.#candleQueuesBySymbol = candleOrderQueues(simulated, this.markets, latency)
    this.books = new SimulatedBooks({ simulated, markets: this.markets, feedLatency: this.#feedLatency })
    this.#feedsBySymbol = new Map(
      this.markets.map((market) => [
        market.symbol,
        new MarketFeed(simulated, market, this.#feedLatency(market.symbol), ownAccounts),
      ]),
    )
    this.#accountUpdates = new AccountUpdates(exchange, account, tags)
    this.#reports = new AccountReports(simulated.queue, new KnownAccount(this.#accountUpdates))
    this.updates$ = this.#reports.updates$
    simulated.onEvents(this.#hear)
    simulated.onCandleEnd(() => {
      this.#reports.reportAtEnd()
    })
  }

  now(): number {
    return this.simulated.queue.now()
  }

  trades(symbol: string): MarketFeed['trades'] {
    refuseTradesOfCandles(symbol, this.#candleQueueOf(symbol)?.candles)
    return this.#feed(symbol).trades
  }

  tickers(symbol: string): MarketFeed['tickers'] {
    return this.#feed(symbol).tickers
  }

  candles(symbol: string, interval: CandleLength): ReturnType<MarketFeed['candles']> {
    return this.#feed(symbol).candles(reportedInterval(symbol, interval, this.#candleQueueOf(symbol)?.candles))
  }

  reportedCandles(symbol: string): readonly ReportedCandles[] {
    return reportedCandlesOf(this.#candleQueueOf(symbol)?.candles)
  }

  /** Empty: candles are emitted from the beginning of the run. */
  earlierCandles(): EarlierCandles {
    return NOTHING_EARLIER
  }

  afterCandles(...[symbol, interval, time, action, isAwaited]: Parameters<ExchangeAdapter['afterCandles']>): void {
    const due = Math.max(time + this.#feedLatency(symbol), this.now())
    this.simulated.queue.schedule(due, EVENT_KIND.joined, () => {
      const endsAt = isAwaited && this.#candleQueueOf(symbol)?.candles.closeOfAwaited(isAwaited)
      if (endsAt === undefined) action()
      else this.afterCandles(symbol, interval, endsAt, action, isAwaited)
    })
  }

  insides(symbol: string): IntrabarExecution | undefined {
    return this.#candleQueuesBySymbol.get(symbol)
  }

  prices(symbol: string): HotStream<Decimal> {
    return this.#feed(symbol).prices
  }

  gaps(symbol: string): HotStream<MarketGap> {
    return this.#feed(symbol).gaps
  }

  /** The tape player reports missing rows at the time of the first row after them, before it plays that row. */
  reportGap(gap: MarketGap): void {
    this.#feed(gap.symbol).reportGap(gap)
  }

  /** The strategy's tag of an order during the last emitted events; undefined for none. */
  tagOf(orderId: number): string | undefined {
    return this.#accountUpdates.tagNow(orderId)
  }

  get connection(): ConnectionState {
    return this.#isClosed ? 'closed' : 'connected'
  }

  balances(): OwnBalances {
    return this.#reports.known.balances
  }

  openOrders(): readonly OwnOrder[] {
    return this.#reports.known.openOrders
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#feed(symbol).lastPrice
  }

  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void {
    const { request, tag, inside, reference } = placement
    const command = (time: number): Command => ({ type: 'place', time, account: this.#account, request })
    this.#send({ symbol: request.symbol, command, reply, tag, inside, reference })
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#send(this.#cancelOf(orderId, reply))
  }

  cancelInside(orderId: string, reply: (outcome: RequestOutcome) => void): boolean {
    const sent = this.#cancelOf(orderId, reply)
    const candleQueue = this.#candleQueueOf(sent.symbol)
    if (candleQueue?.isActing !== true || !this.#reports.known.isOpen(orderId) || !this.#takeBudget(this.now()))
      return false
    this.#actInside(candleQueue, sent)
    return true
  }

  withdraw(reference: number): boolean {
    return [...this.#candleQueuesBySymbol.values()].some((candleQueue) => candleQueue.withdraw(reference))
  }

  after(delayMs: number, action: () => void): void {
    this.simulated.queue.schedule(this.now() + delayMs, EVENT_KIND.timer, action)
  }

  at(time: number, action: () => void): void {
    this.simulated.queue.schedule(Math.max(time, this.now()), EVENT_KIND.timer, action, true)
  }

  /** Other fees of every market from now on. What resting buy orders lock changes with them. */
  changeFees(fees: MarketFees): void {
    const isResting = this.simulated.exchange.openOrders(this.#account).length > 0
    this.simulated.changeFees(fees)
    if (isResting) this.#reports.reportLater(this.latency.responseMs, [this.#accountUpdates.ofBalances()])
  }

  /** Disconnects: requests in flight are dropped, and orders that wait for an open expire. Answers still arrive. */
  close(): Promise<void> {
    for (const { symbol } of this.markets) this.#candleQueueOf(symbol)?.candles.expire()
    this.#isClosed = true
    this.connection$.push('closed')
    return Promise.resolve()
  }

  /** Requests that were in flight when the connection ended. */
  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Schedules a request after the order latency (in a market of candles at an open), and its answer after the response
   * latency.
   */
  #send(sent: Sent): void {
    const { queue } = this.simulated
    const candleQueue = this.#candleQueueOf(sent.symbol)
    this.#inFlight += 1
    if (candleQueue !== undefined) {
      this.#sendToCandleQueue(candleQueue, sent)
      return
    }
    queue.enter(queue.now() + this.latency.orderMs, EVENT_KIND.message, () => {
      if (this.#isClosed) return
      this.#inFlight -= 1
      this.#answer(this.latency.responseMs, sent.reply, () =>
        this.#takeBudget(queue.now()) ? this.#arrive(sent) : OVER_LIMIT,
      )
    })
  }

  /** Queues a request for a candle market's next open; the rate limits count it at arrival, which is long before. */
  #sendToCandleQueue(candleQueue: CandleOrderQueue, sent: Sent): void {
    const { reply, inside, reference } = sent
    const { responseMs } = candleQueue.latency
    const answer = (execute: () => RequestOutcome): void => {
      this.#inFlight -= 1
      this.#answer(responseMs, reply, execute)
    }
    if (!this.#takeBudget(this.now())) {
      answer(() => OVER_LIMIT)
      return
    }
    if (inside !== undefined && candleQueue.isActing) {
      this.#inFlight -= 1
      this.#actInside(candleQueue, sent)
      return
    }
    candleQueue.submit({
      reference,
      act: () => {
        answer(() => this.#arrive(sent))
      },
      expire: () => {
        if (reference !== undefined) answer(() => NO_OPEN)
      },
      withdraw: () => {
        answer(() => TAKEN_BACK)
      },
    })
  }

  /** Queued before the command is executed, so that the answer precedes the updates that the command causes. */
  #answer(responseMs: number, reply: (outcome: RequestOutcome) => void, execute: () => RequestOutcome): void {
    const { queue } = this.simulated
    const answer = answerOf(reply)
    const time = queue.now() + responseMs
    this.#reports.awaitAnswer(time)
    queue.enter(time, EVENT_KIND.message, answer.report)
    answer.outcome = execute()
  }

  /** Executes immediately; at an open like any other request, at an end with the answer emitted before the candle. */
  #actInside(candleQueue: CandleOrderQueue, sent: Sent): void {
    if (!candleQueue.isEnding) {
      this.#answer(0, sent.reply, () => this.#arrive(sent))
      return
    }
    const answer = answerOf(sent.reply)
    this.#reports.addAtEnd({ updates: [], report: answer.report })
    answer.outcome = this.#arrive(sent, sent.inside)
  }

  #takeBudget(time: number): boolean {
    return this.#budget === undefined || this.#budget.takeMutation(time)
  }

  /** @param inside  trigger price inside a candle that ends, in the quote asset */
  #arrive(sent: Sent, inside?: Decimal): RequestOutcome {
    const command = sent.command(this.now())
    const written = command.type === 'cancel' ? this.#accountUpdates.tagOf(command.orderId) : sent.tag
    this.arriving = sent
    const events = this.#accountUpdates.tagging(sent.tag, () => this.#execute(command, inside))
    this.arriving = undefined
    const refusal = events.find((event) => event.type === 'order-refused' || event.type === 'cancel-refused')
    if (refusal !== undefined) return refused(refusal.refusal)
    const orderId = command.type === 'cancel' ? command.orderId : acceptedId(events)
    const order = this.simulated.exchange.order(this.#account, orderId)
    invariant(order !== undefined, `the exchange forgot order ${orderId} at once`)
    return { type: 'acknowledged', order: this.#accountUpdates.orderWith(written, order) }
  }

  #execute(command: Command, inside: Decimal | undefined): readonly ExchangeEvent[] {
    if (inside === undefined || command.type !== 'place') return this.simulated.execute(command)
    const { request } = command
    const candleQueue = this.#candleQueueOf(request.symbol)
    invariant(
      request.type === 'MARKET' && candleQueue !== undefined,
      'inside of a candle only a market order is known to be filled',
    )
    return this.simulated.placeInside(this.#account, request, candleQueue.ticksBehind(inside, request.side))
  }

  readonly #feedLatency = (symbol: string): number =>
    (this.#candleQueuesBySymbol.get(symbol)?.latency ?? this.latency).feedMs

  readonly #hear = (events: readonly ExchangeEvent[]): void => {
    const updates = this.#accountUpdates.of(events)
    if (updates.length === 0) return
    const candleQueue = this.#candleQueueOf(symbolOf(events))
    if (candleQueue?.isEnding === true) this.#reports.addAtEnd({ updates, report: undefined })
    else this.#reports.reportLater((candleQueue?.latency ?? this.latency).responseMs, updates)
  }

  /**
   * Reports transfers between accounts, which were executed at this moment, after the response latency.
   * @param onKnown  called when all accounts know theirs, before any of them emits it
   */
  static reportTransfers(transfers: readonly AdapterTransfer[], onKnown: () => void): void {
    const [first] = transfers
    if (first === undefined) return
    const all = transfers.map(({ adapter, asset, amount }) => {
      return { reports: adapter.#reports, updates: adapter.#accountUpdates.ofTransfer(asset, amount) }
    })
    AccountReports.reportTogether(all, first.adapter.latency.responseMs, onKnown)
  }

  #cancelOf(orderId: string, reply: (outcome: RequestOutcome) => void): Sent {
    const id = orderIdOf(orderId)
    const symbol = this.simulated.exchange.order(this.#account, id)?.symbol
    const command = (time: number): Command => ({ type: 'cancel', time, account: this.#account, orderId: id })
    return { symbol, command, reply }
  }

  #candleQueueOf(symbol: string | undefined): CandleOrderQueue | undefined {
    return symbol === undefined ? undefined : this.#candleQueuesBySymbol.get(symbol)
  }

  #feed(symbol: string): MarketFeed {
    const feed = this.#feedsBySymbol.get(symbol)
    invariant(feed !== undefined, `no market '${symbol}'`)
    return feed
  }
}
