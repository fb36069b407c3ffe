/**
 * Simulated markets: the exchange, the crowd of each recorded market, and the queue of coming events.
 *
 * Every command to the exchange passes through here, so listeners receive all trades in order.
 */
import { listedInterval, type Candle } from '../domain/candle.ts'
import type { CandleLength } from '../domain/candle-length.ts'
import type { Command } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import { invariant, InvariantError } from '../domain/errors.ts'
import type { MarketFees } from '../domain/market.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { MatchingExchange } from '../exchange/matching-exchange.ts'
import type { Side } from '../domain/order.ts'
import { CandleWatch } from './candle-watch.ts'
import { CandleOpens } from './candles/candle-opens.ts'
import type { MarketRequest } from './candles/candle-orders.ts'
import type { CandleTerms } from './candles/candle-terms.ts'
import type { Crowd } from './crowd/crowd.ts'
import type { RecordedDepth } from './depth/recorded-depth.ts'
import { shownDepth } from './depth/shown-depth.ts'
import type { EventQueue } from './event-queue.ts'
import type { LiquidityModel, RecordedTrade } from './liquidity/liquidity-model.ts'
import { MarketPauses } from './market-pauses.ts'
import { RecordedMarket, type EventListener, type MarketListener } from './recorded-market.ts'

export class SimulatedMarkets {
  readonly exchange: Exchange
  readonly queue: EventQueue
  /** Markets that accept no orders at present. */
  readonly pauses = new MarketPauses()
  readonly #marketsBySymbol: ReadonlyMap<string, RecordedMarket>
  readonly #eventListeners: EventListener[] = []
  readonly #candleEndListeners: (() => void)[] = []

  /**
   * @param liquidity  creates a model for the market of a symbol
   * @param recorded   symbols of the markets into which a tape is played
   * @param candles    terms of those recorded as candles
   * @param depths     of those with a recorded book or quotes
   */
  constructor(
    exchange: Exchange,
    queue: EventQueue,
    liquidity: (symbol: string) => LiquidityModel,
    recorded: ReadonlySet<string> = new Set(),
    candles: ReadonlyMap<string, CandleTerms> = new Map(),
    depths: ReadonlyMap<string, RecordedDepth> = new Map(),
  ) {
    this.exchange = exchange
    this.queue = queue
    const reportEvents = (events: readonly ExchangeEvent[]): void => void this.#hear(events)
    const opens = new CandleOpens(queue)
    const onEnd = (): void => {
      for (const listener of this.#candleEndListeners) listener()
    }
    this.#marketsBySymbol = new Map(
      exchange.markets.map(({ symbol }) => {
        const terms = candles.get(symbol)
        const parts = {
          symbol,
          exchange,
          queue,
          model: liquidity(symbol),
          isRecorded: recorded.has(symbol),
          candles: terms && { opens, terms, onEnd },
          depth: depths.get(symbol),
          reportEvents,
        }
        return [symbol, new RecordedMarket(parts)]
      }),
    )
  }

  /** Adds a listener for every trade of one market. */
  listen(symbol: string, listener: MarketListener): void {
    this.market(symbol).listeners.push(listener)
  }

  /** Adds a listener for the events of every command, except the crowd's ladders. */
  onEvents(listener: EventListener): void {
    this.#eventListeners.push(listener)
  }

  /**
   * Adds a callback for the moment after the fills of a recorded candle's end were emitted, and before the candle is.
   */
  onCandleEnd(listener: () => void): void {
    this.#candleEndListeners.push(listener)
  }

  /**
   * Calls `onClose` at the boundary of every candle that has a trade, the running one included.
   *
   * @param interval  listed; or that of a tape of candles
   */
  watchCandles(symbol: string, interval: CandleLength, onClose: (candle: Candle) => void): void {
    const { candles, watches } = this.market(symbol)
    if (candles !== undefined) {
      candles.watch(interval, onClose)
      return
    }
    const watch = new CandleWatch(this.queue, this.exchange, symbol, listedInterval(interval), onClose)
    watches.push(watch)
    watch.start()
  }

  /** Candles that are watched and were not over when the tapes ended. */
  get runningCandles(): number {
    return [...this.#marketsBySymbol.values()].reduce((sum, { runningCandles }) => sum + runningCandles, 0)
  }

  /** Plays a recorded trade into a recorded market; callers with many trades should look the market up once. */
  record(symbol: string, { time, price, qty, isBuyerMaker }: RecordedTrade): void {
    const market = this.market(symbol)
    invariant(market.isRecorded, `${symbol} is not a recorded market`)
    market.record(time, price, qty, isBuyerMaker)
  }

  /** The crowd of one market, for inspection. */
  crowd(symbol: string): Crowd {
    return this.market(symbol).crowd
  }

  /**
   * Depth of a market: the recorded book plus the orders of others; without a recorded book, resting orders only.
   *
   * @param levels  per side; default: all
   */
  depth(symbol: string, levels?: number): Depth {
    const { crowd } = this.market(symbol)
    const { recordedBook } = crowd.model
    if (recordedBook === undefined) return this.exchange.depth(symbol, levels)
    const crowdAt = (side: Side, price: number): number => crowd.queuedAt(side, price)
    return shownDepth(recordedBook, { resting: this.exchange.depth(symbol), crowdAt, levels })
  }

  market(symbol: string): RecordedMarket {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }

  /** A command of a participant, at the present time. */
  execute(command: Command): readonly ExchangeEvent[] {
    invariant(command.time === this.queue.now(), 'a command is executed when it arrives')
    if (command.type === 'place') return this.#place(command)
    return this.#hearCancelled(this.exchange.execute(command))
  }

  #hearCancelled(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
    for (const event of events) {
      if (event.type === 'order-cancelled') this.crowd(event.order.symbol).onCancelled(event.time, event.order)
    }
    return this.#hear(events)
  }

  /** Other fees of every market from now on. */
  changeFees(fees: MarketFees): void {
    const { exchange, queue } = this
    invariant(exchange instanceof MatchingExchange, 'the fees of this exchange can change')
    for (const { symbol } of exchange.markets) this.#hearCancelled(exchange.changeFees(symbol, fees, queue.now()))
  }

  /**
   * A market order that waited for a price and was triggered inside of a recorded candle, at its end.
   *
   * @param price  in ticks, at which it was to act
   */
  placeInside(account: string, request: MarketRequest, price: number): readonly ExchangeEvent[] {
    const market = this.market(request.symbol)
    invariant(market.candles?.isEnding === true, 'inside of a candle that ends')
    const events = market.candles.orders.placeInside(this.queue.now(), account, request, price)
    market.report(events)
    return events
  }

  #place(command: Extract<Command, { type: 'place' }>): readonly ExchangeEvent[] {
    const { time, account, request } = command
    const refused = this.pauses.refusalOf(command)
    if (refused !== undefined) return this.#hear([refused])
    const market = this.#marketsBySymbol.get(request.symbol)
    // An unknown market is the exchange's to refuse.
    if (market === undefined) return this.#hear(this.exchange.execute(command))
    const { candles, crowd } = market
    const events = (candles === undefined ? crowd : candles.orders).place(time, account, request)
    market.report(events)
    return events
  }

  #hear(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
    for (const listener of this.#eventListeners) listener(events)
    return events
  }
}
