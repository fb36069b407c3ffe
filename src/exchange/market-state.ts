/**
 * One market of the exchange: its rules, its order book, its statistics.
 */
import { CROWD } from '../domain/command.ts'
import { InvariantError } from '../domain/errors.ts'
import type { MarketConfig } from '../domain/market.ts'
import type { Trade } from '../domain/trade.ts'
import type { HistoryLimits } from './exchange.ts'
import type { IdSequence } from './id-sequence.ts'
import type { Ledger } from './ledger/ledger.ts'
import { MarketRules } from './market-rules.ts'
import { MarketStatistics } from './statistics/market-statistics.ts'
import type { OrderRegistry } from './accounts/order-registry.ts'
import { MarketOrders, type TradeRecorder } from './market-orders.ts'

/** The state that the markets of an exchange share. */
export interface SharedState {
  readonly ledger: Ledger
  readonly orders: OrderRegistry
  readonly orderIds: IdSequence
  readonly tradeIds: IdSequence
  /** Called after the first trade ever of a market. */
  readonly onFirstTrade: (market: MarketState) => void
}

export class MarketState implements TradeRecorder {
  readonly config: MarketConfig
  readonly orders: MarketOrders
  readonly statistics: MarketStatistics
  readonly #shared: SharedState

  constructor(config: MarketConfig, scales: ReadonlyMap<string, number>, limits: HistoryLimits, shared: SharedState) {
    this.config = config
    this.#shared = shared
    this.orders = new MarketOrders(new MarketRules(config, scales), shared.ledger, shared.orders, this)
    this.statistics = new MarketStatistics(config.symbol, limits)
  }

  nextTradeId(): number {
    return this.#shared.tradeIds.next()
  }

  record(trade: Trade): void {
    this.#enter(trade.createdAt, trade.price, trade.qty)
    this.statistics.trades.push(trade)
  }

  /** Enters a trade between crowd and crowd. Returns its id. */
  print(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    if (!(Number.isSafeInteger(price) && price > 0 && Number.isSafeInteger(qty) && qty > 0)) {
      throw new InvariantError(`a print of ${qty} at ${price}`)
    }
    const { orderIds } = this.#shared
    const buyOrderId = orderIds.next()
    const sellOrderId = orderIds.next()
    const id = this.nextTradeId()
    this.#enter(time, price, qty)
    const { trades } = this.statistics
    if (trades.limit > 0) {
      const parties = { buyOrderId, sellOrderId, buyerId: CROWD, sellerId: CROWD }
      trades.push({ id, symbol: this.config.symbol, price, qty, ...parties, isBuyerMaker, createdAt: time })
    }
    return id
  }

  #enter(time: number, price: number, qty: number): void {
    const isFirst = this.statistics.lastPrice === 0
    this.statistics.record(time, price, qty)
    if (isFirst) this.#shared.onFirstTrade(this)
  }
}
