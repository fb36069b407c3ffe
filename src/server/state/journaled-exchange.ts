/**
 * An exchange that writes every change to a journal. A refused command changes only the time and needs no entry.
 *
 * Invariant: after an internal error nothing more is accepted, because its state no longer matches the journal.
 */
import type { AuditLine } from '../../domain/audit.ts'
import type { Balances } from '../../domain/balances.ts'
import type { Candle } from '../../domain/candle.ts'
import type { Command } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Depth } from '../../domain/depth.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Order, Side } from '../../domain/order.ts'
import type { Portfolio } from '../../domain/portfolio.ts'
import type { Ticker } from '../../domain/ticker.ts'
import type { Fill, Trade } from '../../domain/trade.ts'
import type {
  CandleQuery,
  Exchange,
  MarketAccess,
  OrderQuery,
  Print,
  RecordedRow,
  RestingOrder,
} from '../../exchange/exchange.ts'
import type { StateEntry } from './state-entry.ts'

/** Receives every change after it was made. */
export interface EntryJournal {
  /** @throws {ServiceError} if it accepts nothing more */
  checkIsOpen(): void
  add(entry: StateEntry): void
  /** Later changes are not reliable. */
  abandon(): void
}

export class JournaledExchange implements Exchange {
  readonly markets: readonly MarketConfig[]
  readonly scales: ReadonlyMap<string, number>
  readonly #exchange: Exchange
  readonly #journal: EntryJournal

  constructor(exchange: Exchange, journal: EntryJournal) {
    this.#exchange = exchange
    this.#journal = journal
    this.markets = exchange.markets
    this.scales = exchange.scales
  }

  get lastOrderId(): number {
    return this.#exchange.lastOrderId
  }

  execute(command: Command): readonly ExchangeEvent[] {
    const events = this.#change(() => this.#exchange.execute(command))
    if (!isRefused(events[0])) this.#journal.add(command)
    return events
  }

  print(print: Print): number {
    const id = this.#change(() => this.#exchange.print(print))
    this.#journal.add({ type: 'print', ...print })
    return id
  }

  list(print: Print): number {
    const id = this.#change(() => this.#exchange.list(print))
    this.#journal.add({ type: 'listed', ...print })
    return id
  }

  enter(row: RecordedRow): void {
    this.#change(() => {
      this.#exchange.enter(row)
    })
    this.#journal.add({ type: 'row', ...row })
  }

  market(symbol: string): MarketAccess {
    const market = this.#exchange.market(symbol)
    return {
      get lastPrice() {
        return market.lastPrice
      },
      list: (time, price, qty, isBuyerMaker) => this.list({ symbol, time, price, qty, isBuyerMaker }),
      enter: (time, price, qty, part) => {
        this.enter({ symbol, time, price, qty, part })
      },
      enterCandle: () => {
        throw new InvariantError('candles are not played into a state that is kept')
      },
      bestPrice: (side) => market.bestPrice(side),
      print: (time, price, qty, isBuyerMaker) => {
        const id = this.#change(() => market.print(time, price, qty, isBuyerMaker))
        this.#journal.add({ type: 'print', symbol, time, price, qty, isBuyerMaker })
        return id
      },
    }
  }

  bestPrice(symbol: string, side: Side): number | undefined {
    return this.#exchange.bestPrice(symbol, side)
  }

  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[] {
    return this.#exchange.restingAt(symbol, side, price)
  }

  restingTo(symbol: string, side: Side, price: number, lots?: number): readonly RestingOrder[] {
    return this.#exchange.restingTo(symbol, side, price, lots)
  }

  depth(symbol: string, levels?: number): Depth {
    return this.#exchange.depth(symbol, levels)
  }

  ticker(symbol: string, now: number): Ticker {
    return this.#exchange.ticker(symbol, now)
  }

  trades(symbol: string, limit: number): readonly Trade[] {
    return this.#exchange.trades(symbol, limit)
  }

  candles(symbol: string, query: CandleQuery): readonly Candle[] {
    return this.#exchange.candles(symbol, query)
  }

  order(account: string, orderId: number): Order | undefined {
    return this.#exchange.order(account, orderId)
  }

  orders(account: string, query: OrderQuery): readonly Order[] {
    return this.#exchange.orders(account, query)
  }

  openOrders(account: string): readonly Order[] {
    return this.#exchange.openOrders(account)
  }

  fills(account: string, limit: number): readonly Fill[] {
    return this.#exchange.fills(account, limit)
  }

  balances(account: string): Balances {
    return this.#exchange.balances(account)
  }

  portfolio(account: string, now: number): Portfolio {
    return this.#exchange.portfolio(account, now)
  }

  audit(): readonly AuditLine[] {
    return this.#exchange.audit()
  }

  #change<T>(action: () => T): T {
    this.#journal.checkIsOpen()
    try {
      return action()
    } catch (error) {
      this.#journal.abandon()
      throw error
    }
  }
}

const isRefused = (event: ExchangeEvent | undefined): boolean =>
  event?.type === 'order-refused' || event?.type === 'cancel-refused' || event?.type === 'credit-refused'
