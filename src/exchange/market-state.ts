/**
 * One market of the exchange: its rules, its order book, its statistics.
 */
import type { MarketConfig } from '../domain/market.ts'
import type { HistoryLimits } from './exchange.ts'
import { MarketRules } from './market-rules.ts'
import { MarketStatistics } from './market-statistics.ts'
import { OrderBook } from './order-book.ts'

export class MarketState {
  readonly rules: MarketRules
  readonly book = new OrderBook()
  readonly statistics: MarketStatistics

  /** @param scales  ledger digits by asset, in the order of the ledger */
  constructor(config: MarketConfig, scales: ReadonlyMap<string, number>, limits: HistoryLimits) {
    this.rules = new MarketRules(config, scales)
    this.statistics = new MarketStatistics(config.symbol, limits)
  }

  get config(): MarketConfig {
    return this.rules.config
  }
}
