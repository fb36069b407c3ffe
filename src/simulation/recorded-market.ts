/**
 * One market of a simulation: its crowd, and the listeners of its trades.
 *
 * Invariant: the statistics of a recorded market are those of its tape's rows, whatever orders there are. A row enters
 * them whole, as recorded, before its pieces are emitted, and matches of that row enter nothing. In any other market
 * every match counts.
 * A recorded trade that touches none of your orders is printed directly, in plain numbers and without an object.
 */
import { CROWD, isOfCrowd } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Trade } from '../domain/trade.ts'
import type { Exchange, MarketAccess } from '../exchange/exchange.ts'
import type { CandleWatch } from './candle-watch.ts'
import { CandleMarket } from './candles/candle-market.ts'
import type { CandleOpens } from './candles/candle-opens.ts'
import type { CandleTerms } from './candles/candle-terms.ts'
import { Crowd } from './crowd/crowd.ts'
import { BookPlayer, type BookListener } from './crowd/book-player.ts'
import type { RecordedDepth } from './depth/recorded-depth.ts'
import type { EventQueue } from './event-queue.ts'
import type { LiquidityModel } from './liquidity/liquidity-model.ts'

/** Listener of a market, called synchronously by the exchange; it must not send commands from within. */
export interface MarketListener extends BookListener {
  /**
   * Every public trade of the market, prints included: the pieces that a recorded row came to, and each match of our
   * own taking.
   */
  onTrade(trade: Trade): void
  /** If defined, called for a print instead of `onTrade`, so that no object is allocated: ticks and lots. */
  onPrint?(id: number, time: number, price: number, qty: number, isBuyerMaker: boolean, isBelieved: boolean): void
  /**
   * The market data changed: once a recorded row, after its pieces; in a market that is not recorded, after each trade.
   */
  onMarketData?(time: number): void
}

export interface MarketParts {
  readonly symbol: string
  readonly exchange: Exchange
  readonly queue: EventQueue
  readonly model: LiquidityModel
  /** True when a tape is played into it. */
  readonly isRecorded: boolean
  /** Parts of a market recorded as candles; undefined for any other. */
  readonly candles: CandleParts | undefined
  /** Recorded book or quotes; undefined if there are none. */
  readonly depth: RecordedDepth | undefined
  /** Notifies the listeners of all markets. */
  readonly reportEvents: EventListener
}

/** Parts of a market that was recorded as candles. */
export interface CandleParts {
  readonly opens: CandleOpens
  readonly terms: CandleTerms
  /** Called after the fills of a candle's end were emitted to the listeners of all markets. */
  readonly onEnd: () => void
}

/** Receives the events of every command. */
export type EventListener = (events: readonly ExchangeEvent[]) => void

export class RecordedMarket {
  readonly isRecorded: boolean
  readonly crowd: Crowd
  /** Undefined for a market that was not recorded as candles. */
  readonly candles: CandleMarket | undefined
  /** Undefined for a market without a recorded book or quotes. */
  readonly depth: RecordedDepth | undefined
  /** Replays the recorded book; undefined if there is none. */
  readonly bookPlayer: BookPlayer | undefined
  readonly listeners: MarketListener[] = []
  readonly watches: CandleWatch[] = []
  readonly #symbol: string
  readonly #exchange: Exchange
  readonly #book: MarketAccess
  readonly #queue: EventQueue
  readonly #reportEvents: EventListener

  constructor({ symbol, exchange, queue, model, isRecorded, candles, depth, reportEvents }: MarketParts) {
    this.depth = depth
    this.isRecorded = isRecorded
    this.#symbol = symbol
    this.#exchange = exchange
    this.#book = exchange.market(symbol)
    this.#queue = queue
    this.#reportEvents = reportEvents
    this.crowd = new Crowd(exchange, symbol, model, isRecorded)
    this.bookPlayer = depth === undefined ? undefined : this.#bookPlayer(depth)
    this.candles = candles === undefined ? undefined : this.#candleMarket(candles)
  }

