/**
 * One recorded market of a simulated market: its crowd, and who hears of its trades.
 *
 * A recorded trade with nothing of ours at or beyond its price is printed at once, in plain numbers and without an object.
 */
import { CROWD } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Trade } from '../domain/trade.ts'
import type { Exchange, MarketAccess } from '../exchange/exchange.ts'
import type { CandleWatch } from './candle-watch.ts'
import { Crowd } from './crowd/crowd.ts'
import type { EventQueue } from './event-queue.ts'
import type { LiquidityModel } from './liquidity/liquidity-model.ts'
import { recordedTrade } from './liquidity/written-trades.ts'

/** What happens in a market, as it happens at the exchange; a listener must not send commands from within. */
export interface MarketListener {
  /** Every public trade of the market, prints included. */
  onTrade(trade: Trade): void
  /** When it is there, hears of a print in place of `onTrade`, so that no object need be made: ticks and lots. */
  onPrint?(id: number, time: number, price: number, qty: number, isBuyerMaker: boolean): void
}

/** Hears the events of every command. */
export type EventListener = (events: readonly ExchangeEvent[]) => void

export class RecordedMarket {
  readonly crowd: Crowd
  readonly listeners: MarketListener[] = []
  readonly watches: CandleWatch[] = []
  readonly #symbol: string
  readonly #exchange: Exchange
  readonly #book: MarketAccess
  readonly #queue: EventQueue
  readonly #tellEvents: EventListener

  /** @param tellEvents  tells those who hear of every market */
  constructor(symbol: string, exchange: Exchange, queue: EventQueue, model: LiquidityModel, tellEvents: EventListener) {
    this.#symbol = symbol
    this.#exchange = exchange
    this.#book = exchange.market(symbol)
    this.#queue = queue
    this.#tellEvents = tellEvents
    this.crowd = new Crowd(exchange, symbol, model)
  }

  /**
   * A trade that was recorded: it meets the orders that it touches, and the rest of it is printed.
   *
   * @param candleTime  opening time of the candle that it was made of; undefined for one that was recorded as a trade
   */
  record(time: number, price: number, qty: number, isBuyerMaker: boolean, candleTime: number | undefined): void {
    this.#queue.advance(time)
    if (this.crowd.isUntouchedBy(price)) this.#print(time, price, qty, isBuyerMaker)
    else this.#meet(time, price, qty, isBuyerMaker, candleTime)
    this.crowd.learn(time, price, qty, isBuyerMaker, candleTime)
  }

  /** Tells of what a command did here. */
  tell(events: readonly ExchangeEvent[]): void {
    if (events.length === 0) return
    this.#tellEvents(events)
    for (const event of events) {
      if (event.type !== 'traded') continue
      for (const watch of this.watches) watch.traded(event.time)
      for (const listener of this.listeners) listener.onTrade(event.trade)
    }
  }

  #meet(time: number, price: number, qty: number, isBuyerMaker: boolean, candleTime: number | undefined): void {
    const { events, printed } = this.crowd.meet(recordedTrade(time, price, qty, isBuyerMaker, candleTime))
    this.tell(events)
    if (printed > 0) this.#print(time, price, printed, isBuyerMaker)
  }

  #print(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    const id = this.#book.print(time, price, qty, isBuyerMaker)
    for (const watch of this.watches) watch.traded(time)
    for (const listener of this.listeners) {
      if (listener.onPrint === undefined) listener.onTrade(this.#tradeOf(id, time, price, qty, isBuyerMaker))
      else listener.onPrint(id, time, price, qty, isBuyerMaker)
    }
  }

  #tradeOf(id: number, createdAt: number, price: number, qty: number, isBuyerMaker: boolean): Trade {
    const sellOrderId = this.#exchange.lastOrderId
    const parties = { buyOrderId: sellOrderId - 1, sellOrderId, buyerId: CROWD, sellerId: CROWD }
    return { id, symbol: this.#symbol, price, qty, ...parties, isBuyerMaker, createdAt }
  }
}
