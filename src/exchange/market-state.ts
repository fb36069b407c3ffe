/** One market of the exchange: its rules, its order book, its statistics. */
import type { UncountedMatches } from '../domain/command.ts'
import { InvariantError } from '../domain/errors.ts'
import type { MarketConfig } from '../domain/market.ts'
import type { HistoryLimits, RowPart } from './exchange.ts'
import type { IdSequence } from './id-sequence.ts'
import { CROWD_ROW } from './ledger/ledger.ts'
import { MarketRules } from './market-rules.ts'
import { MarketStatistics } from './statistics/market-statistics.ts'
import type { NewTrade } from './accounts/trade-records.ts'
import type { OrderState } from './order-state.ts'
import { MarketOrders } from './market-orders.ts'
import type { TradeRecorder } from './trade-histories.ts'

/** The state that the markets of an exchange share. */
export interface SharedState extends OrderState {
  readonly orderIds: IdSequence
  readonly tradeIds: IdSequence
  /** Called after the first trade ever of a market. */
  onFirstTrade(market: MarketState): void
}

export class MarketState implements TradeRecorder {
  readonly config: MarketConfig
  /** Its place among the markets. */
  readonly number: number
  readonly orders: MarketOrders
  readonly statistics: MarketStatistics
  readonly #shared: SharedState

  constructor(
    config: MarketConfig,
    number: number,
    scales: ReadonlyMap<string, number>,
    limits: HistoryLimits,
    shared: SharedState,
  ) {
    this.config = config
    this.number = number
    this.#shared = shared
    this.orders = new MarketOrders(new MarketRules(config, scales), number, shared, this)
    this.statistics = new MarketStatistics(config.symbol, limits)
  }

  nextTradeId(): number {
    return this.#shared.tradeIds.next()
  }

  record(trade: NewTrade, record: number, matches: UncountedMatches | undefined): void {
    if (matches === undefined) this.#enter(trade.createdAt, trade.price, trade.qty)
    const isOfCrowd = trade.buyer === CROWD_ROW && trade.seller === CROWD_ROW
    if (matches !== 'ours-listed' || !isOfCrowd) this.#shared.trades.addNewest(this.statistics.trades, record)
  }

  /** Enters a recorded row into the statistics. */
  enter(time: number, price: number, qty: number, part: RowPart): void {
    checkRow(price, qty)
    if (part === 'volume') {
      this.statistics.correctVolume(time, price, qty)
      return
    }
    this.#enter(time, price, qty)
    if (part === 'all-but-volume') this.statistics.correctVolume(time, price, -qty)
  }

  /** Enters a recorded candle into the statistics. */
  enterCandle(time: number, open: number, high: number, low: number, close: number, volume: number): void {
    checkRow(close, volume)
    // Holdings from before the first trade are priced at its open.
    if (this.statistics.lastPrice === 0) this.#enter(time, open, 0)
    else this.statistics.record(time, open, 0)
    this.statistics.record(time, high, 0)
    this.statistics.record(time, low, 0)
    this.statistics.record(time, close, volume)
  }

  /** Enters a trade between crowd and crowd, and lists it. Returns its id. */
  print(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    const id = this.list(time, price, qty, isBuyerMaker)
    this.#enter(time, price, qty)
    return id
  }

  /** Lists a trade between crowd and crowd. Returns its id. */
  list(time: number, price: number, qty: number, isBuyerMaker: boolean): number {
    checkRow(price, qty)
    const { orderIds } = this.#shared
    const buyOrderId = orderIds.next()
    const sellOrderId = orderIds.next()
    const id = this.nextTradeId()
    if (this.statistics.trades.limit > 0) {
      const parties = { buyOrderId, sellOrderId, buyer: CROWD_ROW, seller: CROWD_ROW }
      const { trades } = this.#shared
      const record = trades.take({ id, market: this.number, price, qty, ...parties, isBuyerMaker, createdAt: time })
      trades.addNewest(this.statistics.trades, record)
    }
    return id
  }

  #enter(time: number, price: number, qty: number): void {
    const isFirst = this.statistics.lastPrice === 0
    this.statistics.record(time, price, qty)
    if (isFirst) this.#shared.onFirstTrade(this)
  }
}

function checkRow(price: number, qty: number): void {
  if (Number.isSafeInteger(price) && price > 0 && Number.isSafeInteger(qty) && qty > 0) return
  throw new InvariantError(`a print of ${qty} at ${price}`)
}
