/**
 * A living market: the exchange, the crowd of each recorded market, and what is yet to happen.
 *
 * Everything that reaches the exchange goes through here, so whoever listens hears every trade in its order.
 */
import type { Candle, CandleInterval } from '../domain/candle.ts'
import { CROWD, type Command } from '../domain/command.ts'
import { invariant, InvariantError } from '../domain/errors.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Trade } from '../domain/trade.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { CandleWatch } from './candle-watch.ts'
import { Crowd } from './crowd.ts'
import type { EventQueue } from './event-queue.ts'
import type { LiquidityModel, RecordedTrade } from './liquidity/liquidity-model.ts'

/** What happens in a market, as it happens at the exchange; a listener must not send commands from within. */
export interface MarketListener {
  /** Every public trade of the market, prints included. */
  readonly onTrade: (trade: Trade) => void
}

interface SimulatedBook {
  readonly crowd: Crowd
  readonly listeners: MarketListener[]
  readonly watches: CandleWatch[]
}

export class SimulatedMarket {
  readonly exchange: Exchange
  readonly queue: EventQueue
  readonly #booksBySymbol: ReadonlyMap<string, SimulatedBook>
  readonly #eventListeners: ((events: readonly ExchangeEvent[]) => void)[] = []

  /** @param liquidity  gives a fresh model for the market of a symbol */
  constructor(exchange: Exchange, queue: EventQueue, liquidity: (symbol: string) => LiquidityModel) {
    this.exchange = exchange
    this.queue = queue
    this.#booksBySymbol = new Map(
      exchange.markets.map(({ symbol }) => [
        symbol,
        { crowd: new Crowd(exchange, symbol, liquidity(symbol)), listeners: [], watches: [] },
      ]),
    )
  }

  /** Hears every trade of one market. */
  listen(symbol: string, listener: MarketListener): void {
    this.#book(symbol).listeners.push(listener)
  }

  /** Hears the events of every command, the crowd's ladders aside. */
  onEvents(listener: (events: readonly ExchangeEvent[]) => void): void {
    this.#eventListeners.push(listener)
  }

  /** Calls `onClose` at the boundary of every candle that has a trade, the running one included. */
  watchCandles(symbol: string, interval: CandleInterval, onClose: (candle: Candle) => void): void {
    const watch = new CandleWatch(this.queue, this.exchange, symbol, interval, onClose)
    this.#book(symbol).watches.push(watch)
    watch.start()
  }

  /** A trade that was recorded: it meets the orders that it touches, and the rest of it is printed. */
  record(symbol: string, trade: RecordedTrade): void {
    const book = this.#book(symbol)
    this.queue.advance(trade.time)
    const { events, printed } = book.crowd.meet(trade)
    this.#tell(book, events)
    if (printed > 0) this.#print(symbol, book, trade, printed)
    book.crowd.learn(trade)
  }

  /** Something is missing from the tape of a market between its last trade and the next one. */
  gap(symbol: string): void {
    this.#book(symbol).crowd.gap()
  }

  /** The crowd of one market, to look at. */
  crowd(symbol: string): Crowd {
    return this.#book(symbol).crowd
  }

  /** A command of a participant, at the present time. */
  execute(command: Command): readonly ExchangeEvent[] {
    invariant(command.time === this.queue.now(), 'a command is executed when it arrives')
    if (command.type === 'place') return this.#place(command)
    const events = this.exchange.execute(command)
    for (const event of events) {
      if (event.type === 'order-cancelled') this.#book(event.order.symbol).crowd.tidy(event.time)
    }
    return this.#hear(events)
  }

  #hear(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
    for (const listener of this.#eventListeners) listener(events)
    return events
  }

  #place(command: Extract<Command, { type: 'place' }>): readonly ExchangeEvent[] {
    const { time, account, request } = command
    const book = this.#booksBySymbol.get(request.symbol)
    // An unknown market is the exchange's to refuse.
    if (book === undefined) return this.#hear(this.exchange.execute(command))
    const events = book.crowd.place(time, account, request)
    this.#tell(book, events)
    return events
  }

  #print(symbol: string, book: SimulatedBook, { time, price, isBuyerMaker }: RecordedTrade, qty: number): void {
    const id = this.exchange.print({ symbol, time, price, qty, isBuyerMaker })
    for (const watch of book.watches) watch.traded(time)
    if (book.listeners.length === 0) return
    const sellOrderId = this.exchange.lastOrderId
    const parties = { buyOrderId: sellOrderId - 1, sellOrderId, buyerId: CROWD, sellerId: CROWD }
    const trade: Trade = { id, symbol, price, qty, ...parties, isBuyerMaker, createdAt: time }
    for (const listener of book.listeners) listener.onTrade(trade)
  }

  #tell(book: SimulatedBook, events: readonly ExchangeEvent[]): void {
    if (events.length === 0) return
    for (const listener of this.#eventListeners) listener(events)
    for (const event of events) {
      if (event.type !== 'traded') continue
      for (const watch of book.watches) watch.traded(event.time)
      for (const { onTrade } of book.listeners) onTrade(event.trade)
    }
  }

  #book(symbol: string): SimulatedBook {
    const book = this.#booksBySymbol.get(symbol)
    if (book === undefined) throw new InvariantError(`no market '${symbol}'`)
    return book
  }
}
