/**
 * The exchange adapter over a simulated market: requests arrive after the order latency, answers and account updates after the
 * response latency, market data after the feed latency.
 *
 * Invariant: what it tells its client is what a client over a network could know at that moment.
 */
import type { CandleLength } from '../../domain/candle-length.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { invariant, type ExchangeError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { isOpen, orderIdOf } from '../../domain/order.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import type { Command } from '../../domain/command.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { CandleMarket } from '../../simulation/candles/candle-market.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type {
  AccountUpdate,
  ConnectionState,
  EarlierCandles,
  ExchangeAdapter,
  Placement,
  RequestOutcome,
  ToldCandles,
} from '../exchange-adapter.ts'
import { AccountUpdates } from './account-updates.ts'
import { refuseTradesOfCandles, toldCandlesOf, toldInterval } from './candle-market-data.ts'
import { MarketFeed } from './market-feed.ts'

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
  readonly connection$ = new HotStream<ConnectionState>()
  /** None: every read of a simulated market works. */
  readonly faults$ = new HotStream<ExchangeError>()
  readonly #simulated: SimulatedMarkets
  readonly #account: string
  readonly #latency: Latency
  readonly #budget: RateBudget | undefined
  readonly #symbols: ReadonlySet<string>
  readonly #feedsBySymbol: ReadonlyMap<string, MarketFeed>
  readonly #accountUpdates: AccountUpdates
  #knownBalances: OwnBalances
  readonly #knownOpenOrders = new Map<string, OwnOrder>()
  #isClosed = false
  #inFlight = 0
  /** When the last answer is due; Unix milliseconds. */
  #answersUntil = Number.NEGATIVE_INFINITY
  /** What the end of a candle filled, until everyone has heard of it. */
  #candleFills: (readonly AccountUpdate[])[] = []

  /** The account's credits are there already; it has no orders yet. */
  constructor(simulated: SimulatedMarkets, { account, latency, limits }: SimulatedExchangeOptions) {
    const { exchange } = simulated
    this.#simulated = simulated
    this.#account = account
    this.#latency = latency
    this.#budget = limits === undefined ? undefined : new RateBudget(limits)
    this.markets = exchange.markets.map((market) => new MarketView(market, market))
    this.#symbols = new Set(exchange.markets.map(({ symbol }) => symbol))
    this.#feedsBySymbol = new Map(
      this.markets.map((market) => [
        market.symbol,
        new MarketFeed(simulated, market, this.#feedLatency(market.symbol), account),
      ]),
    )
    this.#accountUpdates = new AccountUpdates(exchange, account)
    this.#knownBalances = this.#accountUpdates.balances()
    simulated.onEvents((events) => {
      this.#hear(events)
    })
    simulated.onCandleEnd(() => {
      this.#tellCandleFills()
    })
  }

  now(): number {
    return this.#simulated.queue.now()
  }

  trades(symbol: string): MarketFeed['trades'] {
    refuseTradesOfCandles(symbol, this.#candlesOf(symbol))
    return this.#feed(symbol).trades
  }

  tickers(symbol: string): MarketFeed['tickers'] {
    return this.#feed(symbol).tickers
  }

  candles(symbol: string, interval: CandleLength): ReturnType<MarketFeed['candles']> {
    return this.#feed(symbol).candles(toldInterval(symbol, interval, this.#candlesOf(symbol)))
  }

  toldCandles(symbol: string): readonly ToldCandles[] {
    return toldCandlesOf(this.#candlesOf(symbol))
  }

  /** None: it tells from the beginning of its time. */
  earlierCandles(): EarlierCandles {
    return NOTHING_EARLIER
  }

  afterCandles(symbol: string, _interval: CandleLength, time: number, action: () => void): void {
    const { queue } = this.#simulated
    queue.schedule(Math.max(time + this.#feedLatency(symbol), this.now()), EVENT_KIND.joined, action)
  }

  isOfCandles(symbol: string): boolean {
    return this.#candlesOf(symbol) !== undefined
  }

  prices(symbol: string): HotStream<Decimal> {
    return this.#feed(symbol).prices
  }

  gaps(symbol: string): HotStream<MarketGap> {
    return this.#feed(symbol).gaps
  }

  /** Whoever plays the tape says where rows of it are missing, at the time of the first row behind and before that is played. */
  tellGap(gap: MarketGap): void {
    this.#feed(gap.symbol).tellGap(gap)
  }

  /** The strategy's text on an order, at the events that were heard last; undefined for none. */
  tagOf(orderId: number): string | undefined {
    return this.#accountUpdates.tagNow(orderId)
  }

  get connection(): ConnectionState {
    return this.#isClosed ? 'closed' : 'connected'
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

  place({ request, tag }: Placement, reply: (outcome: RequestOutcome) => void): void {
    this.#send(request.symbol, (time) => ({ type: 'place', time, account: this.#account, request }), reply, tag)
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    const id = orderIdOf(orderId)
    const symbol = this.#simulated.exchange.order(this.#account, id)?.symbol
    this.#send(symbol, (time) => ({ type: 'cancel', time, account: this.#account, orderId: id }), reply)
  }

  after(delayMs: number, action: () => void): void {
    this.#simulated.queue.schedule(this.now() + delayMs, EVENT_KIND.timer, action)
  }

  at(time: number, action: () => void): void {
    this.#simulated.queue.schedule(Math.max(time, this.now()), EVENT_KIND.timer, action, true)
  }

  /**
   * Ends the connection: requests that are on their way no longer arrive, and an order that waits for an open finds none. Answers still
   * come.
   */
  close(): Promise<void> {
    for (const { symbol } of this.markets) this.#candlesOf(symbol)?.expire()
    this.#isClosed = true
    this.connection$.push('closed')
    return Promise.resolve()
  }

  /** Requests that were on their way when the connection ended. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Lets a request arrive after the order latency, or at an open, and its answer after the response latency. */
  #send(
    symbol: string | undefined,
    command: (time: number) => Command,
    reply: (outcome: RequestOutcome) => void,
    tag?: string,
  ): void {
    const { queue } = this.#simulated
    const candles = this.#candlesOf(symbol)
    this.#inFlight += 1
    if (candles !== undefined) {
      this.#sendToOpen(candles, command, reply, tag)
      return
    }
    queue.schedule(queue.now() + this.#latency.orderMs, EVENT_KIND.message, () => {
      if (this.#isClosed) return
      this.#inFlight -= 1
      const { responseMs } = this.#latency
      this.#answer(responseMs, reply, () =>
        this.#takeBudget(queue.now()) ? this.#arrive(command(queue.now()), tag) : OVER_LIMIT,
      )
    })
  }

  /** A market of candles takes requests at opens alone; its limits count them when they come, which is long before. */
  #sendToOpen(
    candles: CandleMarket,
    command: (time: number) => Command,
    reply: (outcome: RequestOutcome) => void,
    tag: string | undefined,
  ): void {
    const { queue } = this.#simulated
    const { orderMs, responseMs } = latencyOn(candles, this.#latency)
    const sent = command(queue.now())
    if (!this.#takeBudget(sent.time)) {
      this.#inFlight -= 1
      this.#answer(responseMs, reply, () => OVER_LIMIT)
      return
    }
    candles.submit({
      from: sent.time + orderMs,
      isCancel: sent.type === 'cancel',
      act: () => {
        this.#inFlight -= 1
        this.#answer(responseMs, reply, () => this.#arrive(command(queue.now()), tag))
      },
      expire: () => {
        if (sent.type === 'cancel') return
        this.#inFlight -= 1
        this.#answer(responseMs, reply, () => NO_OPEN)
      },
    })
  }

  /** Queued before the command is executed, so that the answer comes before the updates that the command causes. */
  #answer(responseMs: number, reply: (outcome: RequestOutcome) => void, execute: () => RequestOutcome): void {
    const { queue } = this.#simulated
    const answer: { outcome?: RequestOutcome } = {}
    const time = queue.now() + responseMs
    this.#answersUntil = Math.max(this.#answersUntil, time)
    queue.schedule(time, EVENT_KIND.message, () => {
      invariant(answer.outcome !== undefined, 'a request that arrived has an outcome')
      reply(answer.outcome)
    })
    answer.outcome = execute()
  }

  #takeBudget(time: number): boolean {
    return this.#budget === undefined || this.#budget.takeMutation(time)
  }

  #arrive(command: Command, tag: string | undefined): RequestOutcome {
    const written = command.type === 'cancel' ? this.#accountUpdates.tagOf(command.orderId) : tag
    const events = this.#accountUpdates.tagging(tag, () => this.#simulated.execute(command))
    const refusal = events.find((event) => event.type === 'order-refused' || event.type === 'cancel-refused')
    if (refusal !== undefined) return refused(refusal.refusal)
    const orderId = command.type === 'cancel' ? command.orderId : acceptedId(events)
    const order = this.#simulated.exchange.order(this.#account, orderId)
    invariant(order !== undefined, `the exchange forgot order ${orderId} at once`)
    return { type: 'acknowledged', order: this.#accountUpdates.orderWith(written, order) }
  }

  #feedLatency(symbol: string): number {
    const candles = this.#candlesOf(symbol)
    return candles === undefined ? this.#latency.feedMs : latencyOn(candles, this.#latency).feedMs
  }

  #hear(events: readonly ExchangeEvent[]): void {
    const updates = this.#accountUpdates.of(events)
    const [first] = updates
    if (first === undefined) return
    const candles = this.#candlesOf(symbolOf(events))
    const responseMs = candles === undefined ? this.#latency.responseMs : latencyOn(candles, this.#latency).responseMs
    if (candles?.isEnding === true && responseMs === 0) this.#candleFills.push(updates)
    else this.#tellLater(responseMs, updates)
  }

  /** Before the candle that filled them is published. */
  #tellCandleFills(): void {
    const updates = this.#candleFills
    this.#candleFills = []
    this.#tell(updates.flat())
  }

  /**
   * What a recorded trade filled is told before a candle that ends then, or a timer: whoever acts on a candle knows of it. Behind an answer
   * that is due at the same moment, which may be that to the order which was filled.
   */
  #tellLater(responseMs: number, updates: readonly AccountUpdate[]): void {
    const { queue } = this.#simulated
    const time = queue.now() + responseMs
    const kind = time <= this.#answersUntil ? EVENT_KIND.message : EVENT_KIND.data
    queue.schedule(time, kind, () => {
      this.#tell(updates)
    })
  }

  /** What happened at one moment is known before any of it is told. */
  #tell(updates: readonly AccountUpdate[]): void {
    for (const update of updates) this.#know(update)
    for (const update of updates) this.updates$.push(update)
  }

  #know(update: AccountUpdate): void {
    if (update.type === 'balances') this.#knownBalances = update.balances
    if (update.type !== 'order') return
    const { order } = update
    if (isOpen(order.status)) this.#knownOpenOrders.set(order.id, order)
    else this.#knownOpenOrders.delete(order.id)
  }

  /** Undefined for a market that was not recorded as candles, and for an unknown one. */
  #candlesOf(symbol: string | undefined): CandleMarket | undefined {
    const isKnown = symbol !== undefined && this.#symbols.has(symbol)
    return isKnown ? this.#simulated.market(symbol).candles : undefined
  }

  #feed(symbol: string): MarketFeed {
    const feed = this.#feedsBySymbol.get(symbol)
    invariant(feed !== undefined, `no market '${symbol}'`)
    return feed
  }
}