  /** Plays a recorded trade: it matches the orders that it touches, and the rest of it is printed. */
  record(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    this.#queue.advance(time)
    if (this.crowd.isUntouchedBy(price)) {
      const id = this.#book.print(time, price, qty, isBuyerMaker)
      this.#seeRow(time)
      this.#reportPrint(id, time, price, qty, isBuyerMaker, true)
    } else this.#meet(time, price, qty, isBuyerMaker)
    this.crowd.learn(time, price, qty, isBuyerMaker)
    this.bookPlayer?.traded(price, qty, isBuyerMaker)
    this.#reportMarketData(time)
  }

  /** Shows a quarantined print: it is listed and counts in the ticker's volume, without further effect. */
  show(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    this.#queue.advance(time)
    this.#book.enter(time, price, qty, 'volume')
    const id = this.#book.list(time, price, qty, isBuyerMaker)
    this.#reportPrint(id, time, price, qty, isBuyerMaker, false)
    this.#reportMarketData(time)
  }

  /**
   * Plays a print confirmed after its quarantine: it happens now, but is not listed or counted in the ticker's volume
   * again.
   */
  recordLate(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    this.#queue.advance(time)
    this.#book.enter(time, price, qty, 'all-but-volume')
    this.#seeRow(time)
    if (!this.crowd.isUntouchedBy(price)) {
      const trade = { time, price, qty, isBuyerMaker }
      const { events } = this.crowd.meet(trade, 'ours-listed')
      if (events.length > 0) this.#reportEvents(events)
      for (const event of events) if (event.type === 'traded' && !isOfCrowd(event.trade)) this.#reportTrade(event.trade)
    }
    this.crowd.learn(time, price, qty, isBuyerMaker)
    this.#reportMarketData(time)
  }

  /** Candles that are watched and run. */
  get runningCandles(): number {
    return this.candles?.runningCandles ?? this.watches.filter(({ isRunning }) => isRunning).length
  }

  /** Emits the events of a command in this market. */
  report(events: readonly ExchangeEvent[]): void {
    if (events.length === 0) return
    this.#reportEvents(events)
    for (const event of events) {
      if (event.type !== 'traded') continue
      if (!this.isRecorded) this.#seeRow(event.time)
      this.#reportTrade(event.trade)
      if (!this.isRecorded) this.#reportMarketData(event.time)
    }
  }

  #meet(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    this.#book.enter(time, price, qty, 'whole')
    this.#seeRow(time)
    const { events, printed } = this.crowd.meet({ time, price, qty, isBuyerMaker }, 'listed')
    this.report(events)
    if (printed === 0) return
    const id = this.#book.list(time, price, printed, isBuyerMaker)
    this.#reportPrint(id, time, price, printed, isBuyerMaker, true)
  }

  #bookPlayer(depth: RecordedDepth): BookPlayer {
    const { crowd, listeners } = this
    const report: EventListener = (events) => {
      this.report(events)
    }
    return new BookPlayer({ depth, crowd, queue: this.#queue, listeners, report })
  }

  #candleMarket({ opens, terms, onEnd }: CandleParts): CandleMarket {
    return new CandleMarket({
      exchange: this.#exchange,
      symbol: this.#symbol,
      queue: this.#queue,
      opens,
      terms,
      report: (events) => {
        this.report(events)
      },
      onEnd,
      onChange: (time) => {
        this.#reportMarketData(time)
      },
    })
  }

  /** Candles include only price-forming trades. */
  #seeRow(time: number): void {
    for (const watch of this.watches) watch.traded(time)
  }

  #reportTrade(trade: Trade): void {
    for (const listener of this.listeners) listener.onTrade(trade)
  }

  #reportPrint(id: number, time: number, price: number, qty: number, isBuyerMaker: boolean, isBelieved: boolean): void {
    for (const listener of this.listeners) {
      if (listener.onPrint === undefined) listener.onTrade(this.#tradeOf(id, time, price, qty, isBuyerMaker))
      else listener.onPrint(id, time, price, qty, isBuyerMaker, isBelieved)
    }
  }

  #reportMarketData(time: number): void {
    for (const listener of this.listeners) listener.onMarketData?.(time)
  }

  #tradeOf(id: number, createdAt: number, price: number, qty: number, isBuyerMaker: boolean): Trade {
    const sellOrderId = this.#exchange.lastOrderId
    const parties = { buyOrderId: sellOrderId - 1, sellOrderId, buyerId: CROWD, sellerId: CROWD }
    return { id, symbol: this.#symbol, price, qty, ...parties, isBuyerMaker, createdAt }
  }
}