/** Latencies of less than a candle are none in a market that has no time inside of one. */
function latencyOn({ intervalMs }: CandleMarket, latency: Latency): Latency {
  const counted = (ms: number): number => (ms < intervalMs ? 0 : ms)
  const { orderMs, responseMs, feedMs } = latency
  return { orderMs: counted(orderMs), responseMs: counted(responseMs), feedMs: counted(feedMs) }
}

/** The market of what happened; undefined for a credit. */
function symbolOf(events: readonly ExchangeEvent[]): string | undefined {
  for (const event of events) {
    if (event.type === 'traded') return event.trade.symbol
    if (event.type === 'order-accepted' || event.type === 'order-cancelled') return event.order.symbol
  }
  return undefined
}

const refused = (refusal: Refusal): RequestOutcome => ({ type: 'refused', refusal })

const NOTHING_EARLIER: EarlierCandles = { since: Number.NEGATIVE_INFINITY, candles: [] }
const OVER_LIMIT = refused({ code: 'RATE_LIMITED', message: 'the exchange counted too many requests in the window' })
const NO_OPEN = refused({ code: 'NO_LIQUIDITY', message: 'the market did not open any more' })

function acceptedId(events: readonly ExchangeEvent[]): number {
  const accepted = events.find((event) => event.type === 'order-accepted')
  invariant(accepted !== undefined, 'an order that was not refused was accepted')
  return accepted.order.id
}
